"""Runs on a cluster of Ray: ``python -m azulejo.ray tournament --config FILE --out DIR``.

The games of a run, or of a stage of training, are cut into parts (``--shard`` of the program, see ``docs/cluster.md``), which the
machines of the cluster play in Ray's own worker processes, and sent back to the one that drives, which puts them together: the
files are those that one machine would have written, to the byte. The machines share nothing but the package, of the same
version, and the files that agents name, at the same paths.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._azulejo import PlannedRun, PlannedTraining, training_config
from .errors import AzulejoError, SpecError
from .runs import (
    Place,
    ProgressArgument,
    Summary,
    TrainingResult,
    _options,
    _place,
    _play,
    _read,
    _shown,
    _study,
    _summary,
    _training_result,
)

__all__ = ["Plan", "main", "play", "train"]

SECONDS = 120.0
"""How long a part takes, about, on one core."""

PROBE = 2.0
"""How long games are played to find out how long one takes, about, in seconds."""


Files = dict[str, bytes]
"""Contents of files by their names."""


@dataclass(frozen=True)
class Plan:
    """A run that can be sent to other machines."""

    command: str
    """``tournament`` or ``selfplay``."""
    arguments: tuple[Any, ...]
    """What the native run is made of."""
    tested: bool = False
    """Whether a sequential test may end it early."""

    def run(self) -> PlannedRun:
        """The run itself."""
        return getattr(PlannedRun, self.command)(*self.arguments)

    def play_shard(self, shard: str) -> Files:
        """Plays a part on this machine. Returns its files."""
        return _play_shard(self.run(), {}, shard)


def play(
    plan: Plan,
    out: str | os.PathLike[str],
    *,
    resume: bool = False,
    shards: int | None = None,
    progress: ProgressArgument = True,
) -> Summary:
    """Plays a run on the cluster that Ray is connected to, or on this machine's cores if it is to none.

    ``shards`` is the number of parts, by default as many as take about two minutes each. A part whose machine is lost is played
    again elsewhere. Parts that lie in ``out`` from an earlier attempt are not played again. A run with a sequential test is
    sent out in waves, and ends where one machine would have ended it.
    """
    ray = _connected()
    cores = _cores(ray)
    place = _place(plan.command, out, resume, None, progress)
    run = plan.run()
    if not resume and _is_used(out):
        return _play(run, place)  # which says why not
    count = shards or _number_of_shards(plan, run.games, cores)
    there = _ranges(out)
    all_shards = [f"{number}/{count}" for number in range(1, count + 1)]
    missing = [shard for shard in all_shards if not _is_covered(*run.shard_games(shard), there)]
    wave = 2 * cores if plan.tested else len(missing)
    return _shown(place, lambda: _waves(ray, plan, run, missing, max(1, wave), place))


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise SpecError("Ray is not installed: pip install 'azulejo[ray]'") from error


def _connected() -> Any:
    ray = _ray()
    if not ray.is_initialized():
        ray.init()
    return ray


def _cores(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _waves(ray: Any, plan: Plan, run: PlannedRun, missing: list[str], wave: int, place: Place) -> Summary:
    """Plays the missing parts, so many at a time, and puts what is there together after each wave."""
    task = ray.remote(num_cpus=1, max_retries=-1)(_play_planned)
    told = _ClusterProgress(place["watcher"], run.games - sum(_size(run, shard) for shard in missing), run.games)
    for begin in range(0, max(1, len(missing)), wave):
        shards = missing[begin : begin + wave]
        for shard, files in _played(ray, {task.remote(plan, shard): shard for shard in shards}):
            _keep(Path(place["out"]), files)
            told.add(_size(run, shard))
        summary = _merged(run, place, begin + wave >= len(missing), told.games)
        if summary is not None:
            return summary
    raise AssertionError("the last wave is merged to the end")


def train(
    config: str,
    out: str | os.PathLike[str],
    *,
    resume: bool = False,
    shards: int | None = None,
    progress: ProgressArgument = True,
) -> TrainingResult:
    """Trains by a configuration's text: the cluster plays the games of each stage, in so many parts, by default two for each core,
    and this machine learns from them and measures. The weights are those of :func:`azulejo.train`."""
    ray = _connected()
    out, training = Path(out), PlannedTraining(config)
    count = shards or 2 * _cores(ray)
    place = _place("train", out, resume, None, progress)
    task = ray.remote(num_cpus=1, max_retries=-1)(_play_stage)
    if not resume and _is_used(out):
        training.train(place, 1)  # which says why not
    while True:
        run = ray.put({name: (out / name).read_bytes() for name in _STATE if (out / name).exists()})
        tasks = {task.remote(config, run, f"{number}/{count}"): str(number) for number in range(1, count + 1)}
        told = _ClusterProgress(place["watcher"], 0, count, "parts")
        for _, files in _played(ray, tasks):
            _keep(out, files)
            told.add(1)
        # What the others have played is there already.
        if _shown(place, lambda: training.train(place | {"resume": True}, 1)):
            return _training_result(training, config, out)


_STATE = ("train.toml", "checkpoint.safetensors")
"""What those who play need of a run's directory: its settings and its newest weights."""


