"""What goes wrong in `BertEmbedding`."""

import torch
from torch.nn import functional

from reference.ch10_bert import BertEmbedding
from reference.misconceptions import misconception


@misconception("BertEmbedding", "bert-embedding-no-norm")
class NoNorm(BertEmbedding):
    """You do not normalise the sum.

    The blocks of BERT hand on normalised vectors, and the first one expects them too: `self.norm(...)` around all
    three.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.token(ids) + self.position(places) + self.segment(segments)


@misconception("BertEmbedding", "bert-embedding-segments-forgotten")
class SegmentsForgotten(BertEmbedding):
    """You do not use the segments.

    Without them a word does not know in which sentence it stands. Which of the three tables do you never ask?

    Add `self.segment(segments)` before the norm.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places))


@misconception("BertEmbedding", "bert-embedding-no-positions")
class NoPositions(BertEmbedding):
    """You forget the positions.

    Attention sees no order, so add `self.position` of 0, 1, ..., T - 1 before the norm.
    """

    def forward(self, ids, segments):
        return self.norm(self.token(ids) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-norm-before-adding")
class NormBeforeAdding(BertEmbedding):
    """You normalise the token's vector alone, and add position and segment to it afterwards.

    First the sum of all three, then one norm: what goes into the first block is normalised.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids)) + self.position(places) + self.segment(segments)


@misconception("BertEmbedding", "bert-embedding-norm-each")
class NormEach(BertEmbedding):
    """You normalise each of the three vectors before you add them.

    First the sum of all three, then one norm.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids)) + self.norm(self.position(places)) + self.norm(self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-segment-after-norm")
class SegmentAfterNorm(BertEmbedding):
    """You add the segment after the norm.

    All three are added first; the norm comes last.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places)) + self.segment(segments)


@misconception("BertEmbedding", "bert-embedding-scaled")
class Scaled(BertEmbedding):
    """You scale the tokens by √D.

    That belongs to the Transformer of 2017 with its fixed positions. Here all tables are learned, and nothing is
    scaled.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        tokens = self.token(ids) * self.token.embedding_dim**0.5
        return self.norm(tokens + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-by-id")
class PositionsById(BertEmbedding):
    """You look up the positions by the ids of the tokens.

    A position is where a token stands, whatever it is. Write down the positions of the ids 7, 7, 3.

    They are 0 to T - 1: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids, segments):
        return self.norm(self.token(ids) + self.position(ids) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-by-segment")
class PositionsBySegment(BertEmbedding):
    """You look up the positions by the segments.

    A position is where a token stands. Write down the positions of five tokens whose segments are 0, 0, 0, 1, 1.

    They are 0 to T - 1: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids, segments):
        return self.norm(self.token(ids) + self.position(segments) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-along-batch")
class PositionsAlongBatch(BertEmbedding):
    """Your positions run along the batch: all tokens of a text share one, and each text has another.

    `ids` is (B, T). Count along the second axis, `ids.shape[1]`, and let the rows share the result.
    """

    def forward(self, ids, segments):
        rows = torch.arange(len(ids), device=ids.device)[:, None]
        return self.norm(self.token(ids) + self.position(rows) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-from-one")
class PositionsFromOne(BertEmbedding):
    """Your positions begin with 1.

    They begin with 0; row 0 of the table is for the first token.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places + 1) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-one-position")
class OnePosition(BertEmbedding):
    """Every token gets position 0.

    Which row of the table belongs to token 2, and which one to token t?

    Token t gets row t of the table: look up `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places * 0) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-reversed")
class PositionsReversed(BertEmbedding):
    """Your positions count backwards.

    The first token has position 0, the last one T - 1.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places.flip(0)) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-product")
class Product(BertEmbedding):
    """You multiply the vectors where they should be added.

    Put `+` between token, position and segment: each table adds what it knows.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) * self.position(places) * self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-bare-norm")
class BareNorm(BertEmbedding):
    """You normalise without the scale and shift of `self.norm`.

    Both are learned: call `self.norm` itself instead of `functional.layer_norm` without weights.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        summed = self.token(ids) + self.position(places) + self.segment(segments)
        return functional.layer_norm(summed, summed.shape[-1:])


@misconception("BertEmbedding", "bert-embedding-norm-of-all")
class NormOfAll(BertEmbedding):
    """You normalise over the positions as well as the features.

    A layer norm looks at one vector at a time: the last axis, D, alone.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        summed = self.token(ids) + self.position(places) + self.segment(segments)
        unit = functional.layer_norm(summed, summed.shape[-2:])
        return unit * self.norm.weight + self.norm.bias


@misconception("BertEmbedding", "bert-embedding-unbiased")
class Unbiased(BertEmbedding):
    """You normalise with the unbiased standard deviation, and without the small number under the root.

    `self.norm` has the variance of torch's layer norm, divided by D, with its own eps inside the root: call it.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        summed = self.token(ids) + self.position(places) + self.segment(segments)
        centred = summed - summed.mean(dim=-1, keepdim=True)
        unit = centred / summed.std(dim=-1, keepdim=True)
        return unit * self.norm.weight + self.norm.bias


@misconception("BertEmbedding", "bert-embedding-concatenated")
class Concatenated(BertEmbedding):
    """You put the three vectors side by side: the result is 3 D wide.

    They are added, so that the width stays D.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        parts = (
            self.token(ids),
            self.position(places).expand(*ids.shape, -1),
            self.segment(segments),
        )
        return torch.cat([self.norm(part) for part in parts], dim=-1)


@misconception("BertEmbedding", "bert-embedding-detached")
class Detached(BertEmbedding):
    """No gradient comes back to the tables: something is detached, or runs under `no_grad`.

    Token, position and segment are all learned; keep them in the graph.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        summed = self.token(ids) + self.position(places) + self.segment(segments)
        return self.norm(summed.detach())


@misconception("BertEmbedding", "bert-embedding-float32")
class Float32(BertEmbedding):
    """Your result is float32 whatever the model is.

    The dtype is that of the parameters; leave out `.float()`.
    """

    def forward(self, ids, segments):
        return super().forward(ids, segments).float()


@misconception("BertEmbedding", "bert-embedding-places-anew")
class PlacesAnew(BertEmbedding):
    """You count the positions anew in each segment.

    They run from 0 to T - 1 through the whole text. In which sentence a word stands is what the segments say.
    """

    def forward(self, ids, segments):
        places = (segments[:, :, None] == segments[:, None, :]).tril().sum(dim=-1) - 1
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))
