"""Networks in PyTorch are azulejo's: the same answers, losses and files."""

import re
import subprocess
import sys
from pathlib import Path

import azulejo
import numpy as np
import pytest
from azulejo.records import training_rows
from test_networks import GAMES, positions, rows
from test_records import first

torch = pytest.importorskip("torch", reason="PyTorch is not installed: scripts/setup-pytorch does")
from azulejo.torch import Network, Rows  # noqa: E402

torch.set_num_threads(1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_heads_are_those_of_the_network(game, players):
    native, network = azulejo.Network.shipped(game), Network.shipped(game)
    states = positions(game, players)
    found, expected = network.evaluate(*states), native.evaluate(*rows(states))
    for head, own in zip(found, expected):
        np.testing.assert_allclose(head.numpy(), own, rtol=1e-5, atol=1e-5 * max(1, np.abs(own).max()))


def test_names_are_those_of_files():
    assert set(Network.untrained("azul").state_dict()) == set(azulejo.Network.untrained("azul").tensors())


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """Rows of games whose every choice is imitated."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    lines = []
    for record in first(20):
        turns = [state.turn for state, _ in record.replay()]
        found = [isinstance(turn, int) and {"values": [], "visits": [[move, 1]]} for turn, move in zip(turns, record.moves)]
        lines.append(azulejo.Record(record, analysis=[entry or None for entry in found]).to_line())
    path.write_text("".join(line + "\n" for line in lines))
    return training_rows(path)


def slow_losses(heads, arrays, chosen):
    """The losses row by row, as docs/training.md has them."""
    policy, wins, scores = [], [], []
    for at, row in enumerate(chosen):
        players = arrays["players"][row]
        begin, end = arrays["policy_starts"][row : row + 2]
        if end > begin:
            logits = np.array([
                sum(heads.part_logits[at, part].item() for part in parts if part >= 0)
                for parts in arrays["policy_parts"][begin:end]
            ])
            log_shares = logits - np.log(np.exp(logits).sum())
            policy.append(-(arrays["policy_shares"][begin:end] * log_shares).sum())
        if not np.isnan(arrays["wins"][row, 0]):
            logits = heads.win_logits[at, :players].numpy().astype(float)
            wins.append(-(arrays["wins"][row, :players] * (logits - np.log(np.exp(logits).sum()))).sum())
        if not np.isnan(arrays["points_to_come"][row, 0]):
            errors = heads.points_to_come[at, :players].numpy() - arrays["points_to_come"][row, :players]
            scores.append(((errors / 30) ** 2).mean())
    return [np.mean(terms) for terms in (policy, wins, scores)]


def test_losses_are_those_of_training(taught):
    arrays = {name: array.copy() for name, array in taught.items()}
    # Some rows teach not everything.
    arrays["wins"][5], arrays["points_to_come"][9] = np.nan, np.nan
    network, chosen = Network.untrained("azul", seed=3), np.arange(0, 400, 2)
    begin, end = (arrays["features_starts"][row] for row in (0, 400))
    heads = network(torch.from_numpy(arrays["features"][begin:end]).long(), torch.from_numpy(arrays["features_starts"][:401]))
    expected = slow_losses(type(heads)(*(head.detach()[::2] for head in heads)), arrays, chosen)
    found = Rows(arrays).losses(network, torch.from_numpy(chosen))
    assert [loss.item() for loss in found] == pytest.approx(expected, rel=1e-5)
    found.total().backward()
    assert all(parameter.grad.isfinite().all() for parameter in network.parameters())


def test_a_network_learns_rows_and_plays_them(taught, tmp_path):
    path, data, network = tmp_path / "net.safetensors", Rows(taught), Network.untrained("azul", width=32, seed=1)
    learned = torch.from_numpy(np.flatnonzero(~taught["held_out"]))
    assert 0 < len(data) - len(learned) < len(data) // 10
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    before = data.losses(network, learned)
    for rows_of_step in learned[torch.randperm(len(learned), generator=torch.Generator().manual_seed(1))].split(50) * 5:
        optimizer.zero_grad()
        data.losses(network, rows_of_step).total().backward()
        optimizer.step()
    after = data.losses(network, learned)
    assert after.policy < 0.8 * before.policy and after.wins < before.wins and after.scores < before.scores
    network.save(path, steps=60)
    state = positions("azul")[0]
    assert azulejo.Network.load(path).about["steps"] == 60
    saved, kept = Network.load(path).evaluate(state), network.evaluate(state)
    assert all(torch.equal(one, other) for one, other in zip(saved, kept))
    assert azulejo.Agent(f"neural:sims=10,net={path}").choose(state) in state.legal_actions()


def test_the_tree_searches_with_a_network_in_torch(tmp_path):
    network, path = Network.shipped("azul"), tmp_path / "net.safetensors"
    network.save(path, search={"c": 1.5, "rollout": "none", "margin": 0.0})
    bot = azulejo.Agent("neural:sims=60,batch=8", evaluator=network.evaluator())
    twin = azulejo.Agent(f"neural:sims=60,batch=8,net={path}")
    for state in positions("azul")[:3]:
        assert bot.choose(state).values == pytest.approx(twin.choose(state).values, abs=0.02)


def test_the_learning_script_learns_something_and_what_it_saves_plays(tmp_path):
    path = tmp_path / "mine.safetensors"
    script = Path(__file__).parents[1] / "examples" / "learn.py"
    options = ["--minutes", "0.1", "--games", "200", "--out", str(path)]
    done = subprocess.run([sys.executable, script, *options], capture_output=True, text=True, check=True)
    against = dict(re.findall(r"against (\w+), 200 games: ([\d.]+) ± ", done.stdout))
    assert float(against["random"]) > 60 and set(against) == {"random", "greedy"}
    assert azulejo.Network.load(path).about["search"]["margin"] == 1.0
    state = positions("azul")[0]
    assert azulejo.Agent(f"neural:sims=10,net={path}").choose(state) in state.legal_actions()
