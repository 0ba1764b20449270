"""The games as PettingZoo environments: :func:`env` (AEC) and :func:`parallel_env`.

Observations are dictionaries with ``observation`` (0 and 1, from the point of view of the agent that observes) and
``action_mask``; agents are ``player_0``, ``player_1``, …
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import turn_based_aec_to_parallel, wrappers

from ._table import Table
from .errors import IllegalActionError
from .render import draw

__all__ = ["AzulejoAEC", "env", "parallel_env"]


def env(
    spec: str = "azul",
    players: int = 2,
    *,
    actions: str = "index",
    rewards: str = "win",
    illegal: str = "lose",
    render_mode: str | None = None,
) -> AECEnv:
    """An AEC environment of a game, whose spec is azulejo's.

    ``actions``: ``"index"`` numbers them by the action index, ``"output"`` by the outputs of networks.
    ``rewards``: ``"win"``, at the end 2 · share of the win − 1, or ``"points"``, as they are scored.
    ``illegal``: what an action does that is not legal: ``"lose"``, a forfeit, or ``"raise"`` IllegalActionError.
    ``render_mode``: ``"ansi"``, a text, or ``"rgb_array"``, which needs Pillow.
    """
    raw = AzulejoAEC(spec, players, actions=actions, rewards=rewards, illegal=illegal, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(raw)


def parallel_env(spec: str = "azul", players: int = 2, **settings: Any) -> Any:
    """The same game through PettingZoo's converter: in each step only the action of the agent to move counts."""
    return turn_based_aec_to_parallel(env(spec, players, **settings))


class AzulejoAEC(AECEnv, EzPickle):
    """The environment that :func:`env` wraps."""

    metadata = {
        "name": "azulejo_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(self, spec: str, players: int, *, actions: str, rewards: str, illegal: str, render_mode: str | None):
        EzPickle.__init__(
            self, spec, players, actions=actions, rewards=rewards, illegal=illegal, render_mode=render_mode
        )
        super().__init__()
        self.table = Table(spec, players, actions, rewards, illegal)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.game.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.table.observation_size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.table.num_actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.table.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins the next game; from a seed, the first one of that seed's."""
        self.table.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat_to_move]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, whoever is to move; its mask is empty while others are."""
        seat = self._seats[agent]
        return {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}

    def action_masks(self) -> np.ndarray:
        """The legal actions of the agent to move."""
        return self.table.mask(self._seats[self.agent_selection])

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalActionError(f"found None, expected an action of {agent}")
        self._cumulative_rewards[agent] = 0.0
        self.table.play(action)
        self.rewards = dict(zip(self.agents, self.table.rewards()))
        if self.table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.table.is_cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.table.seat_to_move]
        self._accumulate_rewards()

    def render(self) -> str | np.ndarray | None:
        return draw(self.table.state, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
