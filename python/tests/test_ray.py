"""Runs on a cluster of Ray: two nodes of this machine, one of which is killed, leave the files of one run."""

import subprocess
import sys
import threading
import time

import azulejo
import pytest
from azulejo._azulejo import training_config
from azulejo.ray import Plan, play, train
from azulejo.runs import _options, _study, _toml
from test_runs import TINY, files

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'azulejo[ray]'")
pytestmark = pytest.mark.filterwarnings("default")

QUIET = {"progress": False}
PLAIN = _options(False, False, None)


@pytest.fixture(scope="module")
def cluster():
    """A head and a second node, with a core each."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def tournament(agents, games, seed, sprt=None):
    return Plan("tournament", (_study(agents, "azul", 2, games, seed, None, None, None, sprt), None, PLAIN), sprt is not None)


def test_parts_of_any_number_are_the_run(cluster, tmp_path):
    told = []
    plan = tournament(["random", "greedy"], 60, 3)
    found = play(plan, tmp_path / "ray", shards=7, progress=lambda *what: told.append(what))
    whole = azulejo.tournament(["random", "greedy"], games=60, seed=3, out=tmp_path / "whole", **QUIET)
    assert files(found.out) == files(whole.out) and found.data == whole.data
    assert told[0] == ("games", 0, 60) and told[-1] == ("games", 60, 60)
    with pytest.raises(azulejo.RunError, match="is not empty"):
        play(plan, tmp_path / "ray", **QUIET)


def test_a_driver_that_was_stopped_goes_on_where_parts_are_missing(cluster, tmp_path):
    plan, played = Plan("selfplay", (("azul", 2), ["greedy"], 40, 6, False, PLAIN)), []

    def stop(part, done, all):
        played.append(done)
        if done >= 20:
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        play(plan, tmp_path / "ray", shards=4, progress=stop)
    with pytest.raises(azulejo.RunError, match="is not empty"):
        play(plan, tmp_path / "ray", **QUIET)
    found = play(plan, tmp_path / "ray", resume=True, shards=8, progress=lambda part, done, all: played.append(done))
    assert played[-1] == 40 and played[played.index(20) + 1] >= 20, "what was there was not played again"
    whole = azulejo.selfplay("greedy", games=40, seed=6, out=tmp_path / "whole", **QUIET)
    assert files(found.out) == files(whole.out)


def test_the_number_of_parts_follows_from_the_time_that_games_take(cluster, tmp_path):
    plan = Plan("selfplay", (("azul", 2), ["greedy"], 500, 1, False, PLAIN))
    found = play(plan, tmp_path / "ray", **QUIET)
    assert found.games == 500 and len(list((tmp_path / "ray" / "shards").glob("*.jsonl"))) == 2


def test_a_sequential_test_ends_where_one_machine_ends_it(cluster, tmp_path):
    agents, sprt = ["greedy", "random"], "elo0=0,elo1=60"
    found = play(tournament(agents, 1000, 5, sprt), tmp_path / "ray", shards=25, **QUIET)
    whole = azulejo.tournament(agents, games=1000, seed=5, sprt=sprt, out=tmp_path / "whole", **QUIET)
    assert files(found.out) == files(whole.out) and found.sprt.verdict == "alternative"
    assert len(list((tmp_path / "ray" / "shards").glob("*.jsonl"))) < 25, "not all waves were sent"


def test_a_node_that_is_killed_costs_the_parts_in_flight(cluster, tmp_path):
    doomed = cluster.add_node(num_cpus=2)
    plan = Plan("selfplay", (("azul", 2), ["mcts:sims=150"], 24, 9, False, PLAIN))
    done = threading.Event()

    def kill():
        while not any(done for done in told if done > 0):
            time.sleep(0.05)
        cluster.remove_node(doomed, allow_graceful=False)
        done.set()

    told = []
    killer = threading.Thread(target=kill)
    killer.start()
    found = play(plan, tmp_path / "ray", shards=12, progress=lambda part, done, all: told.append(done))
    killer.join()
    whole = azulejo.selfplay("mcts:sims=150", games=24, seed=9, out=tmp_path / "whole", **QUIET)
    assert done.is_set() and files(found.out) == files(whole.out)


def test_a_network_that_the_cluster_plays_for_is_the_one_of_one_machine(cluster, tmp_path):
    config = training_config(_toml(TINY), None, "", 2, None, None, 4, None)
    found = train(config, tmp_path / "ray", shards=3, **QUIET)
    whole = azulejo.train(config=TINY, seed=4, out=tmp_path / "whole", **QUIET)
    assert found.generations == whole.generations
    for name in ("net.safetensors", "checkpoint.safetensors", "metrics.csv"):
        assert (found.out / name).read_bytes() == (whole.out / name).read_bytes()
    with pytest.raises(azulejo.RunError):
        train(config, tmp_path / "ray", **QUIET)


def test_the_command_line_refuses_before_anything_starts(tmp_path):
    def refused(*arguments):
        command = [sys.executable, "-m", "azulejo.ray", *arguments, "--out", str(tmp_path / "refused")]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return ended.returncode, ended.stderr

    status, error = refused("tournament", "random", "gredy")
    assert status == 1 and "did you mean 'greedy'?" in error
    assert refused("selfplay", "random", "--shards", "0") == (1, "error: --shards: found 0, expected 1 or more\n")
    assert refused("train", "--config", "absent.toml")[0] == 1
    assert not (tmp_path / "refused").exists()
