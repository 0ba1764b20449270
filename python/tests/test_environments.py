"""The environments of PettingZoo and Gymnasium: their own tests, and ours."""

import json
import pickle
import random

import azulejo
import numpy as np
import pytest
from conftest import first_turn, play
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

GAMES = ["azul", "summer-pavilion", "queens-garden"]
SETTINGS = [{}, {"actions": "output", "rewards": "points"}]

# PettingZoo's tests say the first two of every observation that is a dictionary, as those of its own classic games are;
# Gymnasium's the third of every environment that its registry does not have.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*environment not having a spec:UserWarning"),
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_tests_pass(game, players, settings):
    api_test(azulejo.pettingzoo.env(game, players, **settings), num_cycles=200)
    seed_test(lambda: azulejo.pettingzoo.env(game, players, **settings), num_cycles=50)


def test_pettingzoos_tests_of_parallel_environments_and_pictures_pass():
    parallel_api_test(azulejo.pettingzoo.parallel_env("azul", 3), num_cycles=100)
    render_test(lambda render_mode=None: azulejo.pettingzoo.env("azul", render_mode=render_mode))


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_test_passes(game, players, settings):
    env = azulejo.gymnasium.make(game, players, opponents=["greedy"] * (players - 1), **settings)
    check_env(env, skip_render_check=False)


def test_environments_come_back_from_pickle():
    aec = pickle.loads(pickle.dumps(azulejo.pettingzoo.env("azul", 3).unwrapped))
    assert aec.possible_agents == ["player_0", "player_1", "player_2"]
    aec.reset(seed=np.int64(4))
    env = azulejo.gymnasium.make("azul", 2, "greedy")
    env.reset(seed=4)
    again = pickle.loads(pickle.dumps(env))
    assert again.table.state == env.table.state
    action = int(np.flatnonzero(env.action_masks())[0])
    for first, second in zip(env.step(action)[1:], again.step(action)[1:]):
        assert first == second


@pytest.mark.parametrize("rewards", ["win", "points"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_aec_game_is_the_game_of_its_seed(players, rewards):
    env, rng = azulejo.pettingzoo.env("azul", players, rewards=rewards), random.Random(1)
    for number in range(3):
        env.reset(seed=5 if number == 0 else None)
        twin, totals = azulejo.Game("azul", players).new_initial_state(), [0.0] * players
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            while twin.is_chance:
                twin.apply(twin.sample_chance(5, number))
            assert agent == f"player_{twin.turn}"
            assert np.array_equal(seen["observation"], twin.observation())
            assert np.array_equal(seen["action_mask"], twin.action_mask())
            action = rng.choice(twin.legal_indices())
            twin.apply(action)
            env.step(action)
            totals = [total + reward for total, reward in zip(totals, env.rewards.values())]
        expected = twin.scores if rewards == "points" else [2 * share - 1 for share in twin.wins]
        assert twin.is_over and totals == pytest.approx(expected)


def test_what_others_see_is_turned_to_their_seat(spec):
    env = azulejo.pettingzoo.env(spec, 3).unwrapped
    env.reset(seed=2)
    names = env.table.game.observation_names()
    for _ in range(60):
        seats = json.loads(env.table.state.to_json())
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            told = {names[number] for number in np.flatnonzero(seen["observation"])}
            for place in range(3):
                score = max(seats["boards"][(seat + place) % 3]["score"], 0)
                low = min(score // 5, 31) * 5
                assert any(name.startswith(f"seat+{place}.score") and str(low) in name for name in told)
            assert f"start=+{(seats['start'] - seat) % 3}" in told
            assert seen["action_mask"].any() == (agent == env.agent_selection)
        env.step(int(np.flatnonzero(env.action_masks())[0]))
        if env.table.is_over:
            break


@pytest.mark.parametrize("players", [2, 3])
def test_opponents_are_specs_agents_and_functions(players):
    asked = []

    def first(state):
        asked.append(state.turn)
        return state.legal_indices()[0] if len(asked) % 2 else state.legal_actions()[0]

    for opponents in ("random", "greedy", azulejo.Agent("mcts:sims=5"), first, [first] * (players - 1)):
        env = azulejo.gymnasium.make("azul", players, opponents)
        for number in range(players):
            _, info = env.reset(seed=1 if number == 0 else None)
            assert info["seat"] == number
            done = False
            while not done:
                assert env.table.state.turn == number
                action = int(np.flatnonzero(env.action_masks())[0])
                _, reward, done, cut_off, info = env.step(action)
                assert not cut_off
            assert reward == pytest.approx(2 * info["wins"][number] - 1) and not info["forfeited"]
    assert set(asked) == set(range(players))


def test_the_better_agent_wins():
    env = azulejo.gymnasium.make("azul", 2, "random")
    bot, wins = azulejo.Agent("greedy"), 0.0
    env.reset(seed=3)
    for _ in range(30):
        env.reset()
        done = False
        while not done:
            _, reward, done, _, _ = env.step(bot.choose(env.table.state).number)
        wins += (reward + 1) / 2
    assert wins > 25


def test_an_illegal_action_forfeits_or_is_raised():
    env = azulejo.gymnasium.make("azul", 3, "greedy", seat=0)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(324)
    assert (reward, terminated, truncated, info["forfeited"]) == (-1.0, True, False, True)
    assert info["wins"] == [0.0, 0.5, 0.5] and not env.action_masks().any()
    env = azulejo.gymnasium.make("azul", 2, "greedy", illegal="raise")
    env.reset(seed=1)
    for action, words in [(324, "tiles are being taken"), (325, "index 325: expected 0 to 324")]:
        with pytest.raises(azulejo.IllegalActionError, match=words):
            env.step(action)
    env = azulejo.gymnasium.make("azul", 2, "greedy", illegal="raise", actions="output")
    env.reset(seed=1)
    for action in (-1, 4104, 4105):
        with pytest.raises(azulejo.IllegalActionError, match=f"output {action}: no legal action has it"):
            env.step(action)
    aec = azulejo.pettingzoo.env("azul", 2)
    aec.reset(seed=1)
    aec.step(324)
    assert aec.rewards == {"player_0": -1.0, "player_1": 1.0} and all(aec.terminations.values())


def test_what_cannot_be_used_is_named():
    for settings, words in [
        ({"opponents": ["greedy"] * 2}, "opponents: found 2, expected 1"),
        ({"opponents": ["gredy"]}, "did you mean 'greedy'"),
        ({"seat": 2}, "seat: found 2, expected 0 to 1"),
        ({"rewards": "lead"}, "expected win or points"),
        ({"actions": "x"}, "expected index or output"),
        ({"illegal": "x"}, "expected lose or raise"),
    ]:
        with pytest.raises(azulejo.SpecError, match=words):
            azulejo.gymnasium.make("azul", 2, **settings)
    with pytest.raises(TypeError, match="found an agent of type int"):
        azulejo.gymnasium.make("azul", 2, [3])
    cheat = azulejo.gymnasium.make("azul", 2, lambda state: "T55", seat=1)
    with pytest.raises(azulejo.AgentError, match="'T55', which is not legal"):
        cheat.reset(seed=1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_pictures_have_one_size_and_show_the_text(game, players):
    env = azulejo.pettingzoo.env(game, players, render_mode="rgb_array")
    env.reset(seed=1)
    states = list(state.clone() for state in play(first_turn(game, players)))
    sizes = {azulejo.render.picture(str(state)).shape for state in states[::10]}
    assert len(sizes) == 1
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape in sizes and picture.std() > 5
    text = azulejo.gymnasium.make(game, players, render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == str(text.table.state)
