"""Runs from Python: the same files as the program's, typed results, progress, interrupts."""

import _thread
import threading
from pathlib import Path

import azulejo
import pytest
from azulejo._azulejo import PlannedRun
from azulejo.runs import Estimate, _study

QUIET = {"progress": False}


def files(directory, *, without=("machine.toml",)):
    """The contents of a run's files by name."""
    return {path.name: path.read_bytes() for path in Path(directory).iterdir() if path.is_file() and path.name not in without}


def test_a_tournament_has_typed_results():
    result = azulejo.tournament(["random", "greedy", "greedy:name=twin"], games=20, anchor="random", **QUIET)
    assert (result.game, result.players, result.games, result.seed) == ("azul", 2, 60, 1)
    random, greedy, _ = result.agents
    assert random.spec == "random" and isinstance(random.rating, Estimate) and random.rating.value == 0
    assert greedy.win_share.low <= greedy.win_share.value <= greedy.win_share.high
    assert [pair.games for pair in result.pairs] == [20, 20, 20] and len(result.seats) == 2
    assert result.data["measures"]["games"] == 60 and result.sprt is None
    records = list(azulejo.read_records(result.records))
    assert len(records) == 60
    records[0].verify()


def test_a_sequential_test_ends_a_tournament():
    result = azulejo.tournament(["greedy", "random"], games=1000, sprt="elo0=0,elo1=50", **QUIET)
    assert result.sprt.verdict == "alternative" and result.games < 1000


def test_results_depend_on_the_seed_alone(tmp_path):
    kept = [
        files(azulejo.selfplay("greedy", "summer-pavilion", 3, games=6, seed=7, threads=threads, out=out, **QUIET).out)
        for threads, out in [(1, tmp_path / "one"), (2, tmp_path / "two")]
    ]
    assert kept[0] == kept[1] and {"games.jsonl", "summary.json", "manifest.toml"} <= set(kept[0])


def test_a_configuration_file_says_what_is_played(tmp_path):
    file = tmp_path / "study.toml"
    run = 'games = 4\nseed = 3\nplayers = 2\nagents = ["random", "greedy"]\n'
    file.write_text(run + '[runs.a]\ngame = "azul"\n[runs.b]\ngame = "azul:gray"\n')
    assert azulejo.tournament(config=file, run="b", **QUIET).game == "azul:gray"
    with pytest.raises(azulejo.SpecError, match="found nothing, expected a, b"):
        azulejo.tournament(config=file, **QUIET)
    with pytest.raises(azulejo.SpecError, match="found 'c', expected a, b"):
        azulejo.tournament(config=file, run="c", **QUIET)


def test_progress_is_told_and_what_it_raises_ends_a_run_that_can_be_gone_on_with(tmp_path):
    told = []
    settings = {"game": "azul", "games": 400, "seed": 5, "threads": 1}
    whole = azulejo.selfplay("greedy", **settings, out=tmp_path / "whole", progress=lambda *what: told.append(what))
    assert told[0] == ("games", 0, 400) and told[-1] == ("games", 400, 400)

    def enough(part, done, all):
        if done > 0:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        azulejo.selfplay("mcts:sims=400", games=100_000, threads=1, out=tmp_path / "raised", progress=enough)
    assert 'status = "interrupted"' in (tmp_path / "raised" / "manifest.toml").read_text()
    with pytest.raises(azulejo.RunError, match="is not empty"):
        azulejo.selfplay("greedy", **settings, out=tmp_path / "whole", **QUIET)
    again = azulejo.selfplay("greedy", **settings, out=tmp_path / "whole", resume=True, **QUIET)
    assert again.data == whole.data


def test_ctrl_c_ends_a_run_and_keeps_what_was_played(tmp_path, interrupts):
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        azulejo.selfplay("greedy", games=10_000_000, out=tmp_path / "run", **QUIET)
    assert 'status = "interrupted"' in (tmp_path / "run" / "manifest.toml").read_text()
    assert sum(1 for _ in azulejo.read_records(tmp_path / "run" / "games.jsonl")) > 0


