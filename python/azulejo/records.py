"""Games that were played: files of records, and tables of their moves."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

import numpy as np

from . import _azulejo
from ._azulejo import Game, RecordLines, State, record_spec, verify_record
from .errors import SpecError

__all__ = ["Record", "decision_batches", "decisions", "read_records", "training_rows"]


class Record(dict):
    """A game that was played: the keys of ``docs/formats.md``, which are attributes, too.

    ``record["moves"]`` and ``record.moves`` are the same. Keys that a record may lack (``rules``, ``names``, ``reason``,
    ``analysis``) are ``None`` as attributes then.
    """

    def __getattr__(self, key: str) -> Any:
        if key in self:
            return self[key]
        if key in ("rules", "names", "reason", "analysis"):
            return None
        raise AttributeError(f"a record has no key '{key}'")

    @property
    def spec(self) -> str:
        """The game's spec, with its changed rules."""
        return record_spec(self.to_line())

    def to_line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(self, separators=(",", ":"))

    def verify(self) -> None:
        """Plays the game again and checks every move and the result; raises RecordError at the first fault."""
        verify_record(self.to_line())

    def replay(self) -> Iterator[tuple[State, str]]:
        """For each move the state in which it was played, a copy of your own, and the move's token."""
        state = Game(self.spec, self["players"]).new_initial_state()
        for move in self["moves"]:
            yield state.clone(), move
            state.apply(move)

    def final_state(self) -> State:
        """The state after the last move, with the game's history."""
        start = Game(self.spec, self["players"]).new_initial_state()
        return State.from_moves(start.to_json(), self["moves"])


def read_records(path: str | PathLike[str]) -> Iterator[Record]:
    """The records of a file, ``.jsonl`` or ``.jsonl.zst``, one after the other: a file of any size takes little memory.

    Raises RecordError if the file cannot be opened, and at a line that is no record. What a record says is not
    replayed: that is :meth:`Record.verify`.
    """
    return map(_record, RecordLines(path))


def _record(line: str) -> Record:
    return Record(json.loads(line))


def training_rows(*files: str | PathLike[str], search_value: float = 0.0) -> dict[str, np.ndarray]:
    """The arrays that ``azulejo export`` writes, a row for each example that training derives from record files of one
    game; ``docs/training.md`` describes them. ``search_value``, 0 to 1, is the weight of the searches' values in the
    target for the win.

    Raises RecordError at a file or a record that cannot be used, and if no game was finished.
    """
    if not 0 <= search_value <= 1:
        raise SpecError(f"search_value: found {search_value}, expected 0 to 1")
    return _azulejo.training_rows(files, search_value)


_HELD_OUT = 20
"""``azulejo train`` learns nothing from one in so many games, by the records' indices."""

_COLUMNS = {
    "game": np.int64,
    "held_out": np.bool_,
    "ply": np.int32,
    "round": np.int32,
    "seat": np.int8,
    "players": np.int8,
    "action": np.int32,
    "output": np.int32,
    "score": np.int32,
    "final_score": np.int32,
    "win": np.float64,
    "visits": np.int64,
    "value": np.float32,
}


def decisions(records: Iterable[Record], features: bool = False) -> dict[str, np.ndarray]:
    """Columns with one row a decision of a player, from records of one game: ``pandas.DataFrame`` and
    ``pyarrow.table`` take them as they are.

    ``game`` (the record's index), ``held_out`` (whether ``azulejo train`` holds the game out), ``ply``, ``round``, ``seat``,
    ``players``, ``token``, ``action`` (its number in the action index), ``output`` (the network's), ``score`` (the seat's
    points before the move), ``final_score`` and
    ``win`` (its points and its share of the win at the end), ``visits`` and ``value`` (of the recorded search: all
    visits, and the utility that the seat expected; 0 and NaN without one).

    With ``features`` also ``features``, the active features of each row one after the other, and
    ``features_starts``, where each row's begin, with the end: those two have lengths of their own, as in
    ``azulejo export``.
    """
    columns: dict[str, list] = {name: [] for name in [*_COLUMNS, "token"]}
    active: list[int] = []
    starts = [0]
    spec = None
    for record in records:
        spec = spec or record.game
        if _game_id(record.game) != _game_id(spec):
            raise ValueError(f"found a game of {record.game}, expected {spec}: read one game at a time")
        for row, state in _rows(record):
            for name, value in row.items():
                columns[name].append(value)
            if features:
                active += state.features()
                starts.append(len(active))
    arrays: dict[str, np.ndarray] = {name: np.array(columns[name], dtype) for name, dtype in _COLUMNS.items()}
    arrays["token"] = np.array(columns["token"], dtype=str)
    if features:
        arrays["features"] = np.array(active, np.int32)
        arrays["features_starts"] = np.array(starts, np.int64)
    return arrays


def decision_batches(
    records: Iterable[Record], games: int = 1000, features: bool = False
) -> Iterator[dict[str, np.ndarray]]:
    """The same from so many games at a time, so that files of any size take little memory: with PyArrow, for
    example, ``for batch in decision_batches(read_records(path)): writer.write_table(pyarrow.table(batch))``."""
    if games < 1:
        raise SpecError(f"games: found {games}, expected at least 1")
    following = iter(records)
    while some := list(itertools.islice(following, games)):
        yield decisions(some, features)


def _game_id(spec: str) -> str:
    return spec.split(":")[0].lower()


def _rows(record: Record) -> Iterator[tuple[dict[str, Any], State]]:
    """The decisions of one record, each with the state before it."""
    analysis = record.analysis or [None] * len(record.moves)
    state = Game(record.spec, record.players).new_initial_state()
    for ply, (move, found) in enumerate(zip(record.moves, analysis)):
        seat = state.turn
        if isinstance(seat, int):
            legal = state.legal_actions().index(move)
            yield {
                "game": record.index,
                "held_out": record.index % _HELD_OUT == _HELD_OUT - 1,
                "ply": ply,
                "round": state.round,
                "seat": seat,
                "players": record.players,
                "token": move,
                "action": state.legal_indices()[legal],
                "output": state.legal_outputs()[legal],
                "score": state.scores[seat],
                "final_score": record.scores[seat],
                "win": record.wins[seat],
                "visits": sum(visits for _, visits in found["visits"]) if found else 0,
                "value": found["values"][seat] if found and found["values"] else float("nan"),
            }, state
        state.apply(move)
