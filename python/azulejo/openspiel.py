"""The games for OpenSpiel: ``azulejo.openspiel.load("azul", players=2)``, or once this module has been imported
``pyspiel.load_game("python_azulejo(game=azul,players=3)")``.

What is drawn has more outcomes than a list can hold. So a chance node has ``deals`` outcomes here, all of the same
probability, and each is what the rules draw there from a seed of its own, which follows from the outcome's number and ``seed``.
Histories can be replayed and serialized, and searches meet the same outcomes again. Returns add up to 0: for two players they
are 2 · share of the win − 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ._azulejo import Game, State
from ._table import MOVE_LIMIT, Table
from .errors import SpecError

__all__ = ["AzulejoGame", "AzulejoState", "load"]

_SHORT_NAME = "python_azulejo"
_DEFAULTS: dict[str, Any] = {"game": "azul", "players": 2, "deals": 1024, "seed": 0}
_TYPE = pyspiel.GameType(
    short_name=_SHORT_NAME,
    long_name="The Azul family (azulejo)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


def load(game: str = "azul", players: int = 2, deals: int = 1024, seed: int = 0) -> AzulejoGame:
    """The game for OpenSpiel. Raises SpecError for a game, players or deals that there are none of."""
    return AzulejoGame({"game": game, "players": players, "deals": deals, "seed": seed})


class AzulejoGame(pyspiel.Game):
    """A game of the family. Actions are numbers of the action index; the same number is the same action at every table."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        settings = _DEFAULTS | (params or {})
        if settings["deals"] < 1:
            raise SpecError(f"deals: found {settings['deals']}, expected 1 or more")
        self.rules = Game(settings["game"], settings["players"])
        self.deals, self.seed = int(settings["deals"]), int(settings["seed"])
        players = self.rules.players
        information = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions,
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOVE_LIMIT,
        )
        super().__init__(_TYPE, information, settings)

    def new_initial_state(self) -> AzulejoState:
        """The start, at the first chance node."""
        return AzulejoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> _Observer:
        """What writes observations: those of :class:`azulejo.State`, from any seat's point of view."""
        if params:
            raise SpecError(f"params: found {params}, expected none")
        return _Observer(self)


class AzulejoState(pyspiel.State):
    """A state, which :attr:`position` holds as an :class:`azulejo.State`."""

    def __init__(self, game: AzulejoGame) -> None:
        super().__init__(game)
        self._deals, self._seed = game.deals, game.seed
        self.position: State = game.rules.new_initial_state()

    def current_player(self) -> int:
        """The seat to move, or that it is chance's turn, or nobody's."""
        turn = self.position.turn
        if turn == "chance":
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if turn == "over" else turn

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_indices())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the deals, which are equally likely."""
        return [(number, 1.0 / self._deals) for number in range(self._deals)]

    def _apply_action(self, action: int) -> None:
        self.position.apply(self._deal(action) if self.position.is_chance else action)

    def _deal(self, number: int) -> str:
        return self.position.sample_chance(self._seed, number)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            # Two deals may be the same, but their names may not.
            return f"{action}: {self._deal(action)}" if self.position.is_chance else f"deal {action}"
        return self.position.game.action_token(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """For each player (players · share of the win − 1) / (players − 1); 0 while the game runs."""
        wins, players = self.position.wins, self.position.players
        return [(players * win - 1) / (players - 1) for win in wins] if wins else [0.0] * players

    def __str__(self) -> str:
        return str(self.position)

    def __deepcopy__(self, memo: Any) -> AzulejoState:
        return self.clone()


class _Observer:
    """Observations, as OpenSpiel asks for them."""

    def __init__(self, game: AzulejoGame) -> None:
        self.tensor = np.zeros(game.rules.observation_size, np.float32)
        self.dict = {"observation": self.tensor}
        self._table = Table(game.rules.spec, game.rules.players, "index", "win", "raise")

    def set_from(self, state: AzulejoState, player: int) -> None:
        """Writes what a player sees of a state into :attr:`tensor`."""
        self._table.state = state.position
        self.tensor[:] = self._table.observation(player)

    def string_from(self, state: AzulejoState, player: int) -> str:
        """The state as a text, which is the same for all players."""
        return str(state.position)


pyspiel.register_game(_TYPE, AzulejoGame)
