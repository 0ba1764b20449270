#!/usr/bin/env python3
"""A bot in one page: tries its actions in turn, each with random play up to the next draw, and counts the points.

It speaks the engine protocol (docs/protocol.md) and leaves the rules to `azulejo engine`, which it starts itself:

    azulejo tournament --games 20 random 'exec:cmd=python3 scripts/examples/bot.py azulejo,time=200'

The argument is the azulejo program; without one it is looked for in the PATH.
"""
import itertools
import random
import statistics
import subprocess
import sys
import time

THINKING = 0.2  # seconds a move, less if movetime says so


class Rules:
    """The rules of all games: another process of azulejo, asked line by line."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *lines):
        """Passes lines on; returns the lines that answer them."""
        self.process.stdin.write("\n".join([*lines, "isready", ""]))
        self.process.stdin.flush()
        return list(iter(lambda: self.process.stdout.readline().strip(), "readyok"))

    def look(self, position):
        """Whose turn it is in a position, the legal actions and the points."""
        return [line.split()[1:] for line in self.ask(position, "query turn", "query legal", "query scores")]


def try_out(rules, position, rng):
    """The points at the next draw, or at the end, after random play."""
    while True:
        _, legal, points = rules.look(position)
        if not legal:
            return [int(number) for number in points]
        position += " " + rng.choice(legal)


def choose(rules, position, rng, seconds, most):
    """The action with the best mean lead after so many seconds, or so many tries."""
    (turn, legal, _), until = rules.look(position), time.monotonic() + seconds
    start = position if " moves " in position else position + " moves"
    leads = {}
    for action in itertools.islice(itertools.cycle(legal), most):
        points = try_out(rules, f"{start} {action}", rng)
        leads.setdefault(action, []).append(points.pop(int(turn[0])) - max(points))
        if time.monotonic() > until:
            break
    rules.ask(position)
    return max(leads, key=lambda action: statistics.mean(leads[action]))


def main():
    rules, position, rng = Rules((sys.argv + ["azulejo"])[1]), "position startpos", random.Random(1)
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "quit":
            return
        if word == "ugi":
            options = [option for option in rules.ask("ugi") if option.startswith("option name")]
            answers = ["id name one page of Python", *(it for it in options if "Agent" not in it), "ugiok"]
        elif word == "isready":
            answers = ["readyok"]
        elif word == "go" and rules.look(position)[1]:
            limits = dict(zip(rest[::2], rest[1::2]))
            seconds = min(THINKING, 0.8 * int(limits.get("movetime", 60_000)) / 1000)
            answers = ["bestmove " + choose(rules, position, rng, seconds, int(limits.get("nodes", 10_000)))]
        else:  # The rules know the answer to everything else, also to what is wrong.
            answers = rules.ask(line.strip())
            if not answers and rest[:2] == ["name", "Seed"]:
                rng = random.Random(rest[-1])
            if not answers and word in ("position", "uginewgame"):
                position = line.strip() if word == "position" else "position startpos"
        print(*answers, sep="\n", end="\n" if answers else "", flush=True)


main()