def _play_planned(plan: Plan, shard: str) -> Files:
    return plan.play_shard(shard)


def _play_stage(config: str, run: Files, shard: str) -> Files:
    return _play_shard(PlannedTraining(config), run, shard)


def _play_shard(run: PlannedRun | PlannedTraining, state: Files, shard: str) -> Files:
    """Plays a part in a directory of its own that holds these files. Returns the part's files."""
    with tempfile.TemporaryDirectory(prefix="azulejo-shard-") as out:
        for name, content in state.items():
            (Path(out) / name).write_bytes(content)
        run.play_shard(shard, {"out": Path(out), "resume": False, "threads": 1, "watcher": None})
        return {path.name: path.read_bytes() for path in sorted((Path(out) / "shards").glob("*"))}


def _played(ray: Any, tasks: dict[Any, str]) -> Iterator[tuple[str, Files]]:
    """The parts and their files, as they come in. What is not finished when nobody asks any more is ended."""
    try:
        while tasks:
            done, _ = ray.wait(list(tasks))
            for task in done:
                yield tasks.pop(task), ray.get(task)
    finally:
        for task in tasks:
            ray.cancel(task)


class _ClusterProgress:
    """The progress of the whole cluster."""

    def __init__(self, watcher: Any, games: int, all: int, unit: str = "games") -> None:
        self.games, self._all, self._watcher, self._unit = games, all, watcher, unit
        self.add(0)

    def add(self, games: int) -> None:
        self.games += games
        self._watcher.progress(self._unit, self.games, self._all)


class _EndOfParts(Exception):
    """The parts that are there have been put together, and the run goes on after them."""


def _merged(run: PlannedRun, place: Place, last: bool, games: int) -> Summary | None:
    """The run of the parts that are there, or ``None`` if games are missing: what is played here is nothing unless it is the
    last of them."""

    class Watcher:
        def progress(self, part: str, done: int, all: int) -> None:
            if not last and done >= games:
                raise _EndOfParts

        def fault(self, text: str) -> None:
            place["watcher"].fault(text)

    there = {"out": place["out"], "resume": True, "threads": None, "watcher": Watcher()}
    try:
        return _summary(run.play(there), Path(place["out"]))
    except _EndOfParts:
        return None


def _size(run: PlannedRun, shard: str) -> int:
    begin, end = run.shard_games(shard)
    return end - begin


def _is_used(out: str | os.PathLike[str]) -> bool:
    """Whether there is anything in a directory."""
    return Path(out).is_dir() and any(Path(out).iterdir())


def _ranges(out: str | os.PathLike[str]) -> list[tuple[int, int]]:
    """The games of the parts that lie in a run's directory, each from the first to the one after the last, in order."""
    names = (path.name.split(".jsonl")[0] for path in (Path(out) / "shards").glob("*-*.jsonl*"))
    bounds = (name.split("-") for name in names)
    return sorted((int(begin), int(end)) for begin, end in bounds if begin.isdigit() and end.isdigit())


def _is_covered(begin: int, end: int, ranges: list[tuple[int, int]]) -> bool:
    """Whether each of the games from ``begin`` to the one before ``end`` is in one of the ranges, which are in order."""
    for first, after in ranges:
        if first <= begin < after:
            begin = after
    return begin >= end


