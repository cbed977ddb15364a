"""Masks, halves and results of the whole model that are wrong."""

import torch

from reference.ch08_decoder import Transformer
from reference.misconceptions import misconception


@misconception("Transformer", "transformer-masks-inverted")
class PaddingInverted(Transformer):
    """Your padding masks are the wrong way round: only the padding is seen.

    True means "may attend": compare with `!= self.pad_id`.
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, (source == self.pad_id)[:, None, None])
        return x

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places <= places[:, None], (target_in == self.pad_id)[:, None, None]
        seen = (source == self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, past & real, seen))


@misconception("Transformer", "transformer-causal-inverted")
class CausalInverted(Transformer):
    """Your causal mask is turned round: a position sees only what comes after it.

    True means "may attend": key <= query, the lower triangle with its diagonal (`tril()`).
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places > places[:, None], (target_in != self.pad_id)[:, None, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, past & real, seen))


@misconception("Transformer", "transformer-causal-upper")
class CausalUpper(Transformer):
    """Your causal mask is the upper triangle with its diagonal: a position sees itself and the future.

    True means "may attend": key <= query, the lower triangle with its diagonal (`tril()`).
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places >= places[:, None], (target_in != self.pad_id)[:, None, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, past & real, seen))


@misconception("Transformer", "transformer-target-padding-on-queries")
class TargetPaddingOnQueries(Transformer):
    """The padding mask of your decoder lies on the axis of the queries.

    Padding must not be read: the mask belongs to the keys, the last axis, (B, 1, 1, T).
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places <= places[:, None], (target_in != self.pad_id)[:, None, :, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, past & real, seen))


@misconception("Transformer", "transformer-decoder-masks-swapped")
class DecoderMasksSwapped(Transformer):
    """You hand the two masks to the decoder in the wrong order.

    Which of the two masks is as long as the target, and which comes first in `Decoder.forward`?

    First that of the target, then that of the source: `self.decoder(x, memory, self_mask, memory_mask)`.
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places <= places[:, None], (target_in != self.pad_id)[:, None, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, seen, past & real))


@misconception("Transformer", "transformer-causal-everywhere")
class CausalEverywhere(Transformer):
    """Your cross-attention is causal too: a position sees the source only up to its own place.

    The source is known from its first word to its last: its padding is all that is hidden there.
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places <= places[:, None], (target_in != self.pad_id)[:, None, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(
            self.decoder(
                x, memory, past & real, seen & (torch.arange(source.shape[1], device=source.device) <= places[:, None])
            )
        )


@misconception("Transformer", "transformer-states")
class States(Transformer):
    """You return the decoder's output, (B, T, D): the last linear layer is missing.

    `self.output` turns each vector into V logits.
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        past, real = places <= places[:, None], (target_in != self.pad_id)[:, None, None]
        seen = (source != self.pad_id)[:, None, None]
        x = self._embed(target_in, self.target_embedding)
        return self.decoder(x, memory, past & real, seen)


@misconception("Transformer", "transformer-last-position")
class LastPosition(Transformer):
    """You return the logits of the last position only.

    In training every position has a label: the answer is (B, T, V). To write a text, the caller picks the last
    position: `logits[:, -1]`.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, source)[:, -1]


