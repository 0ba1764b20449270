"""A game in play, as the environments of PettingZoo and Gymnasium share it."""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Sequence

import numpy as np

from ._azulejo import Game, State
from .agent import AgentLike, chooser
from .errors import AgentError, IllegalActionError, SpecError

MOVE_LIMIT = 3000
"""Games of more moves are cut off, as everywhere in azulejo."""


class Table:
    """The game that an environment plays, its deals, what a seat sees, and what it is rewarded by."""

    def __init__(self, spec: str, players: int, actions: str, rewards: str, illegal: str) -> None:
        self.game = Game(spec, players)
        self.actions = _one_of("actions", actions, ("index", "output"))
        self.rewarded_by = _one_of("rewards", rewards, ("win", "points"))
        self.illegal = _one_of("illegal", illegal, ("lose", "raise"))
        by_index = actions == "index"
        self.num_actions = self.game.num_actions if by_index else self.game.num_outputs
        self.observation_size = self.game.observation_size if by_index else self.game.num_features
        self.seed = secrets.randbits(63)
        self.number = -1
        self.state: State = self.game.new_initial_state()
        self.loser: int | None = None
        self._scores = [0] * players

    def begin(self, seed: int | None) -> None:
        """Begins the next game of this seed's, or the first one of a new seed."""
        if seed is not None:
            self.seed, self.number = int(seed), -1
        self.number += 1
        self.state = self.game.new_initial_state()
        self.loser = None
        self.deal()
        self._scores = self.state.scores

    def deal(self) -> None:
        """Plays the chance nodes up to a player's turn or the end."""
        while self.state.is_chance:
            self.state.apply(self.state.sample_chance(self.seed, self.number))

    def play(self, action: str | int) -> None:
        """Plays an action, a token or a number, and chance after it. An illegal one is a forfeit, or raised."""
        seat = self.seat_to_move
        try:
            by_output = self.actions == "output" and not isinstance(action, str)
            self.state.apply(self.token(int(action)) if by_output else action)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            self.loser = seat
            return
        self.deal()

    def token(self, output: int) -> str:
        """The legal action with an output, the first one if several come to the same.

        Raises IllegalActionError if there is none.
        """
        outputs = self.state.legal_outputs()
        if output not in outputs:
            raise IllegalActionError(f"action output {output}: no legal action has it")
        return self.state.legal_actions()[outputs.index(output)]

    @property
    def seat_to_move(self) -> int:
        """The seat whose turn it is; 0 where the game is over."""
        turn = self.state.turn
        return turn if isinstance(turn, int) else 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, also by a forfeit."""
        return self.state.is_over or self.loser is not None

    @property
    def is_cut_off(self) -> bool:
        """Whether the game is too long."""
        return not self.is_over and self.state.plies >= MOVE_LIMIT

    def observation(self, seat: int) -> np.ndarray:
        """What a seat sees of the state, as 0 and 1."""
        seen = self.state.observation()[: self.observation_size]
        steps = (seat - self.state.viewpoint) % self.game.players
        return seen if steps == 0 else seen[_turned(self.game, steps)[: self.observation_size]]

    def mask(self, seat: int) -> np.ndarray:
        """The legal actions of a seat as 0 and 1: none while others move."""
        own_turn = self.state.turn == seat and not self.is_over
        if own_turn and self.actions == "index":
            return self.state.action_mask()
        mask = np.zeros(self.num_actions, np.int8)
        if own_turn:
            mask[self.state.legal_outputs()] = 1
        return mask

    def rewards(self) -> list[float]:
        """What the seats are rewarded with for what has happened since this was last asked."""
        scores = self.state.scores
        gained = [float(now - before) for now, before in zip(scores, self._scores)]
        self._scores = scores
        if self.rewarded_by == "points":
            return gained
        if self.is_over or self.is_cut_off:
            return [2.0 * share - 1.0 for share in self.shares()]
        return [0.0] * self.game.players

    def shares(self) -> list[float]:
        """The shares of the win; where a seat has forfeited or the game was cut off, the others', or all, lead by points."""
        if self.loser is None and self.state.wins is not None:
            return self.state.wins
        scores = self.state.scores
        best = max(score for seat, score in enumerate(scores) if seat != self.loser)
        winners = [seat != self.loser and score == best for seat, score in enumerate(scores)]
        return [won / sum(winners) for won in winners]


class Opponents:
    """The agents that play the seats of others, to the left of the learner's."""

    def __init__(self, agents: AgentLike | Sequence[AgentLike], players: int) -> None:
        listed = [agents] * (players - 1) if isinstance(agents, str) or callable(agents) else list(agents)
        if len(listed) != players - 1:
            raise SpecError(f"opponents: found {len(listed)}, expected {players - 1} for {players} players")
        self._agents = listed
        self._choosers = [chooser(agent) for agent in listed]

    def begin(self, seed: int) -> None:
        """Begins afresh from a seed."""
        self._choosers = [chooser(agent, seed ^ place) for place, agent in enumerate(self._agents)]

    def choose(self, place: int, state: State) -> str:
        """The token that the agent chooses at a place, from 0, to the left of the learner.

        Raises AgentError if it is not legal.
        """
        choice, legal = self._choosers[place](state.clone()), state.legal_actions()
        tokens = {number: token for number, token in zip(state.legal_indices(), legal)}
        token = choice if isinstance(choice, str) else tokens.get(choice)
        if token not in legal:
            raise AgentError(f"the opponent at place {place} chose {choice!r}, which is not legal")
        return str(token)


def _one_of(key: str, word: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise SpecError(f"{key}: found {word!r}, expected {' or '.join(known)}")
    return word


@functools.lru_cache(maxsize=64)
def _turned(game: Game, steps: int) -> np.ndarray:
    """For each entry of an observation the entry that has its place from the point of view of a seat further on.

    Names tell which entries those are: what counts seats from the one who looks has ``seat+N`` or ``start=+N`` in it.
    """
    names = game.observation_names()
    numbers = {name: number for number, name in enumerate(names)}

    def source(name: str) -> str:
        found = re.match(r"(seat|start=)\+(\d+)", name)
        if not found or int(found[2]) >= game.players:
            return name
        place = (int(found[2]) + steps) % game.players
        return f"{found[1]}+{place}{name[found.end() :]}"

    return np.array([numbers[source(name)] for name in names])
