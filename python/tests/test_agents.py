"""Agents: what they choose, what they have found, and how they fail."""

import _thread
import pickle
import threading
import time

import azulejo
import pytest
from conftest import first_turn, play, played


@pytest.mark.parametrize("agent", ["random", "greedy", "mcts:sims=40", "minimax:nodes=200", "neural:sims=20"])
@pytest.mark.parametrize("game", ["azul", "summer-pavilion", "queens-garden"])
def test_every_agent_chooses_legal_actions(agent, game):
    bot, state = azulejo.Agent(agent), first_turn(game, 3)
    for _ in range(12):
        if state.is_chance:
            state.apply(state.sample_chance(1))
            continue
        choice = bot.choose(state)
        assert choice in state.legal_actions() and choice == choice.action and type(choice.action) is str
        assert choice.number == state.game.action_index(choice)
        state.apply(choice)


def test_a_choice_tells_what_was_found():
    state = first_turn()
    choice = azulejo.Agent("mcts:sims=300").choose(state)
    assert choice.nodes == 300 and 250 < sum(visits for _, visits in choice.visits) <= 300
    candidates = [token for token, _ in choice.visits]
    assert choice == choice.line[0] == candidates[0] and set(candidates) <= set(state.legal_actions())
    assert [visits for _, visits in choice.visits] == sorted((v for _, v in choice.visits), reverse=True)
    assert len(choice.values) == 2 and all(-1 <= value <= 1 for value in choice.values)
    assert choice.depth >= 1 and choice.seconds > 0
    follow = state.clone()
    for token in choice.line:
        follow.apply(token)
    plain = azulejo.Agent("greedy").choose(state)
    assert (plain.values, plain.visits, plain.line, plain.nodes, plain.depth) == (None, [], [], 0, None)


def test_candidates_are_as_many_as_asked_for_with_what_can_be_expected():
    state = first_turn()
    choice = azulejo.Agent("mcts:sims=300").choose(state, candidates=3)
    assert [candidate.action for candidate in choice.candidates] == [token for token, _ in choice.visits[:3]]
    assert [candidate.visits for candidate in choice.candidates] == [visits for _, visits in choice.visits[:3]]
    for candidate in choice.candidates:
        assert 0 <= candidate.win <= 1 and abs(candidate.lead) < 200 and candidate.line[0] == candidate.action
    assert choice.candidates[0].line == choice.line
    assert sum(choice.wins) == pytest.approx(1, abs=1e-4) and len(choice.leads) == 2
    plain = azulejo.Agent("greedy").choose(state, candidates=3)
    assert (plain.candidates, plain.wins, plain.leads) == ([], [], [])


def test_limits_take_the_place_of_the_agents_own():
    bot, state = azulejo.Agent("mcts:sims=100000000"), first_turn()
    assert bot.choose(state, nodes=50).nodes == 50
    begin = time.monotonic()
    assert bot.choose(state, seconds=0.05).nodes > 0
    assert time.monotonic() - begin < 5
    with pytest.raises(azulejo.SpecError, match="seconds"):
        bot.choose(state, seconds=-1)


def test_the_same_seed_makes_the_same_choices():
    states = [state.clone() for state in play(first_turn(), plies=25) if not state.is_chance]
    bots = [azulejo.Agent("mcts:sims=60", seed=seed) for seed in (3, 3, 4)]
    first, again, other = ([bot.choose(state).visits for state in states] for bot in bots)
    assert first == again != other


def test_one_agent_is_asked_about_any_game():
    bot = azulejo.Agent("mcts:sims=20")
    for game in ("azul", "queens-garden", "azul:gray", "summer-pavilion", "azul"):
        state = azulejo.Game(game, 2).new_initial_state()
        while state.is_chance:
            state.apply(state.sample_chance(1))
        assert bot.choose(state) in state.legal_actions()


def test_agents_have_names_and_come_back_from_pickle():
    bot = azulejo.Agent("mcts:sims=30,name=Bob", seed=5)
    again = pickle.loads(pickle.dumps(bot))
    assert (bot.name, bot.spec, repr(again)) == ("Bob", "mcts:sims=30,name=Bob", repr(bot))
    assert again.choose(first_turn()).visits == bot.choose(first_turn()).visits
    assert {"random", "greedy", "mcts", "minimax", "neural"} <= {name for name, _ in azulejo.agents()}


def test_what_fails_is_named():
    with pytest.raises(azulejo.SpecError, match="did you mean 'sims'"):
        azulejo.Agent("mcts:sim=3")
    with pytest.raises(azulejo.SpecError, match="nothing.safetensors"):
        azulejo.Agent("neural:net=nothing.safetensors").choose(first_turn())
    for state in (azulejo.Game("azul").new_initial_state(), played()):
        for bot in ("greedy", "mcts:sims=10"):
            with pytest.raises(azulejo.AgentError, match="no player is to move"):
                azulejo.Agent(bot).choose(state)


def test_ctrl_c_ends_a_search(interrupts):
    bot, state = azulejo.Agent("mcts:sims=1000000000000,memory=4096"), first_turn()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        bot.choose(state)
    assert time.monotonic() - begin < 5
    assert bot.choose(state, nodes=10) in state.legal_actions()


def test_python_runs_while_an_agent_thinks_and_an_agent_thinks_once_at_a_time():
    bot, state, counted = azulejo.Agent("mcts"), first_turn(), []
    thinking = threading.Thread(target=lambda: counted.append(bot.choose(state, seconds=0.4)))
    thinking.start()
    time.sleep(0.1)
    turns = 0
    with pytest.raises(azulejo.BusyError, match="another thread"):
        bot.choose(state)
    while thinking.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 20 and counted[0] in state.legal_actions()
