"""Networks as arrays, and functions of one's own that judge for the tree search."""

import subprocess
import sys
import threading

import azulejo
import numpy as np
import pytest
from azulejo import Agent, Evaluator, Network
from azulejo.records import training_rows
from conftest import first_turn, play, played
from test_records import FILE

GAMES = ["azul", "summer-pavilion", "queens-garden"]


def rows(states):
    """The features of states one after the other, and where each one's begin."""
    features = [state.features() for state in states]
    starts = np.cumsum([0, *map(len, features)])
    return np.array(sum(features, []), np.int64), starts


def positions(spec, players=2, seed=3, every=7):
    game = azulejo.Game(spec, players).new_initial_state()
    return [state.clone() for ply, state in enumerate(play(game, seed)) if ply % every == 1]


def slow_forward(network, features):
    """The layers as docs/training.md has them, in double precision."""
    tensors = {name: array.astype(np.float64) for name, array in network.tensors().items()}
    hidden = np.maximum(tensors["features.weight"][features].sum(0) + tensors["features.bias"], 0)
    for block in range(network.blocks):
        weight, bias = tensors[f"blocks.{block}.weight"], tensors[f"blocks.{block}.bias"]
        hidden = hidden + np.maximum(hidden @ weight + bias, 0)
    heads = [tensors[f"{head}.weight"] @ hidden + tensors[f"{head}.bias"] for head in ("parts", "wins", "scores")]
    return heads[0], heads[1], 30 * heads[2]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_network_says_follows_from_its_tensors(game):
    network = Network.shipped(game)
    states = positions(game, 3)
    heads = network.evaluate(*rows(states))
    assert [head.dtype for head in heads] == [np.float32] * 3
    for row, state in enumerate(states):
        for head, expected in zip(heads, slow_forward(network, state.features())):
            np.testing.assert_allclose(head[row], expected, rtol=1e-5, atol=3e-4)


def test_tensors_have_the_names_and_shapes_of_the_page():
    game, network = azulejo.Game("azul"), Network.untrained("azul:gray", width=24, blocks=2, seed=4)
    shapes = {name: array.shape for name, array in network.tensors().items()}
    block = {"weight": (24, 24), "bias": (24,)}
    assert shapes == {
        "features.weight": (game.num_features, 24),
        "features.bias": (24,),
        **{f"blocks.{number}.{name}": shape for number in (0, 1) for name, shape in block.items()},
        "parts.weight": (game.num_parts, 24),
        "parts.bias": (game.num_parts,),
        **{f"{head}.{name}": shape for head in ("wins", "scores") for name, shape in (("weight", (4, 24)), ("bias", (4,)))},
    }
    about = network.about
    assert (about["game"], about["encoding"], network.width, network.blocks) == ("azul", game.encoding, 24, 2)


def test_a_saved_network_is_read_back_and_plays(tmp_path):
    network, path = Network.untrained("azul", width=16, seed=2), tmp_path / "net.safetensors"
    tensors = network.tensors()
    tensors["parts.bias"] += np.arange(azulejo.Game("azul").num_parts, dtype=np.float32)
    changed = network.with_tensors(tensors, steps=70, search={"margin": 1.0, "rollout": "none"})
    assert (changed.about["steps"], changed.about["search"]["margin"]) == (70, 1.0)
    changed.save(path)
    loaded = Network.load(path)
    assert loaded.about == changed.about
    assert all((loaded.tensors()[name] == array).all() for name, array in tensors.items())
    choice = Agent(f"neural:sims=20,net={path}").choose(first_turn())
    assert sum(visits for _, visits in choice.visits) > 10
    # Without search settings of its own it keeps those of its file.
    assert loaded.with_tensors(tensors, 5).about["search"] == changed.about["search"]
    assert loaded.with_tensors(tensors, 5).about["steps"] == 75


def test_what_is_no_network_is_named(tmp_path):
    network, path = Network.untrained("azul", width=16), tmp_path / "net.safetensors"
    path.write_bytes(b"nothing")
    with pytest.raises(azulejo.NetworkError, match="net.safetensors: not a weights file"):
        Network.load(path)
    with pytest.raises(azulejo.NetworkError, match="missing.safetensors"):
        Network.load("missing.safetensors")
    tensors = network.tensors()
    for change, error, message in [
        ({"parts.bias": None}, azulejo.NetworkError, "tensor 'parts.bias': it is missing"),
        ({"parts.bias": tensors["parts.bias"][1:]}, azulejo.ArrayError, "parts.bias: found shape"),
        ({"wins.bias": np.zeros(4)}, azulejo.ArrayError, "wins.bias: found dtype float64, expected .* float32"),
        ({"wins.bias": np.full(4, np.nan, np.float32)}, azulejo.NetworkError, "'wins.bias': a weight is not a finite"),
        ({"more": np.zeros(4, np.float32)}, azulejo.NetworkError, "found 11 tensors, expected 10"),
    ]:
        changed = {name: array for name, array in (tensors | change).items() if array is not None}
        with pytest.raises(error, match=message):
            network.with_tensors(changed)
    for search, message in [({"margin": 2}, "margin: found 2, expected 0 to 1"), ({"x": 1}, "unknown field `x`")]:
        with pytest.raises(azulejo.NetworkError, match=message):
            network.with_tensors(tensors, 0, search)
    with pytest.raises(azulejo.SpecError, match="width: found 0, expected 1 to 4096"):
        Network.untrained("azul", width=0)
    with pytest.raises(azulejo.SpecError, match="features: found 2435, expected 0 to 2434"):
        network.evaluate(np.array([2435]), np.array([0, 1]))
    for starts in ([0], [0, 1], [1, 2], [0, 2, 1, 2], []):
        with pytest.raises(azulejo.ArrayError, match="starts: found others, expected numbers that do not fall from 0 to 2"):
            network.evaluate(np.array([5, 6]), np.array(starts, np.int64))


