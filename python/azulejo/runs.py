"""Runs, as the program makes them: :func:`tournament`, :func:`selfplay`, :func:`balance` and :func:`train`.

Each plays into a directory, with the files of ``docs/runs.md``, and returns what came out as typed objects. The same settings
and seed give the same games as the program, whatever the number of threads. Ctrl-C ends a run early; what was played
stays, and ``resume=True`` goes on.
"""

from __future__ import annotations

import csv
import importlib
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeVar, Union

from ._azulejo import PlannedRun, PlannedTraining, play_balance, training_config
from .errors import SpecError

__all__ = [
    "AgentResult",
    "BalanceResult",
    "Estimate",
    "Generation",
    "PairResult",
    "SeatBalance",
    "SeatResult",
    "SprtResult",
    "StrategyResult",
    "Summary",
    "TrainingResult",
    "balance",
    "selfplay",
    "tournament",
    "train",
]

PathArgument = Union[str, "PathLike[str]"]

ProgressArgument = Union[bool, Callable[[str, int, int], object]]
"""Whether progress is shown, or who is told: ``progress(part, done, all)``. What it raises ends the run."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AgentResult:
    """An agent's results in a run."""

    spec: str
    name: str | None
    games: int
    forfeits: int
    win_share: Estimate | None
    """Wins for each seat that it held and each game, 0 to 1."""
    rating: Estimate | None
    """In Elo points; the mean of all agents, or the anchor, is 0."""
    mean_score: float | None
    mean_cpu_ms: float | None
    """Processor time of a choice; ``None`` unless a time limits the agent."""
    mean_nodes: float | None


@dataclass(frozen=True)
class PairResult:
    """Two agents' results in the games in which both took part."""

    a: str
    b: str
    games: int
    a_win_share: Estimate | None
    superiority: float | None
    """How likely it is that ``a`` is the stronger one, from these games."""
    a_mean_score: float | None
    b_mean_score: float | None


@dataclass(frozen=True)
class SeatResult:
    """A seat's results."""

    seat: int
    win_share: Estimate | None
    elo: Estimate | None
    """What the seat adds to a rating; ``None`` where agents keep their seats."""
    mean_score: float | None


@dataclass(frozen=True)
class SprtResult:
    """The sequential test for which a run was played."""

    scale: str
    elo0: float
    elo1: float
    log_ratio: float
    lower: float
    upper: float
    verdict: str


@dataclass(frozen=True)
class Summary:
    """What a tournament or self-play came to: ``summary.json`` of its directory."""

    out: Path
    """The directory."""
    game: str
    players: int
    games: int
    """The games that were played: fewer than were asked for where a sequential test was decided."""
    seed: int
    agents: list[AgentResult]
    pairs: list[PairResult]
    seats: list[SeatResult]
    plies: float | None
    rounds: float | None
    truncated: int
    forfeits: int
    sprt: SprtResult | None
    data: dict[str, Any]
    """All of ``summary.json``, with figures that have no attribute here: ``data["measures"]``, say."""

    @property
    def records(self) -> Path:
        """The file of the games, for :func:`azulejo.read_records`."""
        plain = self.out / "games.jsonl"
        return plain if plain.exists() else self.out / "games.jsonl.zst"


@dataclass(frozen=True)
class SeatBalance:
    """How even a game is for its seats, with one agent at all of them."""

    game: str
    players: int
    agent: str
    games: int
    win_shares: list[Estimate | None]
    leads: list[Estimate | None]
    """For each seat its points less the mean of the others'."""
    points: list[Estimate | None]
    figures: dict[str, Estimate]
    """What is told of games as a whole: ``figures["rounds"]``."""
    sources: dict[str, Estimate]
    """Where the points of all seats come from."""


@dataclass(frozen=True)
class StrategyResult:
    """A strategy of a game among the others."""

    game: str
    players: int
    agent: str
    win_share: Estimate | None
    rating: Estimate | None
    points: float | None
    standing: str
    """``best``, ``close``, ``behind`` or ``last``."""


@dataclass(frozen=True)
class BalanceResult:
    """What a study of balance found: ``summary.json`` of its directory."""

    out: Path
    seats: list[SeatBalance]
    strategies: list[StrategyResult]
    data: dict[str, Any]
    """All of ``summary.json``: ``data["differences"]`` has what changed numbers change."""


