"""Language models that do otherwise in training, or after other calls."""

import torch

from reference.ch09_language_model import CausalLM
from reference.misconceptions import misconception


@misconception("CausalLM", "causal-lm-first-texts")
class FirstTexts(CausalLM):
    """You keep something of the first texts of a shape, and use it for later ones.

    Two batches of one shape hold different texts. What a call needs comes in as its argument.
    """

    def forward(self, ids):
        if getattr(self, "ids", ids[:0]).shape != ids.shape:
            self.ids = ids
        return super().forward(self.ids)


@misconception("CausalLM", "causal-lm-mask-of-first-text")
class MaskOfFirstText(CausalLM):
    """You make the mask once, for the first text, and longer texts find it too short.

    How many positions does the text of *this* call have? Make the mask for that many, or once for `max_length`.
    """

    def forward(self, ids):
        length = ids.shape[1]
        if not hasattr(self, "mask"):
            self.mask = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, self.mask[:length, :length])
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-mask-in-evaluation")
class MaskInEvaluation(CausalLM):
    """In training your model sees the future.

    In training the whole text stands there to be read, so this is where the mask matters most.
    """

    def forward(self, ids):
        if not self.training:
            return super().forward(ids)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-first-block-left-out")
class FirstBlockLeftOut(CausalLM):
    """You leave out the first block.

    Which block reads the embedding? All of `self.blocks` have a turn.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks[1:]:
            x = block(x, mask)
        return self.norm(x) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-own-rate")
class OwnRate(CausalLM):
    """The dropouts of your blocks have the rate 0.1, whatever the argument says.

    The given `__init__` hands `dropout` on to each block.
    """

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, num_blocks)


@misconception("CausalLM", "causal-lm-last-norm-of-texts")
class LastNormOfTexts(CausalLM):
    """Your last norm takes one mean and one variance of a whole text, over positions and features together.

    Then later words change earlier logits. Each position is normalised by itself, over its features.
    """

    def forward(self, ids):
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        unit = torch.nn.functional.layer_norm(x, x.shape[1:], eps=self.norm.eps)
        return (unit * self.norm.weight + self.norm.bias) @ self.embedding.token.weight.T


@misconception("CausalLM", "causal-lm-detached-in-evaluation")
class DetachedInEvaluation(CausalLM):
    """In evaluation no gradient comes back through your model (detach, .data, no_grad or set_grad_enabled).

    `eval()` switches dropout off, and nothing else. A caller that wants no gradients says so itself.
    """

    def forward(self, ids):
        logits = super().forward(ids)
        return logits if self.training else logits.detach()
