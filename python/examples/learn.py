"""Learns to play Azul for two from nothing but games against itself, on one core, and plays what it has learned.

    python learn.py --minutes 30 --out mine.safetensors

PPO (Schulman et al. 2017) with generalized advantage estimation on a `BatchEnv`, whose observations are lists of active
features and whose actions are outputs. What is maximized is the lead in points. The network is one that azulejo's own
search plays: `Agent("neural:net=mine.safetensors")`.
"""

import argparse
import time

import azulejo
import numpy as np
import torch
from azulejo.torch import Network

GAMES, STEPS, EPOCHS, BATCH = 256, 64, 2, 2048
LAMBDA, CLIP, ENTROPY = 0.9, 0.2, 0.01
NAMES = ("active", "active_counts", "legal", "legal_counts", "turns")


def observe(arrays, rows=slice(None)):
    """The active features of some games one after the other, where each game's begin, and the legal actions."""
    active, counts = arrays["active"][rows], arrays["active_counts"][rows]
    features = active[np.arange(active.shape[1]) < counts[:, None]]
    starts = np.concatenate([[0], counts.cumsum()])
    most = arrays["legal_counts"][rows].max()
    legal, fits = arrays["legal"][rows, :most], np.arange(most) < arrays["legal_counts"][rows, None]
    tensors = (features.astype(np.int64), starts, np.where(fits, legal, 0).astype(np.int64), fits)
    return [torch.from_numpy(tensor) for tensor in tensors]


def judge(network, arrays, rows=slice(None)):
    """The log probabilities of the legal actions, and the lead that the player to move expects, as a share of 30."""
    features, starts, legal, fits = observe(arrays, rows)
    heads = network(features, starts)
    logits = network.logits(heads.part_logits, legal).masked_fill(~fits, -1e9)
    return logits.log_softmax(1), (heads.points_to_come[:, 0] - heads.points_to_come[:, 1]) / 30


class Player:
    """Plays games in step with a network, by chance or the best action."""

    def __init__(self, network, env, seed):
        self.network, self.env = network, env
        self.arrays = env.arrays(*NAMES, "rewards", "scores", "ends")
        env.reset(seed=seed, **self.arrays)

    @torch.no_grad()
    def step(self, greedily=False):
        """Plays an action in each game; returns what was seen, chosen and gained."""
        seen = {name: self.arrays[name].copy() for name in NAMES}
        policy, lead = judge(self.network, seen)
        choice = policy.argmax(1) if greedily else policy.exp().multinomial(1)[:, 0]
        actions = np.take_along_axis(seen["legal"], choice.numpy()[:, None], 1)[:, 0]
        self.env.step(actions, **self.arrays)
        rewards = self.arrays["rewards"]
        return seen | {
            "choice": choice.numpy(),
            "before": policy.gather(1, choice[:, None])[:, 0].numpy(),
            "side": np.where(seen["turns"] == 0, 1.0, -1.0).astype(np.float32),
            "lead": lead.numpy(),
            "reward": (rewards[:, 0] - rewards[:, 1]) / 30,
            "goes_on": self.arrays["ends"] == 0,
        }


def advantages(steps, last):
    """Adds the advantages of the actions and the leads to be learned: all from the point of view of who moved."""
    following, advantage = last, np.zeros_like(last)
    for step in reversed(steps):
        lead, goes_on = step["side"] * step["lead"], step["goes_on"]
        delta = step["reward"] + goes_on * following - lead
        advantage = delta + LAMBDA * goes_on * advantage
        step["advantage"], step["target"] = step["side"] * advantage, step["side"] * (lead + advantage)
        following = lead


def learn(network, optimizer, steps):
    """Improves the network by what was played."""
    seen = {name: np.concatenate([step[name] for step in steps]) for name in steps[0]}
    count = len(seen["choice"])
    for order in (np.random.permutation(count) for _ in range(EPOCHS)):
        for rows in np.array_split(order, count // BATCH):
            policy, lead = judge(network, seen, rows)
            choice, before, advantage, target = (
                torch.from_numpy(seen[name][rows]) for name in ("choice", "before", "advantage", "target")
            )
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
            ratio = (policy.gather(1, choice[:, None])[:, 0] - before).exp()
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            entropy = -(policy.exp() * policy).sum(1).mean()
            loss = (lead - target).square().mean() - gain - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
    return entropy.item()


def measure(network, opponent, games, seed):
    """The share of the win against an opponent with half its 95 % interval, and the mean lead: the best action, no search."""
    env = azulejo.BatchEnv("azul", 2, min(games, 500), seed, opponents=opponent, actions="output")
    player, shares = Player(network, env, seed), []
    # Each place plays as many games: those that end soonest would not be a fair sample.
    played, most = np.zeros(env.n, int), games // env.n
    while (played < most).any():
        player.step(greedily=True)
        for place in np.flatnonzero((player.arrays["ends"] != 0) & (played < most)):
            played[place] += 1
            seat = (place + env.n * (played[place] - 1)) % 2
            shares.append((player.arrays["rewards"][place][seat] + 1) / 2)
    return 100 * np.mean(shares), 196 * np.std(shares) / np.sqrt(len(shares))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--out", default="mine.safetensors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=4000, help="games of the last measurement")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    network = Network.untrained("azul", width=128, blocks=1, seed=options.seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    env = azulejo.BatchEnv("azul", 2, GAMES, options.seed, actions="output", rewards="points")
    player, begin, rounds = Player(network, env, options.seed), time.monotonic(), 0
    while (spent := (time.monotonic() - begin) / (60 * options.minutes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * (1 - spent) + 1e-5
        steps = [player.step() for _ in range(STEPS)]
        with torch.no_grad():
            last = judge(network, player.arrays)[1].numpy() * np.where(player.arrays["turns"] == 0, 1, -1)
        advantages(steps, last.astype(np.float32))
        entropy = learn(network, optimizer, steps)
        rounds += 1
        if rounds % 100 == 0:
            against = [measure(network, name, 500, seed=1000)[0] for name in ("random", "greedy")]
            done = f"{options.minutes * spent:.1f} min, {rounds * GAMES * STEPS:,} steps"
            print(f"{done}: entropy {entropy:.2f}, wins {against[0]:.1f} % / {against[1]:.1f} %", flush=True)
    network.save(options.out, steps=rounds * EPOCHS * GAMES * STEPS // BATCH, search={"margin": 1.0})
    for name in ("random", "greedy"):
        share, half = measure(network, name, options.games, seed=2000)
        print(f"against {name}, {options.games} games: {share:.1f} ± {half:.1f} % of the win")


if __name__ == "__main__":
    main()
