"""A whole model that leaks, forgets or mixes up."""

import math

import torch

from reference.ch08_decoder import Transformer
from reference.misconceptions import misconception


@misconception("Transformer", "transformer-no-causal-mask")
class NoCausalMask(Transformer):
    """Your decoder sees the future: its self-attention has no causal mask.

    Every position reads the very word it must predict; join a triangle to the target's padding mask.
    """

    def decode(self, target_in, memory, source):
        real, seen = (target_in != self.pad_id)[:, None, None], (source != self.pad_id)[:, None, None]
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, real, seen))


@misconception("Transformer", "transformer-no-target-padding")
class NoTargetPadding(Transformer):
    """Your decoder's self-attention hides the future, but not the target's padding.

    Two conditions hold at once: a key must not be in the future, and it must be a real word. Which one is missing?

    Join both: `causal & (target_in != self.pad_id)[:, None, None, :]`.
    """

    def decode(self, target_in, memory, source):
        places, seen = torch.arange(target_in.shape[1], device=target_in.device), (source != self.pad_id)[:, None, None]
        past = places <= places[:, None]
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, past, seen))


@misconception("Transformer", "transformer-masks-or")
class MasksOr(Transformer):
    """You join the causal mask and the padding mask by "or", which lets one undo the other.

    A key must be real and not in the future, both at once: join the masks with `&`.
    """

    def decode(self, target_in, memory, source):
        places, seen = torch.arange(target_in.shape[1], device=target_in.device), (source != self.pad_id)[:, None, None]
        mask = (places <= places[:, None]) | (target_in != self.pad_id)[:, None, None]
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, mask, seen))


@misconception("Transformer", "transformer-causal-peeks")
class CausalPeeks(Transformer):
    """Your causal mask lets every position see the one after it.

    Position t reads token t - 1 of the targets already; key <= query, or `tril()` without an offset.
    """

    def decode(self, target_in, memory, source):
        places, seen = torch.arange(target_in.shape[1], device=target_in.device), (source != self.pad_id)[:, None, None]
        mask = (places <= places[:, None] + 1) & (target_in != self.pad_id)[:, None, None]
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, mask, seen))


@misconception("Transformer", "transformer-causal-no-self")
class CausalNoSelf(Transformer):
    """In your causal mask a position does not see itself.

    Keep the diagonal: the input is shifted, so what stands there is the word before the one to be predicted.
    """

    def decode(self, target_in, memory, source):
        places, seen = torch.arange(target_in.shape[1], device=target_in.device), (source != self.pad_id)[:, None, None]
        mask = (places < places[:, None]) & (target_in != self.pad_id)[:, None, None]
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, mask, seen))


@misconception("Transformer", "transformer-mask-device")
class MaskDevice(Transformer):
    """You make the causal mask, or perhaps the positions, on the default device instead of the one where the ids lie.

    On a GPU they do not meet the ids: pass `device=` to every tensor that you make, with the device of the ids.
    """

    def decode(self, target_in, memory, source):
        past, seen = torch.ones(target_in.shape[1], target_in.shape[1]).tril().bool(), source != self.pad_id
        mask = past & (target_in != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, mask, seen[:, None, None]))


@misconception("Transformer", "transformer-no-memory-mask")
class NoMemoryMask(Transformer):
    """Your cross-attention listens to the source's padding.

    Whose words are the keys there? Their padding must be hidden, by a mask (B, 1, 1, S) that the decoder takes.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, torch.full_like(source, self.pad_id + 1))


@misconception("Transformer", "transformer-memory-mask-of-target")
class MemoryMaskOfTarget(Transformer):
    """You make the mask of the cross-attention from the target's padding.

    The keys are the memory's there, so it is the padding of `source` that must be hidden.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, target_in)


@misconception("Transformer", "transformer-no-source-padding")
class NoSourcePadding(Transformer):
    """Your encoder listens to padding.

    Which of the source's ids are no words? Every encoder block takes a mask too; (B, 1, 1, S) has the keys last.
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x)
        return x


@misconception("Transformer", "transformer-causal-encoder")
class CausalEncoder(Transformer):
    """Your encoder hides the future: each source word sees only itself and the words before it.

    The source is known from its first word to its last: hide its padding and nothing else.
    """

    def encode(self, source):
        x, places = self._embed(source, self.source_embedding), torch.arange(source.shape[1], device=source.device)
        for block in self.encoder_blocks:
            x = block(x, (places <= places[:, None]) & (source != self.pad_id)[:, None, None])
        return x


@misconception("Transformer", "transformer-embedding-as-memory")
class EmbeddingAsMemory(Transformer):
    """Your memory is the embedded source; the encoder's blocks have no part in it.

    Pass x from block to block and return what the last one gives.
    """

    def encode(self, source):
        return self._embed(source, self.source_embedding)


@misconception("Transformer", "transformer-padding-is-zero")
class PaddingIsZero(Transformer):
    """You take 0 for the padding, whatever `pad_id` says.

    Compare with `self.pad_id`, in all three masks.
    """

    def encode(self, source):
        self.pad_id = 0
        return super().encode(source)

    def decode(self, target_in, memory, source):
        self.pad_id = 0
        return super().decode(target_in, memory, source)


@misconception("Transformer", "transformer-padding-on-queries")
class PaddingOnQueries(Transformer):
    """The padding mask of your encoder lies on the axis of the queries.

    Padding must not be read: the mask belongs to the keys, the last axis, (B, 1, 1, S).
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, (source != self.pad_id)[:, None, :, None])
        return x


