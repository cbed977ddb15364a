"""Token vectors and positions that are scaled, counted or mixed wrongly."""

import math

import torch

from reference.ch08_decoder import Transformer
from reference.misconceptions import misconception


@misconception("Transformer", "transformer-positions-from-one")
class PositionsFromOne(Transformer):
    """Your positions begin with 1.

    The first token has position 0: its sines are 0 and its cosines are 1.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(1, ids.shape[1] + 1, dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-exponent-doubled")
class ExponentDoubled(Transformer):
    """Your exponent is twice as large as it should be; perhaps you double an i that steps by two already.

    With `torch.arange(0, D, 2)` the exponent is that number over D; `2 * i / D` is for i = 0, 1, 2, ...
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = 2 * torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-exponent-halved")
class ExponentHalved(Transformer):
    """Your exponent is i / D instead of 2i / D.

    i counts pairs of columns: pair i has the exponent 2i / D, which runs from 0 to nearly 1.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(self.width // 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-exponent-each-column")
class ExponentEachColumn(Transformer):
    """Each of your columns has a frequency of its own; a sine and its cosine must share one.

    Columns 2i and 2i + 1 have the same angle, t / 10000^(2i / D).
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        columns = torch.arange(self.width, dtype=tokens.dtype, device=ids.device)
        angles = places / 10000 ** (columns / self.width)
        waves = torch.where(columns % 2 == 0, angles.sin(), angles.cos())
        return tokens + waves


@misconception("Transformer", "transformer-frequencies-grow")
class FrequenciesGrow(Transformer):
    """You multiply the positions by 10000^(2i / D), so your waves get faster from column to column.

    Divide by it: t / 10000^(2i / D). The first pair is the fastest.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places * 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-cosine-first")
class CosineFirst(Transformer):
    """Your cosines are in the even columns and your sines in the odd ones.

    Sines come first: sin in the columns 0, 2, 4, ..., cos in 1, 3, 5, ...
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-sines-only")
class SinesOnly(Transformer):
    """Both columns of your pairs hold the sine.

    The odd columns hold the cosine of the same angle.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.sin()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-positions-of-batch")
class PositionsOfBatch(Transformer):
    """Your positions run along the batch: all tokens of a text share one.

    `ids` is (B, T): count along its second axis, `ids.shape[1]`, and let the rows share the result.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(len(ids), dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, None]
        return tokens + waves


@misconception("Transformer", "transformer-positions-of-ids")
class PositionsOfIds(Transformer):
    """You take the tokens' ids for their positions.

    A position is where a token stands, 0 to T - 1, whatever it is.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = ids[..., None].to(tokens.dtype)
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(2)
        return tokens + waves


@misconception("Transformer", "transformer-positions-of-longest")
class PositionsOfLongest(Transformer):
    """You add the positions of all `max_length` places, whatever the length of the text is.

    A text of T tokens gets T positions: cut the table, `[:T]`, or count up to `ids.shape[1]`.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(self.max_length, dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-scaled-by-width")
class ScaledByWidth(Transformer):
    """You multiply the token vectors by D, not by √D.

    Work it out for D = 64: by which number do you multiply, and what is √64?

    `embedding(ids) * math.sqrt(self.width)`, then add the positions.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * self.width
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-scaled-down")
class ScaledDown(Transformer):
    """You divide the token vectors by √D.

    Token vectors begin small, next to sines and cosines. Should the factor make them larger or smaller still?

    They are multiplied by √D: `embedding(ids) * math.sqrt(self.width)`, then add the positions.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) / math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-positions-multiplied")
class PositionsMultiplied(Transformer):
    """You multiply tokens and positions where they should be added.

    Scale the token vectors by √D, then `+` the positions.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens * waves


@misconception("Transformer", "transformer-positions-half-as-fast")
class PositionsNatural(Transformer):
    """Your base is not 10000.

    The paper's angles are t / 10000^(2i / D): look at the number of zeros, and at `log` if you use one.
    """

    def _embed(self, ids, embedding):
        tokens = embedding(ids) * math.sqrt(self.width)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 1000**rate
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        return tokens + waves


@misconception("Transformer", "transformer-not-scaled", "transformer-positions-halves")
class NotScaledHalves(Transformer):
    def _embed(self, ids, embedding):
        tokens = embedding(ids)
        places = torch.arange(ids.shape[1], dtype=tokens.dtype, device=ids.device)[:, None]
        rate = torch.arange(0, self.width, 2, dtype=tokens.dtype, device=ids.device) / self.width
        angles = places / 10000**rate
        waves = torch.cat([angles.sin(), angles.cos()], dim=-1)
        return tokens + waves


@misconception("Transformer", "transformer-positions-halves", "transformer-positions-float32")
class HalvesFloat32(Transformer):
    def _embed(self, ids, embedding):
        places = torch.arange(ids.shape[1], device=ids.device)[:, None]
        angles = places / 10000 ** (torch.arange(0, self.width, 2, device=ids.device) / self.width)
        return embedding(ids) * math.sqrt(self.width) + torch.cat([angles.sin(), angles.cos()], dim=-1)
