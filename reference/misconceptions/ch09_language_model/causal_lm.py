"""Language models that are wired wrongly, or whose table is not tied."""

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock
from reference.ch09_language_model import CausalLM
from reference.misconceptions import misconception


@misconception("CausalLM", "causal-lm-no-last-norm")
class NoLastNorm(CausalLM):
    """You leave out the last norm.

    Pre-norm blocks add and never normalise the sum: `self.norm(x)` comes after the last of them.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return x @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-norm-every-block")
class NormEveryBlock(CausalLM):
    """You apply `self.norm` after every block, inside the loop; it belongs after the last one only.

    Each block has norms of its own inside; this one stands at the very end.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = self.norm(block(x, mask))
        return x @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-norm-every-block-and-last")
class NormEveryBlockAndLast(CausalLM):
    """You apply `self.norm` after every block, inside the loop, and once more at the end.

    Each block has norms of its own inside; this one stands at the very end, and nowhere else.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = self.norm(block(x, mask))
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-norm-twice")
class NormTwice(CausalLM):
    """You apply `self.norm` twice after the blocks.

    Once is enough, right before the token table: see that it is not left over in the loop or in the `return`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(self.norm(x)) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-norm-first")
class NormOnEmbedding(CausalLM):
    """You normalise the embedding, and not what the last block leaves.

    `self.norm` is the last norm: it stands between the blocks and the token table.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.norm(self.embedding(ids))
        for block in self.blocks:
            x = block(x, mask)
        return x @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-own-output")
class OwnOutput(CausalLM):
    """You have made a separate output layer, so it is not tied to the token table.

    A copy drifts away with the first step of training. Use `self.embedding.token.weight` itself, without a bias.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.output = nn.Linear(width, vocab_size, bias=False)

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.output(self.norm(x))


@misconception("CausalLM", "causal-lm-output-bias")
class OutputBias(CausalLM):
    """You have tied the output layer's weight to the token table, but the layer has a bias.

    There is none here: `nn.Linear(width, vocab_size, bias=False)`, or a plain product with the table.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.output = nn.Linear(width, vocab_size)
        self.output.weight = self.embedding.token.weight

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.output(self.norm(x))


@misconception("CausalLM", "causal-lm-table-detached")
class TableDetached(CausalLM):
    """The product with the token table sends no gradient back into it (`detach()`, `.data`, or a new tensor).

    The table learns from both ends: multiply by `self.embedding.token.weight` itself.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.detach().T


@misconception("CausalLM", "causal-lm-post-norm")
class PostNorm(CausalLM):
    """Your blocks are post-norm.

    The given `__init__` makes them with `norm_first=True`, as in GPT-2; leave that as it is.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        made = [EncoderBlock(width, num_heads, hidden, dropout, activation="gelu") for _ in range(num_blocks)]
        self.blocks = nn.ModuleList(made)


@misconception("CausalLM", "causal-lm-relu")
class Relu(CausalLM):
    """Your blocks have ReLU inside.

    The given `__init__` makes them with `activation="gelu"`, as in GPT; leave that as it is.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        made = [EncoderBlock(width, num_heads, hidden, dropout, norm_first=True) for _ in range(num_blocks)]
        self.blocks = nn.ModuleList(made)


@misconception("CausalLM", "causal-lm-no-positions")
class NoPositions(CausalLM):
    """You embed the tokens without their positions.

    `self.embedding` holds two tables. Which of them do you use, and which one knows the order of the words?

    `self.embedding(ids)` adds both; `self.embedding.token` is only half of it.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding.token(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-scaled")
class Scaled(CausalLM):
    """You scale the token vectors by √D.

    That belongs to the Transformer of 2017, with its sines. Learned positions have learned their own size.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.embedding.token(ids) * self.norm.weight.shape[0] ** 0.5 + self.embedding.position(places)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-probabilities")
class Probabilities(CausalLM):
    """You return probabilities: a softmax is applied already.

    The loss takes the softmax itself, and `choose` wants logits too; return the products with the table.
    """

    def forward(self, ids):
        return super().forward(ids).softmax(-1)


@misconception("CausalLM", "causal-lm-last-position")
class LastPosition(CausalLM):
    """You return the logits of the last position only.

    In training every position has a label: the answer is (B, T, V). To continue a text, the caller picks the last
    position: `logits[:, -1]`.
    """

    def forward(self, ids):
        return super().forward(ids)[:, -1]


@misconception("CausalLM", "causal-lm-squeezed")
class Squeezed(CausalLM):
    """You squeeze the logits, and with one text or one token an axis is gone.

    The answer is (B, T, V), whatever B and T are: leave out `squeeze()`.
    """

    def forward(self, ids):
        return super().forward(ids).squeeze()


@misconception("CausalLM", "causal-lm-one-block")
class OneBlock(CausalLM):
    """You use only the first block; perhaps the `return` stands inside the loop.

    Loop over all of `self.blocks`, each of which reads what the one before it left, and return after the last.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        return self.norm(self.blocks[0](self.embedding(ids), mask)) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-extra-dropout")
class ExtraDropout(CausalLM):
    """You add dropout outside the blocks.

    There is none on the embeddings or on the logits here: the blocks have theirs inside, and that is all.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = functional.dropout(self.embedding(ids), 0.1, self.training)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-evaluates")
class Evaluates(CausalLM):
    """Your `forward` puts the model into evaluation mode.

    In training dropout must work, and the mode is the caller's choice; leave it alone.
    """

    def forward(self, ids):
        self.eval()
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T