def _keep(out: Path, files: Files) -> None:
    """Puts the files of a part in their place: whole or not at all, what describes the records before them."""
    shards = out / "shards"
    shards.mkdir(parents=True, exist_ok=True)
    for name in sorted(files, key=lambda name: not name.endswith(".toml")):
        handle, path = tempfile.mkstemp(dir=shards, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(files[name])
            file.flush()
            os.fsync(file.fileno())
        os.replace(path, shards / name)


def _number_of_shards(plan: Plan, games: int, cores: int) -> int:
    """As many parts as take about :data:`SECONDS` each, at least one for each core."""
    count, taken = games, 0.0
    # Ever larger parts from the middle of the run, until one takes long enough to go by.
    while count > 1 and taken < PROBE:
        begin = time.monotonic()
        plan.play_shard(f"{(count + 1) // 2}/{count}")
        taken = time.monotonic() - begin
        if taken < PROBE:
            count = max(1, math.ceil(count / 8))
    return max(min(cores, games), min(games, math.ceil(count * taken / SECONDS)))


def main(arguments: list[str] | None = None) -> int:
    """The command line. Returns the exit status."""
    given = _parser().parse_args(arguments)
    try:
        told = _command(given)
    except (AzulejoError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not given.quiet:
        print(told)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m azulejo.ray",
        description="Play a run of azulejo on a cluster of Ray. The options are those of the program.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    tournament = commands.add_parser("tournament", help="all pairings, with rotated seats on the same deals")
    selfplay = commands.add_parser("selfplay", help="games between given agents")
    training = commands.add_parser("train", help="train a network, whose games the cluster plays")
    for command in (tournament, selfplay, training):
        _add_run_options(command)
    for command in (tournament, selfplay):
        _add_game_options(command)
    selfplay.add_argument("--rotate", action="store_true", help="let the agents change seats")
    for name, metavar in (("config", "FILE"), ("run", "NAME"), ("gauntlet", "AGENT"), ("anchor", "AGENT"), ("sprt", "TEST")):
        tournament.add_argument(f"--{name}", metavar=metavar)
    tournament.add_argument("--neighbors", type=int, metavar="PLACES")
    training.add_argument("--config", metavar="FILE", required=True, help="a TOML file that says what is played and learned")
    training.add_argument("--run", metavar="NAME", help="one of several runs in the file")
    training.add_argument("--seed", type=int, metavar="S")
    training.add_argument("--generations", type=int, metavar="N")
    return parser


def _add_run_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--out", required=True, metavar="DIR")
    command.add_argument("--resume", action="store_true", help="go on with the run in --out")
    command.add_argument("--shards", type=int, metavar="N", help="the number of parts [default: about two minutes each]")
    command.add_argument("--address", metavar="ADDRESS", help="the cluster, as ray.init() takes it [default: found by Ray]")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")


def _add_game_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("agents", nargs="*", metavar="AGENT")
    command.add_argument("--game", default="azul", metavar="SPEC")
    command.add_argument("--players", type=int, default=2, metavar="N")
    command.add_argument("--games", type=int, default=100, metavar="N")
    command.add_argument("--seed", type=int, default=1, metavar="S")
    command.add_argument("--compress", action="store_true", help="compress the records")
    command.add_argument("--analysis", action="store_true", help="keep what searches found")
    command.add_argument("--move-limit", type=int, metavar="N")


def _command(given: argparse.Namespace) -> str:
    """Does what was asked for. Returns what is to be said of it."""
    ray = _ray()
    if given.shards is not None and given.shards < 1:
        raise SpecError(f"--shards: found {given.shards}, expected 1 or more")
    settings: dict[str, Any] = {"resume": given.resume, "shards": given.shards, "progress": not given.quiet}
    # Settings that name nothing are refused before anything starts.
    if given.command == "train":
        config = training_config(_read(given.config), given.run, "", 2, None, None, given.seed, given.generations)
    else:
        plan = _plan(given)
        plan.run()
    ray.init(address=given.address, log_to_driver=False, logging_level="ERROR")
    try:
        if given.command == "train":
            return str(train(config, given.out, **settings).net)
        return _results(play(plan, given.out, **settings))
    finally:
        ray.shutdown()


def _plan(given: argparse.Namespace) -> Plan:
    options = _options(given.compress, given.analysis, given.move_limit)
    table = (given.game, given.players)
    if given.command == "selfplay":
        return Plan("selfplay", (table, given.agents, given.games, given.seed, given.rotate, options))
    if given.config is None:
        text = _study(
            given.agents, *table, given.games, given.seed, given.gauntlet, given.neighbors, given.anchor, given.sprt
        )
    else:
        text = _read(given.config)
    return Plan("tournament", (text, given.run, options), tested="sprt" in text)


def _results(summary: Summary) -> str:
    lines = [f"{summary.game}, {summary.players} players, {summary.games} games"]
    for agent in sorted(summary.agents, key=lambda agent: -(agent.win_share.value if agent.win_share else 0)):
        share = agent.win_share
        if share is not None:
            low, high = 100 * (share.low or 0), 100 * (share.high or 0)
            lines.append(f"{100 * share.value:6.1f} % [{low:.1f}, {high:.1f}]  {agent.spec}")
    return "\n".join([*lines, f"written to {summary.out}"])


if __name__ == "__main__":
    sys.exit(main())
