"""Games and states: what the rules say comes through, and nothing else does."""

import copy
import json
import pickle

import azulejo
import numpy as np
import pytest
from conftest import first_turn, play, played


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tokens_and_numbers_name_the_same_actions(spec, players):
    game = azulejo.Game(spec, players)
    state = game.new_initial_state()
    for state in play(state, seed=3):
        legal, numbers = state.legal_actions(), state.legal_indices()
        assert len(legal) == len(numbers) == len(set(numbers)) <= game.max_legal
        assert [game.action_token(number) for number in numbers] == legal
        assert [game.action_index(token) for token in legal] == numbers
        assert bool(legal) == (not state.is_chance) == isinstance(state.turn, int)
        assert state.is_chance == (state.turn == "chance") and state.wins is None and state.round >= 1
    assert state.is_over and state.turn == "over" and state.legal_actions() == []
    assert sum(state.wins) == pytest.approx(1.0) and len(state.scores) == players == state.players


def test_numbers_play_what_tokens_play(spec):
    state = first_turn(spec)
    for state in play(state, seed=5):
        for token, number in list(zip(state.legal_actions(), state.legal_indices()))[:20]:
            one, other = state.clone(), state.clone()
            one.apply(token)
            other.apply(np.int64(number))
            assert one == other and one.history == other.history


def test_states_come_back_from_json_pickle_and_copies(spec):
    state = azulejo.Game(spec, 3).new_initial_state()
    for state in play(state):
        read = azulejo.State.from_json(state.to_json())
        assert read == state and read.history == [] and hash(read) == hash(state)
        assert azulejo.State.from_json(json.loads(state.to_json())) == state
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state), state.clone()):
        assert again == state and again.history == state.history and again is not state
        again.undo()
        assert again != state
    assert azulejo.State.from_moves(state.game.new_initial_state().to_json(), state.history) == state


def test_undo_goes_back_move_by_move():
    state = azulejo.Game("azul").new_initial_state()
    earlier = [state.clone() for state in play(state, plies=30)]
    moves = state.history
    assert state.plies == len(earlier) == 30
    for before, move in zip(reversed(earlier), reversed(moves)):
        assert state.undo() == move and state == before
    assert state.undo() is None and state.plies == 0


def test_one_seed_deals_a_whole_game_and_another_game_differently():
    deals = [[move for move in played(seed=seed).history if move.startswith("D")] for seed in (1, 1, 2)]
    assert deals[0] == deals[1] and deals[0][0] != deals[2][0] and len(set(deals[0])) == len(deals[0])
    start = azulejo.Game("azul").new_initial_state()
    assert start.sample_chance(1, game=1) != start.sample_chance(1) == start.sample_chance(1, game=0)
    assert start.plies == 0


def test_features_have_names_and_places_tell_the_factories():
    game = azulejo.Game("azul")
    names = game.observation_names()
    assert names[: game.num_features] == game.feature_names() and len(set(names)) == game.observation_size
    for state in play(first_turn()):
        if state.is_chance:
            continue
        features, active = state.features(), state.active()
        assert features == sorted(set(features)) == [number for number in active if number < game.num_features]
        assert np.flatnonzero(state.observation()).tolist() == active
        assert np.flatnonzero(state.action_mask()).tolist() == sorted(state.legal_indices())
        told = {names[number] for number in active if number >= game.num_features}
        tiles = json.loads(state.to_json())["factories"]
        there = {
            f"factory{place}-{color}={held.count(color)}"
            for place, held in enumerate(tiles, 1)
            for color in set(held)
        }
        assert told == there


def test_outputs_have_parts(spec):
    game = azulejo.Game(spec)
    assert len(set(game.part_names())) == len(game.part_names()) == game.num_parts
    for state in play(first_turn(spec)):
        outputs = state.legal_outputs()
        assert len(outputs) == len(state.legal_actions())
        parts = [game.output_parts(output) for output in outputs]
        assert all(1 <= len(both) <= 2 and max(both) < game.num_parts for both in parts)


