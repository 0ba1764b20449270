"""azulejo's networks in PyTorch: the tensors, the answers and the files of the agent ``neural``.

>>> network = azulejo.torch.Network.shipped("azul")  # or .load(FILE), or .untrained("azul")
>>> heads = network.evaluate(state)
>>> network.save("mine.safetensors")  # neural:net=mine.safetensors plays it

``docs/training.md`` has the tensors' names and shapes. Needs PyTorch, which the package does not install.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import NamedTuple

import numpy as np

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ModuleNotFoundError("azulejo.torch needs PyTorch: pip install torch", name="torch") from None

from . import _azulejo
from ._azulejo import Game, State
from .agent import Evaluator

__all__ = ["Heads", "Losses", "Network", "Rows", "part_table"]

SCORE_UNIT = 30.0
"""Points that a 1 of the scores' head stands for."""


class Heads(NamedTuple):
    """What a network says of states, a row for each; seats in turn order from the state's viewpoint."""

    part_logits: Tensor
    """(n, parts): a logit for each part of an output; an output's is the sum of its parts'."""
    win_logits: Tensor
    """(n, 4): a softmax over those of the seats that play is their shares of the win."""
    points_to_come: Tensor
    """(n, 4): the points that each seat will still get."""


class _Affine(nn.Module):
    """The weights and the bias of a layer, as its tensors are in files."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(bias)


class Network(nn.Module):
    """A network of the agent ``neural``; the names in its ``state_dict`` are those of the tensors in files."""

    def __init__(self, native: _azulejo.Network) -> None:
        super().__init__()
        self._native = native
        self.game = Game(native.game)
        tensors = {name: torch.from_numpy(array) for name, array in native.tensors().items()}

        def layer(name: str) -> _Affine:
            return _Affine(tensors[f"{name}.weight"], tensors[f"{name}.bias"])

        self.features = layer("features")
        self.blocks = nn.ModuleList(layer(f"blocks.{block}") for block in range(native.blocks))
        self.parts, self.wins, self.scores = layer("parts"), layer("wins"), layer("scores")
        self.register_buffer("_table", part_table(self.game), persistent=False)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Network:
        """The network of a weights file."""
        return cls(_azulejo.Network.load(path))

    @classmethod
    def shipped(cls, game: str) -> Network:
        """The network that comes with azulejo for a game."""
        return cls(_azulejo.Network.shipped(game))

    @classmethod
    def untrained(cls, game: str, width: int = 128, blocks: int = 1, seed: int = 0) -> Network:
        """A network that has learned nothing, as ``azulejo train`` begins with."""
        return cls(_azulejo.Network.untrained(game, width, blocks, seed))

    def forward(self, features: Tensor, starts: Tensor) -> Heads:
        """What the network says of states: the active features of all of them one after the other, and where each one's
        begin, with the end (n + 1 numbers), both int64 or both int32."""
        sums = nn.functional.embedding_bag(
            features, self.features.weight, starts, mode="sum", include_last_offset=True
        )
        hidden = torch.relu(sums + self.features.bias)
        for block in self.blocks:
            hidden = hidden + torch.relu(torch.addmm(block.bias, hidden, block.weight))
        part_logits, wins, scores = (
            nn.functional.linear(hidden, head.weight, head.bias) for head in (self.parts, self.wins, self.scores)
        )
        return Heads(part_logits, wins, SCORE_UNIT * scores)

    def logits(self, part_logits: Tensor, outputs: Tensor) -> Tensor:
        """The logits of outputs (n, k), whose numbers are ``legal`` with ``actions="output"``."""
        padded = nn.functional.pad(part_logits, (0, 1))
        first, second = self._table[outputs].unbind(-1)
        return padded.gather(1, first) + padded.gather(1, second)

    @torch.no_grad()
    def evaluate(self, *states: State) -> Heads:
        """What the network says of these states."""
        features = [torch.tensor(state.features(), dtype=torch.int64) for state in states]
        starts = torch.tensor([0, *(len(row) for row in features)]).cumsum(0)
        return self(torch.cat(features).to(self._table.device), starts.to(self._table.device))

    def evaluator(self, players: int = 2) -> Evaluator:
        """The network as it is now and will be, for azulejo's tree search in games for so many: what only the winner
        counts in. ``azulejo.Agent("neural:batch=16", evaluator=network.evaluator())``."""

        def judge(observations: np.ndarray, masks: np.ndarray) -> tuple[Tensor, Tensor]:
            rows, features = np.nonzero(observations)
            starts = np.searchsorted(rows, np.arange(len(observations) + 1))
            with torch.no_grad():
                heads = self(*(torch.from_numpy(found).to(self._table.device) for found in (features, starts)))
                padded = nn.functional.pad(heads.part_logits, (0, 1))
                logits = padded[:, self._table].sum(2)
                values = 2 * heads.win_logits[:, :players].softmax(1) - 1
            return logits.cpu(), values.clamp(-1, 1).cpu()

        return Evaluator(judge, actions="output")

    def native(self, steps: int = 0, search: Mapping[str, object] | None = None) -> _azulejo.Network:
        """The same network without PyTorch. ``steps`` are the optimizer steps since it was loaded; ``search`` says how it
        is to be searched with, in place of what its file said."""
        tensors = {name: tensor.detach().cpu().float().numpy() for name, tensor in self.state_dict().items()}
        return self._native.with_tensors(tensors, steps, search)

    def save(
        self, path: str | PathLike[str], steps: int = 0, search: Mapping[str, object] | None = None
    ) -> None:
        """Writes a weights file, which ``neural:net=FILE`` plays; see :meth:`native`."""
        self.native(steps, search).save(path)


def part_table(game: Game) -> Tensor:
    """The two parts of each output, (outputs, 2); the number of parts stands for none."""
    table = torch.full((game.num_outputs, 2), game.num_parts)
    for output in range(game.num_outputs):
        parts = game.output_parts(output)
        table[output, : len(parts)] = torch.tensor(parts)
    return table


class Losses(NamedTuple):
    """The mean losses over some rows, as ``azulejo train`` has them; rows that teach nothing of one do not count in it."""

    policy: Tensor
    """Cross entropy of the policy, in nats."""
    wins: Tensor
    """Cross entropy of the shares of the win, in nats."""
    scores: Tensor
    """Mean squared error of the points to come, in squared units of 30 points."""

    def total(self, scores: float = 1.0) -> Tensor:
        """The sum that is minimized; ``scores`` is the weight of the scores."""
        return self.policy + self.wins + scores * self.scores


class Rows:
    """The arrays of ``azulejo.records.training_rows`` or ``azulejo export`` as tensors."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._tensors = {name: torch.from_numpy(np.asarray(array)) for name, array in arrays.items()}

    def __len__(self) -> int:
        return len(self._tensors["players"])

    def losses(self, network: Network, rows: Tensor) -> Losses:
        """What a network says of these rows, whose numbers are given, and what it was to say."""
        features, starts, _ = self._ragged("features", rows)
        heads = network(features.long(), starts)
        players = torch.arange(4) < self._tensors["players"][rows, None]
        return Losses(
            self._policy_loss(heads, rows),
            _wins_loss(heads, self._tensors["wins"][rows], players),
            _scores_loss(heads, self._tensors["points_to_come"][rows], players),
        )

    def _ragged(self, name: str, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Where the entries of some rows of different lengths stand one after the other, taken from the array of this
        name; where each row's begin, with the end; and which row each belongs to."""
        all_starts = self._tensors["features_starts" if name == "features" else "policy_starts"]
        begins, lengths = all_starts[rows], all_starts[rows + 1] - all_starts[rows]
        starts = nn.functional.pad(lengths.cumsum(0), (1, 0))
        row = torch.repeat_interleave(torch.arange(len(rows)), lengths)
        entries = torch.arange(int(starts[-1])) - starts[row] + begins[row]
        return self._tensors[name][entries], starts, row

    def _policy_loss(self, heads: Heads, rows: Tensor) -> Tensor:
        """A row's legal outputs are softmaxed among each other."""
        parts, starts, row = self._ragged("policy_parts", rows)
        shares, _, _ = self._ragged("policy_shares", rows)
        parts = torch.where(parts < 0, heads.part_logits.shape[1], parts).long()
        padded = nn.functional.pad(heads.part_logits, (0, 1))
        logits = padded[row, parts[:, 0]] + padded[row, parts[:, 1]]
        highest = torch.full((len(rows),), -torch.inf).scatter_reduce(0, row, logits.detach(), "amax")
        sums = torch.zeros(len(rows)).index_add(0, row, (logits - highest[row]).exp())
        log_shares = logits - highest[row] - sums.log()[row]
        teaching = (starts[1:] > starts[:-1]).sum().clamp(min=1)
        return -(shares * log_shares).sum() / teaching


def _wins_loss(heads: Heads, wins: Tensor, players: Tensor) -> Tensor:
    log_shares = heads.win_logits.masked_fill(~players, -torch.inf).log_softmax(1)
    taught = ~wins[:, 0].isnan()
    terms = torch.where(players & taught[:, None], wins.nan_to_num() * log_shares, 0.0)
    return -terms.sum() / taught.sum().clamp(min=1)


def _scores_loss(heads: Heads, points: Tensor, players: Tensor) -> Tensor:
    taught = ~points[:, 0].isnan()
    errors = torch.where(players & taught[:, None], (heads.points_to_come - points) / SCORE_UNIT, 0.0)
    return (errors.square().sum(1) / players.sum(1)).sum() / taught.sum().clamp(min=1)
