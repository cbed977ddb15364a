"""Padding in the whole model: masks on the wrong axis or without brackets, and a row that does not learn."""

import torch

from reference.ch08_decoder import Transformer
from reference.misconceptions import misconception


@misconception("Transformer", "transformer-padding-never-on-keys")
class PaddingNeverOnKeys(Transformer):
    """All your padding masks lie on the axis of the queries, so the padded keys are read by every real word.

    In each attention, who reads and who is read? It is what is read that must be hidden, and the decoder's second
    attention reads the source.

    Padding belongs to the keys, the last axis: (B, 1, 1, S) for the source, (B, 1, 1, T) for the target.
    """

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, (source != self.pad_id)[:, None, :, None])
        return x

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        real = (target_in != self.pad_id)[:, None, :, None]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, (places <= places[:, None]) & real, real))


@misconception("Transformer", "transformer-and-before-unequal")
class AndBeforeUnequal(Transformer):
    """Brackets are missing in your decoder's mask: `&` comes before `!=`, so `pad_id & causal` is taken first.

    In Python `a != b & c` means `a != (b & c)`. Which of your two comparisons needs brackets of its own?
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        mixed = self.pad_id & (places <= places[:, None])
        seen = target_in[:, None, None, :] != mixed
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, seen, (source != self.pad_id)[:, None, None, :]))


@misconception("Transformer", "transformer-ids-and-causal")
class IdsAndCausal(Transformer):
    """Brackets are missing in your decoder's mask: `&` comes before `!=`, so `causal & ids` is taken first.

    In Python `a & b != c` means `(a & b) != c`. Which comparison needs brackets of its own?
    """

    def decode(self, target_in, memory, source):
        places = torch.arange(target_in.shape[1], device=target_in.device)
        mixed = (places <= places[:, None]) & target_in[:, None, None, :]
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, mixed != self.pad_id, (source != self.pad_id)[:, None, None, :]))


@misconception("Transformer", "transformer-padding-row-frozen")
class PaddingRowFrozen(Transformer):
    """Your logits are right, but no gradient reaches padding's row of a table, as with `padding_idx`.

    Padding has an embedding like any other token, and its own positions read it. Look the ids up as they are.
    """

    def _embed(self, ids, embedding):
        real = (ids != self.pad_id)[..., None]
        tokens = super()._embed(ids, embedding)
        return torch.where(real, tokens, tokens.detach())
