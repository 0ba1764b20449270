"""The Azul family of board games: exact rules, fast batched environments, and bots that play well.

>>> import azulejo
>>> state = azulejo.Game("azul", 2).new_initial_state()
>>> while not state.is_over:
...     if state.is_chance:
...         state.apply(state.sample_chance(seed=7))
...     else:
...         state.apply(state.legal_actions()[0])
>>> sum(state.wins)
1.0

``azulejo.pettingzoo`` and ``azulejo.gymnasium`` are environments, ``azulejo.openspiel`` has the games for OpenSpiel,
``azulejo.torch`` the networks in PyTorch, ``azulejo.records`` reads games that were played; they are imported when they are
first used. ``azulejo.tournament``, ``selfplay``, ``balance`` and ``train`` are the runs of the program. ``docs/python.md`` is
the page that explains all of it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._azulejo import BatchEnv, Game, Network, State, __version__, agents, games
from .agent import Agent, Candidate, Choice, Evaluator
from .errors import (
    AgentError,
    ArrayError,
    AzulejoError,
    BusyError,
    IllegalActionError,
    NetworkError,
    RecordError,
    RunError,
    SpecError,
    StateError,
)
from .records import Record, read_records
from .runs import balance, selfplay, tournament, train

if TYPE_CHECKING:
    from . import gymnasium, openspiel, pettingzoo, ray, render, torch

__all__ = [
    "Agent",
    "AgentError",
    "ArrayError",
    "AzulejoError",
    "BatchEnv",
    "BusyError",
    "Candidate",
    "Choice",
    "Evaluator",
    "Game",
    "IllegalActionError",
    "Network",
    "NetworkError",
    "Record",
    "RecordError",
    "RunError",
    "SpecError",
    "State",
    "StateError",
    "__version__",
    "agents",
    "balance",
    "games",
    "gymnasium",
    "openspiel",
    "pettingzoo",
    "ray",
    "read_records",
    "render",
    "selfplay",
    "torch",
    "tournament",
    "train",
]


def __getattr__(name: str) -> Any:
    """Imports the modules that need packages which others do without, when they are first used."""
    if name in ("gymnasium", "openspiel", "pettingzoo", "ray", "render", "torch"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'azulejo' has no attribute '{name}'")