@misconception("Transformer", "transformer-not-scaled")
class NotScaled(Transformer):
    """You do not scale the token vectors by √D.

    They begin small, with a standard deviation of 0.02. What makes them as large as the sines and cosines you add?
    """

    def _embed(self, ids, embedding):
        return super()._embed(ids, embedding) - embedding(ids) * (math.sqrt(self.width) - 1)


@misconception("Transformer", "transformer-positions-scaled")
class PositionsScaled(Transformer):
    """You scale the positions by √D too.

    Scale the token vectors first, and then add the positions as they are.
    """

    def _embed(self, ids, embedding):
        tokens, root = embedding(ids) * math.sqrt(self.width), math.sqrt(self.width)
        return tokens + (super()._embed(ids, embedding) - tokens) * root


@misconception("Transformer", "transformer-no-positions")
class NoPositions(Transformer):
    """You do not add the positions.

    Add the sines and cosines to the scaled tokens: attention knows no order, so without them word order is lost.
    """

    def _embed(self, ids, embedding):
        return embedding(ids) * math.sqrt(self.width)


@misconception("Transformer", "transformer-positions-halves")
class PositionsHalves(Transformer):
    """Your positions have all sines in front and all cosines behind.

    Sines and cosines take turns, sine in the even columns, cosine in the odd ones. How did you do it in chapter 2?
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        waves = super()._embed(ids, embedding) - tokens
        return tokens + torch.cat([waves[..., 0::2], waves[..., 1::2]], dim=-1)


@misconception("Transformer", "transformer-positions-float32")
class PositionsFloat32(Transformer):
    """Your positions are computed in float32, whatever the model's dtype is.

    Dividing integers gives the default dtype. Begin with `torch.arange(..., dtype=tokens.dtype)`.
    """

    def _embed(self, ids, embedding):
        places = torch.arange(ids.shape[1], device=ids.device)[:, None]
        angles = places / 10000 ** (torch.arange(0, self.width, 2, device=ids.device) / self.width)
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return embedding(ids) * math.sqrt(self.width) + waves


@misconception("Transformer", "transformer-probabilities")
class Probabilities(Transformer):
    """You return probabilities: a softmax is applied already.

    The loss takes the softmax itself; return the logits of the last linear layer.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, source).softmax(-1)


@misconception("Transformer", "transformer-one-embedding")
class OneEmbedding(Transformer):
    """Your decoder looks the target's words up in the embedding of the source language.

    There are two languages and two tables: `self.target_embedding` in `decode`.
    """

    def decode(self, target_in, memory, source):
        real, seen = (target_in != self.pad_id)[:, None, None], (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.source_embedding)
        return self.output(self.decoder(x, memory, real & real.new_ones(real.shape[3], real.shape[3]).tril(), seen))


@misconception("Transformer", "transformer-encodes-again")
class EncodesAgain(Transformer):
    """Your `decode` encodes the source again and does not use the `memory` it is given.

    Use `memory`: `source` is there for its padding only, and a long text would cost one run of the encoder per word.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, self.encode(source), source)


@misconception("Transformer", "transformer-shifts-again")
class ShiftsAgain(Transformer):
    """Your `forward` shifts the target, which comes in shifted already.

    Shifted twice, every position lacks the last word it may know; hand `target_in` to `decode` as it is.
    """

    def forward(self, source, target_in):
        shifted = torch.cat([torch.full_like(target_in[:, :1], self.pad_id), target_in[:, :-1]], dim=1)
        return super().forward(source, shifted)


@misconception("Transformer", "transformer-memory-detached")
class MemoryDetached(Transformer):
    """You cut the memory off in `forward` (detach, .data or no_grad), so the encoder never learns.

    Encoder and decoder are trained together: hand on what `encode` gives.
    """

    def forward(self, source, target_in):
        return self.decode(target_in, self.encode(source).detach(), source)
