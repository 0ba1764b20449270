"""The games as Gymnasium environments, one seat against agents: :func:`make`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ._table import Opponents, Table
from .agent import AgentLike
from .errors import SpecError
from .render import draw

__all__ = ["AzulejoEnv", "make"]


def make(
    spec: str = "azul",
    players: int = 2,
    opponents: AgentLike | Sequence[AgentLike] = "random",
    *,
    seat: int | None = None,
    actions: str = "index",
    rewards: str = "win",
    illegal: str = "lose",
    render_mode: str | None = None,
) -> AzulejoEnv:
    """An environment of a game, whose spec is azulejo's, against opponents.

    ``opponents``: agent specs, :class:`azulejo.Agent` or functions ``state -> action``, in turn order from the
    learner's left; one that stands alone is for all seats.
    ``seat``: the learner's; without one it changes from game to game.
    ``actions``: ``"index"`` numbers them by the action index, ``"output"`` by the outputs of networks.
    ``rewards``: ``"win"``, at the end 2 · share of the win − 1, or ``"points"``, as they are scored.
    ``illegal``: what an action does that is not legal: ``"lose"``, a forfeit, or ``"raise"`` IllegalActionError.
    ``render_mode``: ``"ansi"``, a text, or ``"rgb_array"``, which needs Pillow.
    """
    return AzulejoEnv(
        spec,
        players,
        opponents,
        seat=seat,
        actions=actions,
        rewards=rewards,
        illegal=illegal,
        render_mode=render_mode,
    )


class AzulejoEnv(gymnasium.Env):
    """The learner's seat of a game; the opponents and chance play between its turns."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        spec: str,
        players: int,
        opponents: AgentLike | Sequence[AgentLike],
        *,
        seat: int | None,
        actions: str,
        rewards: str,
        illegal: str,
        render_mode: str | None,
    ) -> None:
        self.table = Table(spec, players, actions, rewards, illegal)
        self._opponents = Opponents(opponents, self.table.game.players)
        if seat is not None and not 0 <= seat < players:
            raise SpecError(f"seat: found {seat}, expected 0 to {players - 1}")
        self._fixed_seat = seat
        self.seat = seat or 0
        self.render_mode = render_mode
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.table.observation_size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.table.num_actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.table.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begins the next game; from a seed, the first one of that seed's."""
        super().reset(seed=seed)
        self.table.begin(seed)
        number = self.table.number
        self.seat = number % self.table.game.players if self._fixed_seat is None else self._fixed_seat
        self._opponents.begin((self.table.seed * 1_000_003 + number * 101) % 2**63)
        self._play_on()
        self.table.rewards()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        self.table.play(action)
        self._play_on()
        reward = self.table.rewards()[self.seat]
        return self._observation(), reward, self.table.is_over, self.table.is_cut_off, self._info()

    def action_masks(self) -> np.ndarray:
        """The legal actions as truths, as sb3-contrib's MaskablePPO asks for them."""
        return self.table.mask(self.seat).astype(bool)

    def render(self) -> str | np.ndarray | None:
        return draw(self.table.state, self.render_mode)

    def _play_on(self) -> None:
        """Plays up to the learner's next turn or the end."""
        table = self.table
        while not (table.is_over or table.is_cut_off or table.state.turn == self.seat):
            place = (table.seat_to_move - self.seat - 1) % table.game.players
            table.play(self._opponents.choose(place, table.state))

    def _observation(self) -> dict[str, np.ndarray]:
        return {"observation": self.table.observation(self.seat), "action_mask": self.table.mask(self.seat)}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat, "scores": self.table.state.scores}
        if self.table.is_over:
            info["wins"] = self.table.shares()
            info["forfeited"] = self.table.loser is not None
        return info