@dataclass(frozen=True)
class Generation:
    """A stage of training: a line of ``metrics.csv``."""

    generation: int
    steps: int
    games: int
    positions: int
    win_shares: dict[str, Estimate]
    """Against each opponent that was measured in this stage."""
    metrics: dict[str, float]
    """The columns of the line that are not empty: losses, points and all else."""


@dataclass(frozen=True)
class TrainingResult:
    """What a training run came to."""

    out: Path
    net: Path
    """The newest network: ``azulejo.Agent(f"neural:net={result.net}")`` plays it."""
    config: str
    """What was done, as TOML."""
    generations: list[Generation]
    warnings: list[str]
    """What looks wrong in the run, and what to change."""


def tournament(
    agents: Sequence[str] = (),
    game: str = "azul",
    players: int = 2,
    games: int = 100,
    seed: int = 1,
    *,
    config: PathArgument | None = None,
    run: str | None = None,
    gauntlet: str | None = None,
    neighbors: int | None = None,
    anchor: str | None = None,
    sprt: str | None = None,
    out: PathArgument | None = None,
    resume: bool = False,
    threads: int | None = None,
    compress: bool = False,
    analysis: bool = False,
    move_limit: int | None = None,
    progress: ProgressArgument = True,
) -> Summary:
    """Lets agents play all pairings with rotated seats on the same deals, and rates them.

    ``games`` are those of each pairing. With ``config``, a TOML file, that file says what is played, in place of agents,
    game and so on; ``run`` names one of several tournaments in it. ``sprt`` ends the run as soon as the test is decided:
    ``"elo0=0,elo1=20"``. ``out`` is the directory, a new temporary one by default; ``threads`` are all cores by default.

    >>> import azulejo
    >>> result = azulejo.tournament(["random", "greedy"], games=4, progress=False)
    >>> result.agents[1].win_share.value
    1.0

    Raises SpecError for settings that name nothing, RunError if the run cannot be played or gone on with.
    """
    text = _study(agents, game, players, games, seed, gauntlet, neighbors, anchor, sprt) if config is None else _read(config)
    planned = PlannedRun.tournament(text, run, _options(compress, analysis, move_limit))
    return _play(planned, _place("tournament", out, resume, threads, progress))


def selfplay(
    agents: Sequence[str] | str,
    game: str = "azul",
    players: int = 2,
    games: int = 100,
    seed: int = 1,
    *,
    rotate: bool = False,
    out: PathArgument | None = None,
    resume: bool = False,
    threads: int | None = None,
    compress: bool = False,
    analysis: bool = False,
    move_limit: int | None = None,
    progress: ProgressArgument = True,
) -> Summary:
    """Plays games between given agents, one for all seats or one for each seat in order, and records them.

    With ``rotate`` the agents change seats: each row of games with all rotations shares its deals. The other parameters, and
    what is raised, are those of :func:`tournament`.
    """
    specs = [agents] if isinstance(agents, str) else list(agents)
    options = _options(compress, analysis, move_limit)
    planned = PlannedRun.selfplay((game, players), specs, games, seed, rotate, options)
    return _play(planned, _place("selfplay", out, resume, threads, progress))


def balance(
    game: Sequence[str] | str = (),
    players: Sequence[int] | int = (),
    agents: Sequence[str] | str = "greedy",
    games: int = 2000,
    seed: int = 1,
    *,
    set: Mapping[str, Any] | None = None,
    strategies: bool = True,
    count_anew: bool = False,
    out: PathArgument | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: ProgressArgument = True,
) -> BalanceResult:
    """Studies how balanced games are: seats, course of the games, sources of points, strategies.

    ``game`` and ``players`` are all by default. With ``set``, as ``{"column_bonus": 10}``, every variant is also played with
    changed numbers. The other parameters, and what is raised, are those of :func:`tournament`.
    """
    place = _place("balance", out, resume, threads, progress)
    found = _shown(
        place,
        lambda: play_balance(
            [game] if isinstance(game, str) else list(game),
            [players] if isinstance(players, int) else list(players),
            [agents] if isinstance(agents, str) else list(agents),
            games,
            strategies,
            [f"{key}={json.dumps(value)}" for key, value in (set or {}).items()],
            count_anew,
            seed,
            place,
        ),
    )
    data = json.loads(found)
    return BalanceResult(
        out=Path(place["out"]),
        seats=[_seat_balance(seats) for seats in data["seats"]],
        strategies=[_strategy(strategy) for strategy in data["strategies"]],
        data=data,
    )


