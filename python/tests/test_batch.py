"""Batches: stepping many games is stepping each, and arrays are checked."""

import os
import threading

import azulejo
import numpy as np
import pytest

ALL = [
    "observations", "active", "active_counts", "masks", "legal", "legal_counts", "rewards", "scores", "turns", "ends",
]  # fmt: skip


class Twin:
    """One game of a batch, stepped by a state: slow and obvious."""

    def __init__(self, env, game, players, place, seed, rewards):
        self.env, self.game, self.seed, self.rewarded = env, game, seed, rewards
        self.number, self.players = place, players
        self.begin()

    def begin(self):
        self.state = self.game.new_initial_state()
        self.deal()

    def deal(self):
        while self.state.is_chance:
            self.state.apply(self.state.sample_chance(self.seed, self.number))

    def step(self, action, n):
        before = self.state.scores
        self.state.apply(action)
        self.deal()
        scores, end = self.state.scores, int(self.state.is_over)
        wins = [2 * share - 1 for share in self.state.wins] if end else [0.0] * self.players
        points = [now - then for now, then in zip(scores, before)]
        if end:
            self.number += n
            self.begin()
        return wins if self.rewarded == "win" else points, scores, end


@pytest.mark.parametrize(("rewards", "threads"), [("win", 1), ("points", 3)])
@pytest.mark.parametrize("players", [2, 4])
def test_stepping_a_batch_is_stepping_each_game(spec, players, rewards, threads):
    n, seed = 5, 11
    env = azulejo.BatchEnv(spec, players, n, seed, rewards=rewards, threads=threads)
    game = azulejo.Game(spec, players)
    arrays = env.arrays(*ALL)
    env.write(**arrays)
    twins = [Twin(env, game, players, place, seed, rewards) for place in range(n)]
    actions, ended = np.zeros(n, np.int64), 0
    for _ in range(500):
        for place, twin in enumerate(twins):
            assert env.state(place) == twin.state and env.number(place) == twin.number
            row = {name: array[place] for name, array in arrays.items()}
            assert np.array_equal(row["observations"], twin.state.observation())
            assert sorted(row["active"][: row["active_counts"]]) == twin.state.active()
            assert np.array_equal(row["masks"], twin.state.action_mask())
            assert row["legal"][: row["legal_counts"]].tolist() == twin.state.legal_indices()
            assert row["turns"] == twin.state.turn
        env.sample(actions)
        env.step(actions, **arrays)
        for place, twin in enumerate(twins):
            rewarded, scores, end = twin.step(int(actions[place]), n)
            assert arrays["rewards"][place].tolist() == pytest.approx(rewarded)
            assert arrays["scores"][place].tolist() == scores and arrays["ends"][place] == end
            ended += end
    assert ended > 0


def test_outputs_number_actions_as_networks_do(spec):
    env = azulejo.BatchEnv(spec, 2, 4, 1, actions="output")
    game = azulejo.Game(spec, 2)
    assert (env.num_actions, env.observation_size) == (game.num_outputs, game.num_features)
    arrays, actions = env.arrays(*ALL), np.zeros(4, np.int64)
    for _ in range(60):
        env.write(**arrays)
        for place in range(4):
            state = env.state(place)
            assert sorted(set(state.legal_outputs())) == np.flatnonzero(arrays["masks"][place]).tolist()
            assert np.flatnonzero(arrays["observations"][place]).tolist() == state.features()
        env.sample(actions)
        before = [env.state(place) for place in range(4)]
        env.step(actions)
        for place, state in enumerate(before):
            # The first action that has the output; others come to the same.
            state.apply(state.legal_actions()[state.legal_outputs().index(actions[place])])
            if not (state.is_chance or state.is_over):
                assert env.state(place) == state


def trajectory(threads, steps=300, **settings):
    env = azulejo.BatchEnv("azul", 3, 7, 5, threads=threads, **settings)
    arrays, actions, seen = env.arrays(*ALL), np.zeros(7, np.int64), []
    for _ in range(steps):
        env.sample(actions)
        env.step(actions, **arrays)
        seen.append({name: array.copy() for name, array in arrays.items()})
    return seen