def by_network(network, players, calls):
    """A function that judges as a network does, and notes how many states it was asked about."""
    game = azulejo.Game(network.game)
    table = np.full((game.num_outputs, 2), game.num_parts)
    for output in range(game.num_outputs):
        parts = game.output_parts(output)
        table[output, : len(parts)] = parts

    def judge(observations, masks):
        calls.append(len(observations))
        assert observations.shape[1] == game.num_features and masks.shape[1] == game.num_outputs
        states, features = map(np.ascontiguousarray, np.nonzero(observations))
        starts = np.searchsorted(states, np.arange(len(observations) + 1))
        part_logits, win_logits, _ = network.evaluate(features, starts)
        shares = np.exp(win_logits[:, :players] - win_logits[:, :players].max(1, keepdims=True))
        padded = np.pad(part_logits, ((0, 0), (0, 1)))
        return padded[:, table].sum(2), 2 * shares / shares.sum(1, keepdims=True) - 1

    return judge


def in_16_bits(tensors):
    """Nearly the same tensors, which lose nothing when they are rounded to 16 bits, but that blocks add nothing.

    Of each entry of the first layer the bias and the 64 largest weights together fill the range; a unit that is written in 8 bits makes
    all sums exact.
    """
    weights, bias = (tensors[f"features.{name}"].astype(float) for name in ("weight", "bias"))
    most = np.sort(abs(weights), axis=0)[-64:].sum(0) + abs(bias)
    mantissa, exponent = np.frexp(most / 32767)
    unit = np.ldexp(np.ceil(mantissa * 256) / 256, exponent)
    weights, bias = np.round(weights / unit), np.round(bias / unit)
    left = 32767 - np.sort(abs(weights), axis=0)[-64:].sum(0) - abs(bias)
    largest = abs(weights).argmax(0), np.arange(len(bias))
    weights[largest] += np.sign(weights[largest]) * left
    blocks = {name: np.zeros_like(array) for name, array in tensors.items() if name.startswith("blocks.")}
    layer = {"features.weight": weights * unit, "features.bias": bias * unit}
    return tensors | blocks | {name: array.astype(np.float32) for name, array in layer.items()}


@pytest.mark.parametrize("game", GAMES)
def test_a_search_with_a_function_is_that_with_the_network_itself(game, tmp_path):
    players, path, calls = 3, tmp_path / "net.safetensors", []
    network = Network.shipped(game)
    # The agent rounds layers to 16 bits, `evaluate` does not.
    network = network.with_tensors(in_16_bits(network.tensors()))
    network.save(path)
    limits = "sims=80,c=1.2,fpu=0.1,margin=0"
    own = Agent(f"neural:{limits}", evaluator=Evaluator(by_network(network, players, calls)))
    twin = Agent(f"neural:{limits},prior=1,rollout=none,heuristic=0,critic=none,net={path}")
    states = [state for state in positions(game, players, every=17) if isinstance(state.turn, int)][:6]
    found, expected = ([bot.choose(state) for state in states] for bot in (own, twin))
    # The last bits of logits may differ, and with them a rare visit.
    same = [one.visits == other.visits and one.values == pytest.approx(other.values, abs=1e-5) for one, other in zip(found, expected)]
    assert len(states) > 3 and sum(same) >= len(states) - 1 and set(calls) == {1}
    calls.clear()
    together = Agent(f"neural:{limits},batch=8", evaluator=own._evaluator)
    choice = together.choose(states[0])
    assert choice.nodes == 80 and np.mean(calls) > 4 and max(calls) >= 8


def uniform(state, actions="index", players=2):
    """Judges all actions and seats alike."""
    count = state.game.num_actions if actions == "index" else state.game.num_outputs
    return lambda observations, masks: (np.zeros((len(masks), count)), np.zeros((len(masks), players)))