def test_parts_of_a_run_are_the_run(tmp_path):
    def place(resume):
        return {"out": tmp_path / "parts", "resume": resume, "threads": 1, "watcher": None}

    options = {"compress": True, "analysis": False, "move_limit": None}
    agents = ["random", "greedy"]
    planned = PlannedRun.tournament(_study(agents, "azul", 2, 12, 9, None, None, None, None), None, options)
    assert planned.games == 12 and planned.shard_games("2/3") == (4, 8)
    for shard in ("2/3", "1/3"):
        planned.play_shard(shard, place(False))
    planned.play(place(True))
    whole = azulejo.tournament(agents, games=12, seed=9, compress=True, out=tmp_path / "whole", **QUIET)
    assert files(tmp_path / "parts") == files(whole.out)
    with pytest.raises(azulejo.SpecError, match="shard: found '3/2', expected I/N"):
        planned.play_shard("3/2", place(False))


def test_a_study_of_balance_has_typed_results():
    found = azulejo.balance("azul", 2, games=30, set={"column_bonus": 10}, strategies=False, **QUIET)
    usual, changed = found.seats
    assert usual.agent == "greedy" and len(usual.win_shares) == 2 and usual.figures["rounds"].value >= 5
    assert "column_bonus" in changed.game and found.data["differences"]
    strategies = azulejo.balance("azul", 2, games=30, **QUIET).strategies
    assert {strategy.standing for strategy in strategies} <= {"best", "close", "behind", "last"}


TINY = {
    "generations": 1,
    "network": {"width": 16, "blocks": 1},
    "tables": [{"game": "azul", "players": 2}],
    "teacher": {"agent": "greedy", "games": 8, "steps": 4},
    "selfplay": {"games": 4, "full": 8, "cheap": 4},
    "learning": {"steps": 4, "batch": 32, "window": 2},
    "evaluation": {"every": 1, "games": 4, "agent": "sims=4", "opponents": ["random"]},
}


def test_a_network_is_trained_and_plays(tmp_path):
    told = []
    result = azulejo.train(config=TINY, seed=2, out=tmp_path / "run", progress=lambda *what: told.append(what[0]))
    assert [stage.generation for stage in result.generations] == [0, 1]
    assert 0 <= result.generations[1].win_shares["random"].value <= 1
    assert "generation 1: games" in told and "seed = 2" in result.config
    state = azulejo.Game("azul").new_initial_state()
    state.apply(state.sample_chance(seed=1))
    assert azulejo.Agent(f"neural:net={result.net},sims=8").choose(state) in state.legal_actions()
    again = azulejo.train(out=tmp_path / "run", resume=True, **QUIET)
    assert again.generations == result.generations


def test_settings_that_name_nothing_are_refused():
    for play, message in [
        (lambda: azulejo.tournament(["random", "gredy"], **QUIET), "did you mean 'greedy'"),
        (lambda: azulejo.tournament(["random"], **QUIET), "at least 2 agents"),
        (lambda: azulejo.tournament(["random", "greedy"], game="azull", **QUIET), "azul"),
        (lambda: azulejo.selfplay("random", threads=0, **QUIET), "threads: found 0"),
        (lambda: azulejo.selfplay("random", resume=True, **QUIET), "expected the directory"),
        (lambda: azulejo.train(config={"network": {"width": None}}, **QUIET), "found None"),
        (lambda: azulejo.train(config={"no_such_key": 1}, **QUIET), "no_such_key"),
    ]:
        with pytest.raises(azulejo.SpecError, match=message):
            play()
    with pytest.raises(azulejo.RunError, match="column_bonuss"):
        azulejo.balance("azul", 2, games=2, set={"column_bonuss": 1}, **QUIET)