@pytest.mark.parametrize("settings", [{}, {"opponents": ["greedy", "random"]}])
def test_results_do_not_depend_on_threads(settings):
    for one, four in zip(trajectory(1, **settings), trajectory(4, **settings)):
        assert all(np.array_equal(one[name], four[name]) for name in ALL)


def test_opponents_play_as_the_program_seats_them():
    seed, n = 9, 6
    env = azulejo.BatchEnv("azul", 3, n, seed, opponents=["greedy", "random"])
    arrays, actions = env.arrays("turns", "rewards", "ends", "scores"), np.zeros(n, np.int64)
    wins, games = 0.0, 0
    for _ in range(400):
        env.write(**arrays)
        assert arrays["turns"].tolist() == [env.number(place) % 3 for place in range(n)]
        numbers = [env.number(place) for place in range(n)]
        env.sample(actions)
        env.step(actions, **arrays)
        for place in np.flatnonzero(arrays["ends"]):
            assert env.number(place) == numbers[place] + n
            greedy = (numbers[place] + 1) % 3
            wins += (arrays["rewards"][place][greedy] + 1) / 2
            games += 1
    assert games > 20 and wins / games > 0.8, "greedy sits to the left of the caller and beats two that play at random"


def test_a_fixed_seat_and_seats_that_the_caller_plays_too():
    env = azulejo.BatchEnv("azul", 3, 4, 1, opponents=["greedy", None], seat=2)
    arrays, actions, seats = env.arrays("turns"), np.zeros(4, np.int64), set()
    for _ in range(100):
        env.sample(actions)
        env.step(actions, **arrays)
        seats.update(arrays["turns"].tolist())
    assert seats == {1, 2}, "the agent to the left of seat 2 is at seat 0"


def test_a_seed_makes_the_same_games_again():
    first, again = azulejo.BatchEnv("azul", 2, 3, 4), azulejo.BatchEnv("azul", 2, 3, 8)
    again.reset(4)
    actions = np.zeros(3, np.int64)
    for _ in range(200):
        first.sample(actions)
        first.step(actions)
        again.step(actions)
        assert all(first.state(place) == again.state(place) for place in range(3))
    again.reset()
    assert again.state(0) == azulejo.BatchEnv("azul", 2, 1, 4).state(0)
    with pytest.raises(azulejo.SpecError, match="seed: found -1"):
        azulejo.BatchEnv("azul").reset(-1)
    first.reset(8)
    assert first.state(0) == azulejo.BatchEnv("azul", 2, 1, 8).state(0) != again.state(0)


def test_an_illegal_action_plays_nothing():
    env = azulejo.BatchEnv("azul", 2, 3, 1, threads=2)
    actions = np.zeros(3, np.int64)
    env.sample(actions)
    before = [env.state(place) for place in range(3)]
    for wrong in (-1, 325, 324, 2**62):
        bad = actions.copy()
        bad[1] = wrong
        with pytest.raises(azulejo.IllegalActionError, match=f"game 1: action index {wrong}"):
            env.step(bad)
        assert [env.state(place) for place in range(3)] == before
    env.step(actions)
    env.sample(actions)
    env.step(actions.astype(np.int32))


def test_a_drawn_action_is_checked_from_the_next_step_on():
    drawing, plain = (azulejo.BatchEnv("azul", 2, 4, 1) for _ in range(2))
    actions, refused = np.zeros(4, np.int64), 0
    for _ in range(40):
        drawing.sample(actions)
        for env in (drawing, plain):
            env.step(actions)
        said = []
        for env in (drawing, plain):
            try:
                env.step(actions)
                said.append("played")
            except azulejo.IllegalActionError as error:
                said.append(str(error))
        assert said[0] == said[1]
        refused += said[0] != "played"
    drawing.sample(actions)
    drawing.reset(2)
    with pytest.raises(azulejo.IllegalActionError):
        drawing.step(actions)
    assert refused > 0