def test_parts_are_called_what_they_are():
    names = azulejo.Game("azul").part_names()
    for state in play(first_turn()):
        tiles = json.loads(state.to_json())
        for token, output in zip(state.legal_actions(), state.legal_outputs()):
            parts = [names[part] for part in state.game.output_parts(output)]
            if token.startswith("T"):
                assert parts == [f"tile-{token[1:]}"]
                continue
            source, color, line = int(token[0]), token[1], token[2]
            held = tiles["factories"][source - 1] if source else tiles["center"]
            rest = "".join(sorted(held.replace(color, ""), key="BYRKW".index)) or "nothing"
            count = held.count(color)
            many = f">={10}" if count >= 10 else count
            assert parts == [f"take-{many}{color}-to-{line}", f"leave-{rest}" if source else "from-center"]


def test_games_with_changed_rules_keep_them():
    game = azulejo.Game('azul:gray,rules={"column_bonus":10}', 2)
    state = game.new_initial_state()
    assert state.game == game and json.loads(state.to_json())["rules"] == {"column_bonus": 10}
    assert pickle.loads(pickle.dumps(state)).game == game == pickle.loads(pickle.dumps(game))
    assert hash(game) == hash(azulejo.Game(game.spec)) and game != azulejo.Game("azul:gray")


def test_equal_positions_of_different_games_differ():
    assert azulejo.Game("azul").new_initial_state() != azulejo.Game("azul:gray").new_initial_state()
    assert azulejo.Game("azul").new_initial_state() != azulejo.Game("azul", 3).new_initial_state()
    assert azulejo.Game("azul").new_initial_state() != azulejo.Game("queens-garden").new_initial_state()
    assert azulejo.Game("azul").new_initial_state() != 3


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (azulejo.SpecError, "did you mean 'azul'?", lambda: azulejo.Game("azule")),
        (azulejo.SpecError, "found -1", lambda: azulejo.Game("azul", -1)),
        (azulejo.SpecError, "5 players: the game seats 2, 3 or 4", lambda: azulejo.Game("azul", 5)),
        (azulejo.IllegalActionError, "'x' is not", lambda: first_turn().apply("x")),
        (azulejo.IllegalActionError, "expected 0 to 324", lambda: first_turn().apply(325)),
        (azulejo.IllegalActionError, "expected 0 to 324", lambda: first_turn().apply(-1)),
        (azulejo.IllegalActionError, "tiles are being taken", lambda: first_turn().apply(324)),
        (azulejo.IllegalActionError, "chance node", lambda: azulejo.Game("azul").new_initial_state().apply(3)),
        (azulejo.IllegalActionError, "not at a chance node", lambda: first_turn().sample_chance(1)),
        (azulejo.IllegalActionError, "over", lambda: played().apply(3)),
        (TypeError, "float", lambda: first_turn().apply(1.5)),
        (azulejo.IllegalActionError, "output 4105: expected 0 to 4104", lambda: azulejo.Game("azul").output_parts(4105)),
        (azulejo.IllegalActionError, "index -1", lambda: azulejo.Game("azul").action_token(-1)),
        (azulejo.StateError, "game: missing", lambda: azulejo.State.from_json("{}")),
        (azulejo.StateError, "EOF", lambda: azulejo.State.from_json("{")),
        (azulejo.StateError, "recursion", lambda: azulejo.State.from_json("[" * 100_000)),
        (azulejo.IllegalActionError, "at 1:", lambda: azulejo.State.from_moves(first_turn().to_json(), first_turn().legal_actions()[:1] * 2)),
        (azulejo.SpecError, "seed: found -1", lambda: azulejo.Game("azul").new_initial_state().sample_chance(-1)),
    ],
)
def test_bad_input_is_named(error, words, call):
    with pytest.raises(error, match=words.replace("?", r"\?")):
        call()


def test_what_is_refused_changes_nothing():
    state = first_turn()
    before = state.clone()
    for action in ("x", "9R4", 325, -1, 324):
        with pytest.raises(azulejo.IllegalActionError):
            state.apply(action)
    assert state == before and state.history == before.history


def test_all_refusals_are_of_one_family():
    for name in azulejo.errors.__dict__.values():
        if isinstance(name, type):
            assert issubclass(name, azulejo.AzulejoError)
