"""Games that many tests play."""

import random
import signal

import azulejo
import pytest

SPECS = azulejo.games()


def play(state, seed=1, game=0, plies=None):
    """Plays at random to the end, or for so many moves, and yields the state before each."""
    rng = random.Random(seed)
    while not state.is_over and (plies is None or state.plies < plies):
        yield state
        if state.is_chance:
            state.apply(state.sample_chance(seed, game))
        else:
            state.apply(rng.choice(state.legal_actions()))


def played(spec="azul", players=2, seed=1, plies=None):
    """A state after random moves."""
    state = azulejo.Game(spec, players).new_initial_state()
    for _ in play(state, seed, plies=plies):
        pass
    return state


def first_turn(spec="azul", players=2, seed=1):
    """The state at the first player's turn."""
    return played(spec, players, seed, plies=1)


@pytest.fixture(params=SPECS)
def spec(request):
    """Every named variant."""
    return request.param


@pytest.fixture
def interrupts():
    """Ctrl-C as at a terminal: a program that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
