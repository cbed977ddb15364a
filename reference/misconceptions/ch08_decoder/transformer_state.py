"""Whole models that do otherwise in training, or after other calls."""

import torch

from reference.ch08_decoder import Transformer
from reference.misconceptions import misconception


@misconception("Transformer", "transformer-mask-of-last-encode")
class MaskOfLastEncode(Transformer):
    """Your `decode` uses the mask that the last `encode` has left, not that of its own `source`.

    Between the two calls the model may have read another text. Which argument of `decode` shows the padding?
    """

    def encode(self, source):
        self.source = source
        return super().encode(source)

    def decode(self, target_in, memory, source):
        kept = getattr(self, "source", source)
        return super().decode(target_in, memory, kept if kept.shape == source.shape else source)


@misconception("Transformer", "transformer-memory-of-last-encode")
class MemoryOfLastEncode(Transformer):
    """Your `decode` uses the memory that the last `encode` has left, not the one it is given.

    Between the two calls the model may have read another text. What a call needs comes in as its arguments.
    """

    def encode(self, source):
        self.memory = super().encode(source)
        return self.memory

    def decode(self, target_in, memory, source):
        kept = getattr(self, "memory", memory)
        return super().decode(target_in, kept if kept.shape == memory.shape else memory, source)


@misconception("Transformer", "transformer-first-memory")
class FirstMemory(Transformer):
    """Your `encode` reads the first source of a shape, and gives its memory to later ones of that shape too.

    Two sources of the same length are different texts: each has a memory of its own.
    """

    def encode(self, source):
        if getattr(self, "source", source[:0]).shape != source.shape:
            self.source = source
        return super().encode(self.source)


@misconception("Transformer", "transformer-first-target")
class FirstTarget(Transformer):
    """Your `decode` keeps something of the first text of a shape, and uses it for later ones.

    Texts of one shape have different words, and different padding. What a call needs comes in as its arguments.
    """

    def decode(self, target_in, memory, source):
        if getattr(self, "target_in", target_in[:0]).shape != target_in.shape:
            self.target_in = target_in
        return super().decode(self.target_in, memory, source)


@misconception("Transformer", "transformer-encoder-first-block-left-out")
class EncoderFirstBlockLeftOut(Transformer):
    """You leave out the first block of the encoder.

    Which block reads the embedding? All of `self.encoder_blocks` have a turn.
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks[1:]:
            x = block(x, (source != self.pad_id)[:, None, None, :])
        return x


@misconception("Transformer", "transformer-encoder-mask-in-evaluation")
class EncoderMaskInEvaluation(Transformer):
    """In training your encoder listens to padding.

    Padding is hidden in training just as in evaluation: the blocks get the same mask in both.
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, None if self.training else (source != self.pad_id)[:, None, None, :])
        return x


@misconception("Transformer", "transformer-first-source-word-seen")
class FirstSourceWordSeen(Transformer):
    """Your encoder always sees the first position, even where it is padding.

    No row needs that: a query that sees nothing gets zeros. What is padding is told by its id, wherever it stands.
    """

    def encode(self, source):
        real = source != self.pad_id
        real[:, 0] = True
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, real[:, None, None, :])
        return x


@misconception("Transformer", "transformer-first-precision")
class FirstPrecision(Transformer):
    """You make the table of positions once, in the precision of the first call, and use it in every other one.

    Between two calls the model may become a double: `model.double()`. What must the table follow then?
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * self.width**0.5
        if not hasattr(self, "waves"):
            like = {"dtype": tokens.dtype, "device": tokens.device}
            speeds = 10000 ** (torch.arange(0, self.width, 2, **like) / self.width)
            angles = torch.arange(self.max_length, **like)[:, None] / speeds
            self.waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + self.waves[: ids.shape[1]]


@misconception("Transformer", "transformer-detached-in-evaluation")
class DetachedInEvaluation(Transformer):
    """In evaluation no gradient comes back through your model (detach, .data, no_grad or set_grad_enabled).

    `eval()` switches dropout off, and nothing else. A caller that wants no gradients says so itself.
    """

    def forward(self, source, target_in):
        logits = super().forward(source, target_in)
        return logits if self.training else logits.detach()