def wrong_arrays():
    width = azulejo.BatchEnv("azul", 2, 1).observation_size
    yield "observations", np.zeros((3, width), np.float32), "dtype float32"
    yield "observations", np.zeros((3, width - 1), np.uint8), rf"shape \(3, {width - 1}\)"
    yield "observations", np.zeros(3 * width, np.uint8), "shape"
    yield "observations", np.zeros((3, 2 * width), np.uint8)[:, ::2], "not contiguous"
    yield "observations", np.asfortranarray(np.zeros((3, width), np.uint8)), "not contiguous"
    yield "observations", [[0] * width] * 3, "found list"
    yield "masks", np.zeros((3, 325), np.int64), "dtype int64"
    yield "rewards", np.zeros((3, 2), np.float64), "dtype float64"
    yield "rewards", np.zeros((3, 2), ">f4"), "dtype >f4"
    yield "turns", np.zeros((3, 1), np.int8), "shape"
    yield "reward", np.zeros((3, 2), np.float32), "did you mean 'rewards'"
    read_only = np.zeros(3, np.uint8)
    read_only.flags.writeable = False
    yield "ends", read_only, "ends: "


@pytest.mark.parametrize(("name", "array", "words"), list(wrong_arrays()))
def test_wrong_arrays_are_named(name, array, words):
    env = azulejo.BatchEnv("azul", 2, 3)
    before, actions = env.state(0), np.zeros(3, np.int64)
    env.sample(actions)
    with pytest.raises(azulejo.ArrayError, match=words) as error:
        env.step(actions, **{name: array})
    assert name in str(error.value) and env.state(0) == before


@pytest.mark.parametrize(
    "actions",
    [np.zeros(3), np.zeros(4, np.int64), np.zeros((3, 1), np.int64), np.zeros(6, np.int64)[::2], [0, 0, 0], None],
)
def test_wrong_actions_are_named(actions):
    with pytest.raises(azulejo.ArrayError, match="actions: found"):
        azulejo.BatchEnv("azul", 2, 3).step(actions)


def test_one_array_cannot_be_two_outputs():
    env, same = azulejo.BatchEnv("azul", 2, 3), np.zeros(3, np.int32)
    with pytest.raises(azulejo.ArrayError, match="already borrowed"):
        env.write(active_counts=same, legal_counts=same)


def test_truths_and_signed_bytes_are_written_too():
    env = azulejo.BatchEnv("azul", 2, 3)
    masks = {kind: np.zeros((3, 325), kind) for kind in (np.uint8, np.int8, bool)}
    for mask in masks.values():
        env.write(masks=mask, ends=np.ones(3, bool))
    assert all(np.array_equal(mask, masks[np.uint8]) for mask in masks.values()) and masks[bool].any()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n": 0}, "n: found 0"),
        ({"n": -3}, "n: found -3"),
        ({"threads": 0}, "threads: found 0"),
        ({"actions": "token"}, "actions: found 'token', expected index or output"),
        ({"rewards": "lead"}, "expected win or points"),
        ({"opponents": ["greedy", "greedy"]}, "opponents: found 2, expected 1 for 2 players"),
        ({"opponents": ["gredy"]}, "did you mean 'greedy'"),
        ({"opponents": ["neural:net=nothing.safetensors"]}, "nothing.safetensors"),
        ({"seat": 2}, "seat: found 2, expected 0 to 1"),
        ({"players": 5}, "5 players"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(azulejo.SpecError, match=words):
        azulejo.BatchEnv("azul", **settings)


def test_an_opponent_that_fails_is_named_and_the_games_can_be_reset():
    with pytest.raises(azulejo.AgentError, match="game 0: the agent at seat 0"):
        azulejo.BatchEnv("azul", 2, 1, opponents=["exec:cmd=false"], seat=1)


def test_two_threads_are_told_apart():
    env = azulejo.BatchEnv("azul", 2, 4096, threads=1)
    arrays, errors, done = env.arrays(), [], threading.Event()

    def write():
        own = env.arrays()
        while not done.is_set():
            try:
                env.write(**own)
            except azulejo.BusyError as error:
                errors.append(error)
                done.set()

    other = threading.Thread(target=write)
    other.start()
    for _ in range(2000):
        if done.is_set():
            break
        try:
            env.write(**arrays)
        except azulejo.BusyError as error:
            errors.append(error)
            done.set()
    done.set()
    other.join()
    assert errors and "another thread" in str(errors[0])


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_threads_do_not_survive_a_fork():
    env, alone = azulejo.BatchEnv("azul", 2, 8, threads=2), azulejo.BatchEnv("azul", 2, 8)
    child = os.fork()
    if child == 0:
        alone.reset(1)
        try:
            env.reset(1)
        except azulejo.BusyError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    env.reset(1)
