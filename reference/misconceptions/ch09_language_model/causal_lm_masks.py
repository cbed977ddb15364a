"""Language models that see the answer, or too little of the past, or have a table too many."""

import torch
from torch import nn

from reference.ch09_language_model import CausalLM
from reference.misconceptions import misconception


@misconception("CausalLM", "causal-lm-no-mask")
class NoMask(CausalLM):
    """Your model sees the future: every position reads all others, as where the blocks get no causal mask.

    Each position then reads the very token it is asked for. Give every block a triangle, True on and below the
    diagonal.
    """

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-inverted")
class MaskInverted(CausalLM):
    """Your mask is True where a position must not look.

    Here True means "may attend", so it is the lower triangle: `tril()`, with the diagonal.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).triu(1)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-no-self")
class NoSelf(CausalLM):
    """In your mask a position does not see itself.

    It may: what stands there is the token before the one it is asked for. Keep the diagonal.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril(-1)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-peeks")
class Peeks(CausalLM):
    """Your mask lets every position see the one after it, which is its answer.

    Key <= query: `tril()` without an offset.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril(1)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-of-longest")
class MaskOfLongest(CausalLM):
    """Your mask is always `max_length` long, whatever the text is.

    It must fit the text: T by T, or the upper left corner `[:T, :T]` of a longer one.
    """

    def forward(self, ids):
        mask = torch.ones(self.max_length, self.max_length, dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-once")
class MaskOnce(CausalLM):
    """Only your first block gets the mask.

    What is hidden must stay hidden on the way up, or the second block sees the answers: hand it to every block.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for index, block in enumerate(self.blocks):
            x = block(x, mask) if index == 0 else block(x)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-device")
class MaskOnTheDefaultDevice(CausalLM):
    """You make the mask on the default device, wherever the text is.

    Which tensor that `forward` is given lies where the model lies?

    On a GPU the model would stop at the first block; `torch.ones(T, T, dtype=torch.bool, device=ids.device)`.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-own-head")
class OwnHead(CausalLM):
    """Your output layer `head` has a weight of its own, so it is not tied to the token table.

    Even a copy of the table drifts away with the first step of training. Use `self.embedding.token.weight` itself.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.head = nn.Linear(width, vocab_size, bias=False)

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))


@misconception("CausalLM", "causal-lm-own-lm-head")
class OwnLanguageHead(CausalLM):
    """Your output layer `lm_head` has a weight of its own, so it is not tied to the token table.

    Even a copy of the table drifts away with the first step of training. Use `self.embedding.token.weight` itself.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.lm_head = nn.Linear(width, vocab_size, bias=False)

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.lm_head(self.norm(x))


@misconception("CausalLM", "causal-lm-last-position-in-evaluation")
class LastPositionInEvaluation(CausalLM):
    """In evaluation you return the logits of the last position only.

    That saves time while a text is written, but a held-out loss needs every position: the answer is always (B, T, V).
    """

    def forward(self, ids):
        logits = super().forward(ids)
        return logits if self.training else logits[:, -1:]


@misconception("CausalLM", "causal-lm-last-rows-of-the-triangle")
class LastRowsOfTheTriangle(CausalLM):
    """Where a text is shorter than `max_length`, your model sees the future, as with the last rows of the triangle.

    Print the part of the mask that you use for a text of three tokens. Which position may the first one see?
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout)
        self.longest = max_length

    def forward(self, ids):
        length = ids.shape[1]
        triangle = torch.ones(self.longest, self.longest, dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, triangle[self.longest - length :, :length])
        return self.norm(x) @ self.embedding.token.weight.T