@misconception("Transformer", "transformer-log-probabilities")
class LogProbabilities(Transformer):
    """You return logarithms of probabilities: a log-softmax is applied already.

    Return the logits of the last linear layer; the softmax belongs to the loss.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, source).log_softmax(-1)


@misconception("Transformer", "transformer-squeezed")
class Squeezed(Transformer):
    """You squeeze the logits, and with one text or one token an axis is gone.

    The answer is (B, T, V), whatever B and T are: leave out `squeeze()`.
    """

    def decode(self, target_in, memory, source):
        return super().decode(target_in, memory, source).squeeze()


@misconception("Transformer", "transformer-encoder-first-block")
class EncoderFirstBlock(Transformer):
    """Only the first block of your encoder is used; perhaps the `return` stands inside the loop.

    Send x through all of `self.encoder_blocks`, and return what the last one gives.
    """

    def encode(self, source):
        x, seen = self._embed(source, self.source_embedding), (source != self.pad_id)[:, None, None]
        return self.encoder_blocks[0](x, seen)


@misconception("Transformer", "transformer-encoder-not-chained")
class EncoderNotChained(Transformer):
    """Only the last block of your encoder counts, and it reads the embedding, not what the block before it gave.

    Write down what the second block gets. Is it what the first one gave?

    Give each result the name that the next block reads: `x = block(x, mask)`.
    """

    def encode(self, source):
        x, seen = self._embed(source, self.source_embedding), (source != self.pad_id)[:, None, None]
        for block in self.encoder_blocks:
            result = block(x, seen)
        return result


@misconception("Transformer", "transformer-encoder-mask-once")
class EncoderMaskOnce(Transformer):
    """Only the first block of your encoder gets the mask.

    Padding must stay hidden on the way up: hand the mask to every block.
    """

    def encode(self, source):
        x, seen = self._embed(source, self.source_embedding), (source != self.pad_id)[:, None, None]
        for index, block in enumerate(self.encoder_blocks):
            x = block(x, seen) if index == 0 else block(x)
        return x


@misconception("Transformer", "transformer-encoder-residual")
class EncoderResidual(Transformer):
    """You add what goes into a block of the encoder to what comes out of it.

    Look inside `EncoderBlock`: how often does it add its input already?

    The residuals are inside the blocks: `x = block(x, mask)`.
    """

    def encode(self, source):
        x, seen = self._embed(source, self.source_embedding), (source != self.pad_id)[:, None, None]
        for block in self.encoder_blocks:
            x = x + block(x, seen)
        return x


@misconception("Transformer", "transformer-encoder-last-norm")
class EncoderLastNorm(Transformer):
    """You normalise the memory once more at the end of the encoder.

    Leave that out: these blocks are post-norm and end with a norm already.
    """

    def encode(self, source):
        memory = super().encode(source)
        return torch.nn.functional.layer_norm(memory, memory.shape[-1:])


@misconception("Transformer", "transformer-source-as-target")
class SourceAsTarget(Transformer):
    """Your `forward` hands `source` and `target_in` to the wrong halves of the model.

    There are two languages. Which half of the model reads the one you translate from?

    The encoder reads `source`, the decoder `target_in`: `self.decode(target_in, self.encode(source), source)`.
    """

    def forward(self, source, target_in):
        return self.decode(source, self.encode(target_in), target_in)


@misconception("Transformer", "transformer-mask-of-target-in-forward")
class TargetForSource(Transformer):
    """Your `forward` hands `target_in` to `decode` in place of `source`, so the memory's padding is taken from it.

    What is the third argument of `decode` needed for, and whose padding does it have to show?

    `decode` wants the source to see its padding: `self.decode(target_in, memory, source)`.
    """

    def forward(self, source, target_in):
        return self.decode(target_in, self.encode(source), target_in)


@misconception("Transformer", "transformer-last-token-dropped")
class LastTokenDropped(Transformer):
    """Your `forward` drops the last token of `target_in`.

    It comes in shifted already, one token for each label: hand it to `decode` as it is.
    """

    def forward(self, source, target_in):
        return self.decode(target_in[:, :-1], self.encode(source), source)


@misconception("Transformer", "transformer-dropout-on-embeddings")
class DropoutOnEmbeddings(Transformer):
    """You apply dropout to the embeddings as well.

    Here dropout is in the blocks only: add tokens and positions, and hand the sum on.
    """

    def _embed(self, ids, embedding):
        return torch.nn.functional.dropout(super()._embed(ids, embedding), 0.1, self.training)


@misconception("Transformer", "transformer-padding-zeroed")
class PaddingZeroed(Transformer):
    """You set the token vectors of padding to 0.

    Padding has an embedding like any other token; only the masks keep it quiet.
    """

    def _embed(self, ids, embedding):
        silent = (ids == self.pad_id)[..., None]
        return super()._embed(ids, embedding) - (embedding(ids) * self.width**0.5).masked_fill(~silent, 0.0)