def test_observations_and_masks_are_those_of_the_state():
    for actions in ("index", "output"):
        state, seen = first_turn(), []

        def judge(observations, masks, answer=uniform(state, actions)):
            seen.append((observations[0].copy(), masks[0].copy()))
            return answer(observations, masks)

        choice = Agent("neural:sims=30", evaluator=Evaluator(judge, actions)).choose(state)
        assert choice in state.legal_actions() and len(seen) > 10
        width = None if actions == "index" else state.game.num_features
        assert (seen[0][0] == state.observation()[:width]).all() and seen[0][0].dtype == np.uint8
        legal = state.legal_indices() if actions == "index" else state.legal_outputs()
        assert sorted(set(legal)) == np.flatnonzero(seen[0][1]).tolist()
        assert choice.values == [0.0, 0.0] and all(np.isnan(choice.leads))


def test_what_a_function_raises_is_raised_and_the_agent_lives_on():
    state, broken = first_turn(), [True]

    def judge(observations, masks):
        if broken[0]:
            raise ZeroDivisionError("of the function's own")
        return uniform(state)(observations, masks)

    agent = Agent("neural:sims=20", evaluator=Evaluator(judge, "index"))
    with pytest.raises(ZeroDivisionError, match="of the function's own"):
        agent.choose(state)
    broken[0] = False
    assert agent.choose(state) in state.legal_actions()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: None, "the evaluator returned NoneType, expected logits and values"),
        (lambda n: (np.zeros((n, 9)), np.zeros((n, 2))), r"logits: found shape \(1, 9\), expected .* shape \(1, 325\)"),
        (lambda n: (np.zeros((n, 325)), np.zeros(n)), r"values: found shape \(1,\), expected .* shape \(1, 2\)"),
        (lambda n: (np.full((n, 325), np.nan), np.zeros((n, 2))), "logits: found NaN, expected finite numbers"),
        (lambda n: (np.zeros((n, 325)), np.full((n, 2), 3)), "values: found 3, expected numbers from -1 to 1"),
    ],
)
def test_answers_of_a_function_are_checked(answer, message):
    evaluator = Evaluator(lambda observations, masks: answer(len(masks)), "index")
    with pytest.raises(azulejo.ArrayError, match=message):
        Agent("neural:sims=20", evaluator=evaluator).choose(first_turn())


def test_an_evaluator_stands_in_for_networks_alone():
    state = first_turn()
    evaluator = Evaluator(uniform(state), "index")
    with pytest.raises(azulejo.SpecError, match="found agent 'greedy' with an evaluator, expected neural"):
        Agent("greedy", evaluator=evaluator)
    with pytest.raises(azulejo.SpecError, match="'rollout': found 'none', expected none beside an evaluator"):
        Agent("neural:rollout=none", evaluator=evaluator).choose(state)
    with pytest.raises(azulejo.SpecError, match="actions: found 'x', expected index or output"):
        Agent("neural", evaluator=Evaluator(uniform(state), "x"))
    with pytest.raises(TypeError, match="found an evaluator of type int, expected a function"):
        Evaluator(3)


def test_an_evaluator_is_asked_on_the_thread_that_chooses():
    state, threads = first_turn(), set()

    def judge(observations, masks):
        threads.add(threading.get_ident())
        return uniform(state)(observations, masks)

    Agent("neural:sims=20", evaluator=Evaluator(judge, "index")).choose(state)
    assert threads == {threading.get_ident()}


def test_an_agent_with_an_evaluator_plays_in_an_environment():
    state = played()
    bot = Agent("neural:sims=4", evaluator=Evaluator(uniform(state), "index"))
    env = azulejo.gymnasium.make("azul", 2, opponents=[bot])
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert len(info["scores"]) == 2


def test_training_rows_are_those_of_the_records():
    arrays = training_rows(FILE)
    count = len(arrays["players"])
    assert count > 1000 and all(len(arrays[name]) == count for name in ("wins", "file", "game", "ply", "seat", "held_out"))
    assert (arrays["held_out"] == (arrays["game"] % 20 == 19)).all() and arrays["held_out"].dtype == np.bool_
    record = next(azulejo.read_records(FILE))
    states = [state for state, _ in record.replay()]
    for row in np.flatnonzero(arrays["game"] == record.index):
        state = states[arrays["ply"][row]]
        begin, end = arrays["features_starts"][row : row + 2]
        assert sorted(arrays["features"][begin:end]) == state.features() and arrays["seat"][row] == state.viewpoint
        around = [(state.viewpoint + step) % 2 for step in (0, 1)]
        assert arrays["wins"][row, :2].tolist() == [record.wins[seat] for seat in around]
        gained = [record.scores[seat] - state.scores[seat] for seat in around]
        assert arrays["points_to_come"][row, :2].tolist() == gained
    with pytest.raises(azulejo.SpecError, match="search_value: found 2, expected 0 to 1"):
        training_rows(FILE, search_value=2)
    with pytest.raises(azulejo.RecordError, match="missing.jsonl"):
        training_rows("missing.jsonl")


def test_torch_that_is_missing_is_named():
    hidden = "import sys; sys.modules['torch'] = None; import azulejo; azulejo.torch"
    found = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert "azulejo.torch needs PyTorch: pip install torch" in found.stderr
