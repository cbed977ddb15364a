"""What goes wrong in `TokenAndPositionEmbedding`."""

import math

import torch

from reference.ch02_embeddings import TokenAndPositionEmbedding, sinusoidal_positions
from reference.misconceptions import misconception


@misconception("TokenAndPositionEmbedding", "token-position-scaled")
class ScalesTheTokens(TokenAndPositionEmbedding):
    """You scale the token vectors by √D.

    That belongs to `add_positions`. Here both tables learn their own scale: add the two rows.
    """

    def forward(self, ids):
        tokens, positions = self.token(ids), self.position.weight[: ids.shape[1]]
        return tokens * math.sqrt(tokens.shape[-1]) + positions


@misconception("TokenAndPositionEmbedding", "token-position-from-one")
class PositionsBeginAtOne(TokenAndPositionEmbedding):
    """Your positions begin at 1.

    The first word stands at position 0; counted from 1, a text of `max_length` words runs off the table.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.arange(1, ids.shape[1] + 1, device=ids.device))


@misconception("TokenAndPositionEmbedding", "token-position-whole-table")
class AddsTheWholeTable(TokenAndPositionEmbedding):
    """You add the whole table of positions, which fits only texts of `max_length` words.

    A text of T words takes the first T rows.
    """

    def forward(self, ids):
        return self.token(ids) + self.position.weight


@misconception("TokenAndPositionEmbedding", "token-position-single-row")
class AddsOneRow(TokenAndPositionEmbedding):
    """You add one and the same row, number T, to all words.

    Ask the position table for 0, 1, …, T - 1, `torch.arange(T)`, not for T.
    """

    def forward(self, ids):
        return self.token(ids) + self.position.weight[ids.shape[1]]


@misconception("TokenAndPositionEmbedding", "token-position-first-row")
class AddsTheFirstRow(TokenAndPositionEmbedding):
    """You add the first row of the position table to all words.

    Every word has its own position: ask the table for 0, 1, …, T - 1, `torch.arange(T)`, not for zeros.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.zeros_like(ids))


@misconception("TokenAndPositionEmbedding", "token-position-last-rows")
class TakesTheLastRows(TokenAndPositionEmbedding):
    """You take the last T rows of the position table.

    A text begins at position 0, however short it is: take the first T rows.
    """

    def forward(self, ids):
        return self.token(ids) + self.position.weight[-ids.shape[1] :]


@misconception("TokenAndPositionEmbedding", "token-position-batch-axis")
class CountsSentences(TokenAndPositionEmbedding):
    """You count along the batch: all words of a sentence get the number of their sentence as position.

    ids are (B, T), and positions count along T: `torch.arange(ids.shape[1])`.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.arange(ids.shape[0], device=ids.device))[:, None]


@misconception("TokenAndPositionEmbedding", "token-position-counts-on")
class CountsOnThroughTheBatch(TokenAndPositionEmbedding):
    """You number the words through the whole batch: the second sentence goes on where the first one ended.

    Each sentence begins at position 0; one row of positions serves all of them.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.arange(ids.numel(), device=ids.device).view(ids.shape))


@misconception("TokenAndPositionEmbedding", "token-position-no-positions")
class LeavesPositionsOut(TokenAndPositionEmbedding):
    """You return the token vectors alone: no word knows its place.

    Add the rows 0 to T - 1 of `self.position`.
    """

    def forward(self, ids):
        return self.token(ids)


@misconception("TokenAndPositionEmbedding", "token-position-no-tokens")
class LeavesTokensOut(TokenAndPositionEmbedding):
    """You return the positions alone: the words themselves are missing.

    Add the rows of `self.token` for the ids.
    """

    def forward(self, ids):
        return self.position.weight[: ids.shape[1]].expand(*ids.shape, -1)


@misconception("TokenAndPositionEmbedding", "token-position-ids")
class AsksPositionsWithIds(TokenAndPositionEmbedding):
    """You index the position table with the ids.

    A position is where a word stands, not which word it is: index it with 0, 1, …, T - 1.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(ids)


@misconception("TokenAndPositionEmbedding", "token-position-token-table")
class UsesTheTokenTableTwice(TokenAndPositionEmbedding):
    """You look the positions up in the token table.

    Words and positions have a table each: `self.token(ids)` and `self.position(positions)`.
    """

    def forward(self, ids):
        return self.token(ids) + self.token(torch.arange(ids.shape[1], device=ids.device))


@misconception("TokenAndPositionEmbedding", "token-position-sinusoidal")
class UsesSinusoids(TokenAndPositionEmbedding):
    """You add sines and cosines; the table of learned positions is not used.

    Here positions are learned: they are the rows of `self.position`.
    """

    def forward(self, ids):
        tokens = self.token(ids)
        return tokens + sinusoidal_positions(*tokens.shape[1:]).to(tokens)


@misconception("TokenAndPositionEmbedding", "token-position-concatenated")
class AppendsPositions(TokenAndPositionEmbedding):
    """You append the positions to the tokens, which makes the vectors twice as wide.

    They are added, number by number, and D stays D.
    """

    def forward(self, ids):
        tokens = self.token(ids)
        return torch.cat([tokens, self.position.weight[: ids.shape[1]].expand_as(tokens)], dim=-1)


@misconception("TokenAndPositionEmbedding", "token-position-multiplied")
class MultipliesPositions(TokenAndPositionEmbedding):
    """You multiply the token vectors by the positions.

    Add them, number by number: a 0 in the table would wipe out that number of the word.
    """

    def forward(self, ids):
        return self.token(ids) * self.position.weight[: ids.shape[1]]


@misconception("TokenAndPositionEmbedding", "token-position-squeezed")
class SqueezesTheSum(TokenAndPositionEmbedding):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """

    def forward(self, ids):
        return (self.token(ids) + self.position.weight[: ids.shape[1]]).squeeze()


@misconception("TokenAndPositionEmbedding", "token-position-float32")
class ReturnsFloat32(TokenAndPositionEmbedding):
    """Your result is float32, whatever the tables are.

    Leave out `.float()`: the sum of two rows has their dtype.
    """

    def forward(self, ids):
        return (self.token(ids) + self.position.weight[: ids.shape[1]]).float()


@misconception("TokenAndPositionEmbedding", "token-position-frozen")
class FreezesPositions(TokenAndPositionEmbedding):
    """No gradient reaches the positions: you detached them, or read them from `.data`.

    Computed positions are fixed, these are learned: use `self.position(...)` or `self.position.weight` as it is.
    """

    def forward(self, ids):
        return self.token(ids) + self.position.weight[: ids.shape[1]].detach()


@misconception("TokenAndPositionEmbedding", "token-position-frozen-tokens")
class FreezesTokens(TokenAndPositionEmbedding):
    """No gradient reaches the tokens: you detached them, or read them from `.data`.

    Word vectors are learned: use `self.token(ids)` as it is.
    """

    def forward(self, ids):
        return self.token(ids).detach() + self.position.weight[: ids.shape[1]]


@misconception("TokenAndPositionEmbedding", "token-position-detached")
class CutsTheSumOff(TokenAndPositionEmbedding):
    """No gradient reaches either table: the sum is cut off (detach, .data, no_grad or NumPy).

    Return the sum as it is; without gradients neither words nor positions are learned.
    """

    def forward(self, ids):
        return (self.token(ids) + self.position.weight[: ids.shape[1]]).detach()
