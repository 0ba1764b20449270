"""Steps a second on one core: batched, as others batch, one game at a time, and as the program's benchmark plays.

    python python/benchmarks/speed.py [--game azul] [--players 2] [--n 512] [--seconds 1.0] [--repeats 5]

All are measured in one run and in turns, in processor time of this one process, so that what else the machine does counts for
all alike. An environment step is one action of one player; chance is part of it. Rows are the median of the repeats, with the
lowest and the highest.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import azulejo
import numpy as np


def batched(settings, names, pick):
    """A round of a BatchEnv with these arrays, whose actions are drawn inside or by NumPy from the masks."""
    env = azulejo.BatchEnv(settings.game, settings.players, settings.n, seed=1)
    arrays = env.arrays(*names) if names else {}
    env.reset(1, **arrays)
    actions, rng = np.zeros(settings.n, np.int64), np.random.default_rng(1)

    def round_() -> int:
        for _ in range(20):
            if pick == "inside":
                env.sample(actions)
            else:
                actions[:] = (rng.random(arrays["masks"].shape, np.float32) * arrays["masks"]).argmax(axis=1)
            env.step(actions, **arrays)
        return 20 * settings.n

    return round_


def functional(settings):
    """As pgx batches: every step makes a new state, a structure of new arrays, from the one before."""
    env = azulejo.BatchEnv(settings.game, settings.players, settings.n, seed=1)
    rng = np.random.default_rng(1)

    def step(actions):
        arrays = env.arrays()
        env.step(actions, **arrays)
        return arrays

    state = env.arrays()
    env.write(**state)

    def round_() -> int:
        nonlocal state
        for _ in range(20):
            noise = rng.random(state["masks"].shape, np.float32)
            state = step((noise * state["masks"]).argmax(axis=1))
        return 20 * settings.n

    return round_


def single(settings):
    """One State, stepped from Python by numbers."""
    rng = random.Random(1)

    def round_() -> int:
        state, steps = azulejo.Game(settings.game, settings.players).new_initial_state(), 0
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(1))
            else:
                state.apply(rng.choice(state.legal_indices()))
                steps += 1
        return steps

    return round_


def pettingzoo(settings):
    """PettingZoo's own loop, with observations and masks."""
    env = azulejo.pettingzoo.env(settings.game, settings.players)
    env.reset(seed=1)
    rng = random.Random(1)

    def round_() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += not done
        return steps

    return round_


def program(settings):
    """Random games as `azulejo bench --filter random` plays them: no arrays, no numbers, no Python."""
    return lambda: azulejo._azulejo.random_games(settings.game, settings.players, 100)


def rate(round_: Callable[[], int], seconds: float) -> float:
    begin, steps = time.process_time(), 0
    while (spent := time.process_time() - begin) < seconds:
        steps += round_()
    return steps / spent


def main() -> None:
    parser = argparse.ArgumentParser(description="Steps a second on one core.")
    parser.add_argument("--game", default="azul")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--repeats", type=int, default=5)
    settings = parser.parse_args()
    usual = ("observations", "masks", "rewards", "turns", "ends")
    rounds = {
        "program: bench random": program(settings),
        "BatchEnv, no arrays": batched(settings, (), "inside"),
        "BatchEnv, rewards turns ends": batched(settings, ("rewards", "turns", "ends"), "inside"),
        "BatchEnv, observations rewards turns ends": batched(
            settings, ("observations", "rewards", "turns", "ends"), "inside"
        ),
        "BatchEnv, active numbers, legal lists": batched(
            settings, ("active", "active_counts", "legal", "legal_counts", "rewards", "turns", "ends"), "inside"
        ),
        "BatchEnv, observations masks rewards turns ends": batched(settings, usual, "inside"),
        "the same, actions by NumPy": batched(settings, usual, "numpy"),
        "as pgx: new arrays each step, actions by NumPy": functional(settings),
        "State, one game": single(settings),
        "as PettingZoo: AEC loop, one game": pettingzoo(settings),
    }
    rates: dict[str, list[float]] = {name: [] for name in rounds}
    for _ in range(settings.repeats):
        for name, round_ in rounds.items():
            rates[name].append(rate(round_, settings.seconds))
    whole = statistics.median(rates["program: bench random"])
    print(f"{settings.game}, {settings.players} players, n = {settings.n}, steps a second of processor time")
    print(f"{'':50} {'median':>12} {'lowest':>12} {'highest':>12}  of bench random")
    for name, found in rates.items():
        median = statistics.median(found)
        print(f"{name:50} {median:12,.0f} {min(found):12,.0f} {max(found):12,.0f}  {median / whole:6.1%}")


if __name__ == "__main__":
    main()
