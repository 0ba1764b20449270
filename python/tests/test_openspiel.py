"""OpenSpiel accepts the games: its own checks, its own search, its own agents."""

import azulejo
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")
pytestmark = pytest.mark.filterwarnings("default")

from azulejo import openspiel  # noqa: E402
from open_spiel.python.algorithms import mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402


@pytest.mark.parametrize("spec", ["azul", "summer-pavilion:gray", "queens-garden"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_its_own_simulations_pass(spec, players):
    pyspiel.random_sim_test(openspiel.load(spec, players), num_sims=1, serialize=True, verbose=False)


def test_it_is_loaded_by_its_name():
    game = pyspiel.load_game("python_azulejo(game=azul:gray,players=3,deals=16)")
    assert game.num_players() == 3 and game.max_chance_outcomes() == 16
    assert game.num_distinct_actions() == azulejo.Game("azul").num_actions
    with pytest.raises(azulejo.SpecError, match="deals: found 0"):
        openspiel.load(deals=0)


def to_first_turn(game):
    state = game.new_initial_state()
    state.apply_action(3)
    return state


def test_states_are_those_of_the_package():
    state = to_first_turn(openspiel.load("azul", 3, seed=8))
    own = azulejo.Game("azul", 3).new_initial_state()
    own.apply(own.sample_chance(8, 3))
    assert state.position == own and state.current_player() == own.turn
    assert state.legal_actions() == sorted(own.legal_indices())
    tokens = [state.action_to_string(state.current_player(), action) for action in state.legal_actions()]
    assert sorted(tokens) == sorted(own.legal_actions())
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.position == own and clone.position != own


def test_chance_is_a_list_of_equally_likely_deals():
    state = openspiel.load(deals=50).new_initial_state()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 50 and sum(chance for _, chance in outcomes) == pytest.approx(1)
    assert len({state.action_to_string(number) for number, _ in outcomes}) == 50


def test_observations_are_of_every_seat():
    state = to_first_turn(openspiel.load("azul", 2))
    observation = make_observation(openspiel.load("azul", 2))
    seen = []
    for seat in range(2):
        observation.set_from(state, seat)
        seen.append(observation.tensor.copy())
    viewpoint = state.position.viewpoint
    np.testing.assert_array_equal(seen[viewpoint], state.position.observation())
    assert (seen[0] != seen[1]).any()


def test_its_tree_search_beats_random_play():
    game, rng = openspiel.load("azul", 2), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice(game.deals)))
        elif state.current_player() == 0:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.returns() == [1.0, -1.0]