def train(
    game: str = "azul",
    players: int = 2,
    minutes: int | None = None,
    *,
    config: PathArgument | Mapping[str, Any] | None = None,
    run: str | None = None,
    seed: int | None = None,
    generations: int | None = None,
    out: PathArgument | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: ProgressArgument = True,
) -> TrainingResult:
    """Trains a network: it plays against itself, learns from the games and is measured, generation by generation.

    Without ``config`` it is trained for ``game`` by the usual configuration, with ``minutes`` for about so long. ``config`` is a
    TOML file (``run`` names one of several runs in it) or its keys as a mapping, see ``docs/training.md``. With ``resume`` and
    neither, ``train.toml`` in ``out`` is gone on with. The other parameters, and what is raised, are those of
    :func:`tournament`.
    """
    place = _place("train", out, resume, threads, progress)
    fit = None if resume else minutes
    settled = training_config(
        _config_text(config, resume, place), run, game, players, fit, threads, seed, generations
    )
    training = PlannedTraining(settled)
    _shown(place, lambda: training.train(place))
    return _training_result(training, settled, Path(place["out"]))


def _config_text(config: PathArgument | Mapping[str, Any] | None, resume: bool, place: Place) -> str | None:
    """What the configuration of a training run is read from; ``None`` for the usual one."""
    if isinstance(config, Mapping):
        return _toml(config)
    if config is None and resume:
        return _read(Path(place["out"]) / "train.toml")
    return None if config is None else _read(config)


def _training_result(training: PlannedTraining, config: str, out: Path) -> TrainingResult:
    with open(out / "metrics.csv", newline="", encoding="utf-8") as file:
        stages = [_generation(row) for row in csv.DictReader(file)]
    return TrainingResult(out, out / "net.safetensors", config, stages, training.diagnosis(out))


def _study(
    agents: Sequence[str],
    game: str,
    players: int,
    games: int,
    seed: int,
    gauntlet: str | None,
    neighbors: int | None,
    anchor: str | None,
    sprt: str | None,
) -> str:
    """The settings of a tournament as the text of a configuration file."""
    keys = {"game": game, "players": players, "games": games, "seed": seed, "agents": list(agents)}
    optional = {"gauntlet": gauntlet, "neighbors": neighbors, "anchor": anchor, "sprt": sprt}
    return _toml(keys | {key: value for key, value in optional.items() if value is not None})


def _toml(keys: Mapping[str, Any]) -> str:
    """A mapping as TOML: each value stands in its line, tables in braces."""
    return "".join(f"{_toml_value(key)} = {_toml_value(value)}\n" for key, value in keys.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = (f"{_toml_value(key)} = {_toml_value(inside)}" for key, inside in value.items())
        return "{ " + ", ".join(inner) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, (str, bool, int, float)):
        return json.dumps(value, ensure_ascii=False)
    raise SpecError(f"found {value!r}, expected text, a number, a truth value, a list or a mapping")


def _read(path: PathArgument) -> str:
    return Path(path).read_text(encoding="utf-8")


class _Watcher(Protocol):
    def progress(self, part: str, done: int, all: int) -> None: ...

    def fault(self, text: str) -> None: ...


class _Told:
    """Hands progress to a function of the user's."""

    def __init__(self, function: Callable[[str, int, int], object] | None) -> None:
        self._function = function

    def progress(self, part: str, done: int, all: int) -> None:
        if self._function is not None:
            self._function(part, done, all)

    def fault(self, text: str) -> None:
        warnings.warn(text, stacklevel=2)

    def close(self) -> None:
        pass


