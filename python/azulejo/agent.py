"""Agents: the program's bots, by their specs, and functions of your own."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Union

import numpy as np

from ._azulejo import NativeAgent, State

Chooser = Callable[[State], Union[str, int]]
"""A function that chooses a legal action, a token or its number in the action index."""

AgentLike = Union[str, "Agent", Chooser]
"""What can play a seat: an agent's spec, an :class:`Agent`, or a function of your own."""


class Candidate(NamedTuple):
    """An action that a search takes for one of the best, from the point of view of the player to move."""

    action: str
    """Its token."""
    visits: int
    """How often the search went there."""
    win: float
    """The share of the win that can be expected after it, 0 to 1."""
    lead: float
    """The lead in points over the best other seat that can be expected at the end."""
    line: list[str]
    """The expected actions up to the next chance node, from this one on."""


class Choice(str):
    """An action that an agent chose: its token, with what the agent's search found.

    Utilities are in [-1, 1], 2 · share of the win − 1 where only the win counts. An agent that does not search leaves
    ``values`` and ``depth`` ``None`` and the lists empty.
    """

    number: int
    """The action's number in the action index."""
    values: list[float] | None
    """The utility that each seat can expect."""
    wins: list[float]
    """The share of the win that each seat can expect, 0 to 1."""
    leads: list[float]
    """The lead in points over the best other seat that each seat can expect."""
    candidates: list[Candidate]
    """The best actions, the chosen one first: as many as were asked for."""
    visits: list[tuple[str, int]]
    """The actions with their visit counts, most visited first."""
    policy: list[tuple[str, float]]
    """The policy that the search improved, if it has one."""
    line: list[str]
    """The expected actions up to the next chance node, from the chosen one on."""
    nodes: int
    """Simulations, or nodes."""
    depth: int | None
    """The plies of the longest line that was looked at."""
    seconds: float
    """Time spent."""

    @property
    def action(self) -> str:
        """The token as a plain ``str``."""
        return str.__str__(self)

    @classmethod
    def _of(cls, found: dict) -> Choice:
        choice = cls(found["action"])
        choice.number = found["index"]
        choice.values = found.get("values")
        choice.wins = found.get("wins", [])
        choice.leads = found.get("leads", [])
        choice.candidates = [Candidate(*candidate) for candidate in found.get("candidates", [])]
        choice.visits = found.get("visits", [])
        choice.policy = found.get("policy", [])
        choice.line = found.get("line", [])
        choice.nodes = found.get("nodes", 0)
        choice.depth = found.get("depth")
        choice.seconds = found.get("seconds", 0.0)
        return choice


class Evaluator:
    """A function of your own that judges states for azulejo's tree search, many at a time.

    ``function(observations, masks)`` is called with arrays of 0 and 1 (``uint8``), a row for each of n states, as
    :class:`BatchEnv` writes them with the same ``actions`` (``"output"`` or ``"index"``). It returns arrays, or what NumPy
    makes arrays of: logits (n, num_actions), of which those of legal actions count, and values (n, players): the utility
    from -1 to 1 that each seat can expect, in turn order from the state's viewpoint. The first column is the player's to
    move. At a chance node no action is legal. What the function raises, ``Agent.choose`` raises.
    """

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], tuple], actions: str = "output") -> None:
        if not callable(function):
            raise TypeError(f"found an evaluator of type {type(function).__name__}, expected a function")
        self.function, self.actions = function, actions


class Agent:
    """A bot of azulejo, by its spec: ``Agent("neural:sims=100")``.

    ``azulejo.agents()`` lists the kinds of agents, ``docs/agents.md`` their parameters. An agent follows the game that
    it is asked about by the states' histories, and keeps what it has searched from move to move; it can be asked about
    any state of any game. With the same seed, the same game and limits that no clock decides it makes the same choices.

    With an ``evaluator`` a function of yours takes the place of the networks of ``neural``: see :class:`Evaluator`. The
    spec says how it is searched with (``sims``, ``time``, ``batch``, ``c``, ``fpu``, ``root``, …); leads are not a number then.
    """

    def __init__(self, spec: str, seed: int = 1, evaluator: Evaluator | None = None) -> None:
        function, actions = (evaluator.function, evaluator.actions) if evaluator else (None, "output")
        self._native = NativeAgent(spec, seed, function, actions)
        self._seed, self._evaluator = seed, evaluator

    @property
    def spec(self) -> str:
        """The spec as azulejo prints it."""
        return self._native.spec

    @property
    def name(self) -> str:
        """What the agent is called: its ``name=``, or its spec."""
        return self._native.name

    def choose(
        self, state: State, *, nodes: int | None = None, seconds: float | None = None, candidates: int = 0
    ) -> Choice:
        """Chooses a legal action for the player to move.

        ``nodes`` (simulations, or nodes) and ``seconds`` take the place of the agent's own limits. Other Python threads
        run meanwhile, and Ctrl-C ends the search. ``candidates`` is how many of the best actions are to be told with what can
        be expected of them; the search then uses all that its limits allow.

        Raises AgentError where no player is to move or the agent fails, SpecError where it cannot play the game.
        """
        return Choice._of(self._native.choose(state, nodes, seconds, candidates))

    def forget(self) -> None:
        """Forgets the game that it has followed; the next one begins from the seed."""
        self._native.forget()

    def __call__(self, state: State) -> Choice:
        return self.choose(state)

    def __repr__(self) -> str:
        return f"Agent({self.spec!r}, seed={self._seed})"

    def __reduce__(self) -> tuple:
        return (Agent, (self.spec, self._seed, self._evaluator))


def chooser(agent: AgentLike, seed: int = 1) -> Chooser:
    """A function that chooses as an agent does: one of your own as it is, a spec as an agent with this seed."""
    if isinstance(agent, str):
        return Agent(agent, seed)
    if callable(agent):
        return agent
    raise TypeError(f"found an agent of type {type(agent).__name__}, expected a spec, an Agent or a function")
