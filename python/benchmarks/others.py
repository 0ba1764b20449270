"""Steps a second of games that others have, and of azulejo's, on one core, in one run and in turns.

    pip install pgx 'pettingzoo[classic]'
    python python/benchmarks/others.py [--n 512] [--seconds 1.0] [--repeats 3]

Random legal actions, observations and masks with each step, processor time. The games are not alike: a move of connect four is
far less than one of Azul, and pgx is made for accelerators, which are not asked here. Rows are medians.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import statistics

import azulejo
import numpy as np
from speed import batched, pettingzoo, rate

POOL = ["connect_four_v3", "tictactoe_v3", "chess_v6", "texas_holdem_v4"]
JITTED = ["connect_four", "backgammon", "go_9x9", "chess"]


def aec(name):
    """The loop of PettingZoo's page over one of its own games."""
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    rng = random.Random(1)

    def round_() -> int:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += not done
        return steps

    return round_


def jitted(name, n):
    """A compiled step of n games of pgx, which draws legal actions, plays them, and begins anew where a game has ended."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def advance(state, key):
        logits = np.log(1e-30) * ~state.legal_action_mask
        drawn, following = jax.random.split(key)
        actions = jax.random.categorical(drawn, logits, axis=-1)
        keys = jax.random.split(following, n)
        return jax.vmap(step)(state, actions, keys)

    advance = jax.jit(advance)
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))
    state = advance(state, key)
    state.observation.block_until_ready()

    def round_() -> int:
        nonlocal state, key
        for _ in range(10):
            key, drawn = jax.random.split(key)
            state = advance(state, drawn)
        state.observation.block_until_ready()
        return 10 * n

    return round_


def attempt(make, *arguments):
    """A round, or why there is none."""
    try:
        return make(*arguments)
    except Exception as error:  # whatever others raise where a part of theirs is missing
        return f"{type(error).__name__}: {error}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Steps a second on one core, of others' games and azulejo's.")
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--repeats", type=int, default=3)
    settings = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    usual = ("observations", "masks", "rewards", "turns", "ends")
    rounds = {}
    for game in ("azul", "summer-pavilion", "queens-garden"):
        table = argparse.Namespace(game=game, players=2, n=settings.n)
        rounds[f"azulejo BatchEnv: {game}"] = batched(table, usual, "inside")
        rounds[f"azulejo AEC: {game}"] = pettingzoo(table)
    rounds |= {f"PettingZoo AEC: {name}": attempt(aec, name) for name in POOL}
    rounds |= {f"pgx, compiled: {name}": attempt(jitted, name, settings.n) for name in JITTED}
    rates: dict[str, list[float]] = {name: [] for name, round_ in rounds.items() if callable(round_)}
    for _ in range(settings.repeats):
        for name, found in rates.items():
            found.append(rate(rounds[name], settings.seconds))
    print(f"two players, n = {settings.n} in batches, steps a second of processor time, azulejo {azulejo.__version__}")
    for name, round_ in rounds.items():
        print(f"{name:35} {statistics.median(rates[name]):12,.0f}" if callable(round_) else f"{name:35} {round_}")


if __name__ == "__main__":
    main()