class _Bar(_Told):
    """A bar of tqdm, which is one of a notebook's there; each part of a run has its own."""

    def __init__(self, tqdm: Any) -> None:
        super().__init__(None)
        self._tqdm = tqdm
        self._shown: tuple[str, int] | None = None
        self._bar: Any = None

    def progress(self, part: str, done: int, all: int) -> None:
        if self._shown != (part, all):
            self.close()
            self._shown, self._bar = (part, all), self._tqdm(total=all, initial=done, desc=part)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Line(_Told):
    """A line of a terminal that is kept up to date, where there is no tqdm."""

    def __init__(self) -> None:
        super().__init__(None)

    def progress(self, part: str, done: int, all: int) -> None:
        sys.stderr.write(f"\r{part}: {done} of {all}\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _watcher(progress: ProgressArgument) -> _Told:
    if callable(progress):
        return _Told(progress)
    if not progress:
        return _Told(None)
    try:
        return _Bar(importlib.import_module("tqdm.auto").tqdm)
    except ImportError:
        return _Line() if sys.stderr.isatty() else _Told(None)


Place = dict[str, Any]


def _place(
    command: str, out: PathArgument | None, resume: bool, threads: int | None, progress: ProgressArgument
) -> Place:
    """How a run is played and where it is written."""
    if out is None:
        if resume:
            raise SpecError("resume: found no out, expected the directory of the run to go on with")
        out = tempfile.mkdtemp(prefix=f"azulejo-{command}-")
    return {"out": Path(out), "resume": resume, "threads": threads, "watcher": _watcher(progress)}


T = TypeVar("T")


def _shown(place: Place, play: Callable[[], T]) -> T:
    try:
        return play()
    finally:
        place["watcher"].close()


def _options(compress: bool, analysis: bool, move_limit: int | None) -> dict[str, Any]:
    return {"compress": compress, "analysis": analysis, "move_limit": move_limit}


def _play(planned: PlannedRun, place: Place) -> Summary:
    return _summary(_shown(place, lambda: planned.play(place)), Path(place["out"]))


def _summary(text: str, out: Path) -> Summary:
    data = json.loads(text)
    sprt = data["sprt"]
    return Summary(
        out=out,
        agents=[_agent(agent) for agent in data["agents"]],
        pairs=[_pair(pair) for pair in data["pairs"]],
        seats=[_seat(seat) for seat in data["seats"]],
        sprt=None if sprt is None else _from(SprtResult, sprt),
        data=data,
        **{
            key: data[key]
            for key in ("game", "players", "games", "seed", "plies", "rounds", "truncated", "forfeits")
        },
    )


def _from(kind: type[T], data: Mapping[str, Any], **more: Any) -> T:
    """A dataclass with those of its fields that the data have; ``more`` are the others."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: data.get(name) for name in names if name not in more}, **more)


def _estimate(data: Mapping[str, Any], value: str, low: str, high: str) -> Estimate | None:
    return None if data.get(value) is None else Estimate(data[value], data.get(low), data.get(high))


def _agent(data: Mapping[str, Any]) -> AgentResult:
    share = _estimate(data, "win_share", "win_share_low", "win_share_high")
    return _from(AgentResult, data, win_share=share, rating=_estimate(data, "rating", "rating_low", "rating_high"))


def _pair(data: Mapping[str, Any]) -> PairResult:
    return _from(PairResult, data, a_win_share=_estimate(data, "a_win_share", "low", "high"))


def _seat(data: Mapping[str, Any]) -> SeatResult:
    elo = _estimate(data, "elo", "elo_low", "elo_high")
    return _from(SeatResult, data, win_share=_estimate(data, "win_share", "low", "high"), elo=elo)


def _mean(data: Mapping[str, Any] | None) -> Estimate | None:
    return None if data is None else _estimate(data, "mean", "low", "high")


def _named(data: Sequence[Mapping[str, Any]]) -> dict[str, Estimate]:
    found = ((entry["name"], _mean(entry)) for entry in data)
    return {name: estimate for name, estimate in found if estimate is not None}


def _seat_balance(data: Mapping[str, Any]) -> SeatBalance:
    lists = {key: [_mean(mean) for mean in data[key]] for key in ("win_shares", "leads", "points")}
    return _from(
        SeatBalance, data, **lists, figures=_named(data["figures"]), sources=_named(data["sources"])
    )


def _strategy(data: Mapping[str, Any]) -> StrategyResult:
    share, rating = _mean(data["win_share"]), _mean(data["rating"])
    return _from(StrategyResult, data, win_share=share, rating=rating)


def _generation(row: Mapping[str, str]) -> Generation:
    metrics = {name: float(text) for name, text in row.items() if text}
    head = "win share against "
    opponents = [
        name.removeprefix(head)
        for name in metrics
        if name.startswith(head) and not name.endswith((" low", " high"))
    ]
    shares = {
        opponent: Estimate(
            metrics[head + opponent], metrics.get(f"{head}{opponent} low"), metrics.get(f"{head}{opponent} high")
        )
        for opponent in opponents
    }
    numbers = {name: int(metrics[name]) for name in ("generation", "steps", "games", "positions")}
    return Generation(**numbers, win_shares=shares, metrics=metrics)
