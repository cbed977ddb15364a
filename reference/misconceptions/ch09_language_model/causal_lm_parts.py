"""Blocks, norms and tables that are left out, shared or misused."""

import torch

from reference.ch09_language_model import CausalLM
from reference.misconceptions import misconception


@misconception("CausalLM", "causal-lm-no-blocks")
class NoBlocks(CausalLM):
    """The blocks do not count: you do not keep what they give, or never call them.

    A block does not change x in place. What happens to the tensor that it returns?

    Keep what it returns: `x = block(x, mask)`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-not-chained")
class NotChained(CausalLM):
    """Only your last block counts, and it reads the embedding, not what the block before it left.

    Write down what the second block gets. Is it what the first one left?

    Give each result the name that the next block reads: `x = block(x, mask)`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        embedded = self.embedding(ids)
        for block in self.blocks:
            x = block(embedded, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-one-block-repeated")
class OneBlockRepeated(CausalLM):
    """You use the first block again and again.

    There are `num_blocks` of them, each with weights of its own: loop over `self.blocks`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for _ in self.blocks:
            x = self.blocks[0](x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-last-block-left-out")
class LastBlockLeftOut(CausalLM):
    """You leave out the last block.

    Loop over all of `self.blocks`: there are `num_blocks` of them.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks[:-1]:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-reversed")
class Reversed(CausalLM):
    """You go through the blocks from the last to the first.

    Loop over `self.blocks` as it is: x enters at `self.blocks[0]`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in reversed(self.blocks):
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-residual")
class Residual(CausalLM):
    """You add what goes into a block to what comes out of it.

    Look inside `EncoderBlock`: how often does it add its input already?

    The residuals are inside the blocks: `x = block(x, mask)`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = x + block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-shared-block")
class SharedBlock(CausalLM):
    """All entries of your `self.blocks` are the same block: there is one set of parameters.

    `[EncoderBlock(...)] * num_blocks` repeats one object; a comprehension makes new ones.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.blocks = torch.nn.ModuleList([self.blocks[0]] * num_blocks)


@misconception("CausalLM", "causal-lm-triu")
class Triu(CausalLM):
    """Your mask is the upper triangle with its diagonal: a position sees itself and the future.

    Here True means "may attend": the lower triangle, `tril()`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).triu()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-on-last-only")
class MaskOnLastOnly(CausalLM):
    """Only your last block gets the mask.

    What one block lets through, the next cannot take back: hand the mask to every block.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks[:-1]:
            x = block(x)
        x = self.blocks[-1](x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-table-not-turned")
class TableNotTurned(CausalLM):
    """You multiply by the token table (V, D) without turning it round.

    Write down both shapes, (B, T, D) and (V, D): D has to meet D.

    The states are (B, T, D): `x @ self.embedding.token.weight.T` gives (B, T, V).
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight


@misconception("CausalLM", "causal-lm-position-table")
class PositionTable(CausalLM):
    """You compare the states with the vectors of the positions, not with those of the tokens.

    The logits are dot products with the token table: `self.embedding.token.weight`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.position.weight.T


@misconception("CausalLM", "causal-lm-states")
class States(CausalLM):
    """You return the states (B, T, D): the product with the token table is missing.

    The table is (V, D). Which product of it with (B, T, D) has V numbers for each position?

    `self.norm(x) @ self.embedding.token.weight.T` gives V logits for each position.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)


@misconception("CausalLM", "causal-lm-logits-scaled")
class LogitsScaled(CausalLM):
    """You divide the logits by √D.

    They are plain dot products of the normalised states with the table.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T / self.norm.weight.shape[0] ** 0.5


@misconception("CausalLM", "causal-lm-bare-norm")
class BareNorm(CausalLM):
    """You normalise without the scale and shift of `self.norm`.

    Both are learned: call `self.norm` itself instead of `functional.layer_norm` without weights.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return torch.nn.functional.layer_norm(x, x.shape[-1:]) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-positions-twice")
class PositionsTwice(CausalLM):
    """You add the positions a second time.

    `self.embedding` adds token and position: hand its result to the first block as it is.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids) + self.embedding.position(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-embedding-detached")
class EmbeddingDetached(CausalLM):
    """The blocks send no gradient back to your embedding: its result is detached, or it runs under `no_grad`.

    The tables are learned together with the blocks: keep them in the graph.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids).detach()
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-log-probabilities")
class LogProbabilities(CausalLM):
    """You return logarithms of probabilities: a log-softmax is applied already.

    Return the products with the table as they are; the softmax belongs to the loss.
    """

    def forward(self, ids):
        return super().forward(ids).log_softmax(-1)


@misconception("CausalLM", "causal-lm-float-mask")
class FloatMask(CausalLM):
    """Your mask holds numbers, and the blocks take True and False.

    Which dtype does a comparison give? The blocks take that one.

    `torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-padding-mask")
class PaddingMask(CausalLM):
    """You hide every token 0, as if it were padding.

    The model is not told of any padding: 0 is a token like any other, and the triangle is the whole mask.
    """

    def forward(self, ids):
        real = (ids != 0)[:, None, None]
        mask = real & torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T
