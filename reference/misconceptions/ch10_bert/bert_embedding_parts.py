"""Vectors that are counted, added or normalised wrongly in `BertEmbedding`."""

import torch
from torch.nn import functional

from reference.ch10_bert import BertEmbedding
from reference.misconceptions import misconception


@misconception("BertEmbedding", "bert-embedding-positions-restart")
class PositionsRestart(BertEmbedding):
    """Your positions start again at 0 where the segment changes.

    They count from 0 to T - 1 right through both sentences; the segments are told apart by a table of their own.
    """

    def forward(self, ids, segments):
        places = torch.zeros_like(ids)
        for t in range(1, ids.shape[1]):
            same = segments[:, t] == segments[:, t - 1]
            places[:, t] = torch.where(same, places[:, t - 1] + 1, 0)
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-second-sentence-restarts")
class SecondSentenceRestarts(BertEmbedding):
    """Your positions start again at 0 after the first sentence: you subtract its length where the segment is not 0.

    They count from 0 to T - 1 right through both sentences; the segments are told apart by a table of their own.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        first = (segments == 0).sum(dim=1, keepdim=True)
        places = torch.where(segments == 0, places, (places - first).clamp(min=0))
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-counted-by-batch")
class CountedByBatch(BertEmbedding):
    """You count as many positions as there are texts: `len(ids)` is B, not T.

    `ids` is (B, T): the number of positions is `ids.shape[1]`.
    """

    def forward(self, ids, segments):
        places = torch.arange(len(ids), device=ids.device)
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-whole-table")
class WholeTable(BertEmbedding):
    """You add the positions of all `max_length` places, whatever the length of the text is.

    A text of T tokens gets T positions: look up 0 to T - 1, on the device of `ids`, or cut the table,
    `self.position.weight[:T]`.
    """

    def forward(self, ids, segments):
        return self.norm(self.token(ids) + self.position.weight + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-norm-before-position")
class NormBeforePosition(BertEmbedding):
    """You add the position after the norm.

    All three are added first; the norm comes last.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.segment(segments)) + self.position(places)


@misconception("BertEmbedding", "bert-embedding-norm-of-token-and-segment")
class TokenAfterNorm(BertEmbedding):
    """You add the token after the norm.

    All three are added first; the norm comes last.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.token(ids) + self.norm(self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-no-token")
class NoToken(BertEmbedding):
    """You forget the tokens.

    Three vectors are added: those of the token, the position and the segment.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-averaged")
class Averaged(BertEmbedding):
    """You take the mean of the three vectors, not their sum.

    Add them: a mean is a third of the sum, and next to it the norm's eps, under the root, weighs more.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm((self.token(ids) + self.position(places) + self.segment(segments)) / 3)


@misconception("BertEmbedding", "bert-embedding-norm-twice")
class NormTwice(BertEmbedding):
    """You apply the norm twice.

    Once is enough, around the sum of all three.
    """

    def forward(self, ids, segments):
        return self.norm(super().forward(ids, segments))


@misconception("BertEmbedding", "bert-embedding-segment-table-of-ids")
class SegmentsOfIds(BertEmbedding):
    """You look up the segments with the tokens' ids.

    `self.segment(segments)`: the second argument says which sentence a token belongs to.
    """

    def forward(self, ids, segments):
        return super().forward(ids, ids % self.segment.num_embeddings)


@misconception("BertEmbedding", "bert-embedding-segment-of-first")
class SegmentOfFirst(BertEmbedding):
    """All tokens of a text get the segment of its first token.

    Each token has its own: `self.segment(segments)`, (B, T, D).
    """

    def forward(self, ids, segments):
        return super().forward(ids, segments[:, :1].expand_as(segments))


@misconception("BertEmbedding", "bert-embedding-arguments-swapped")
class ArgumentsSwapped(BertEmbedding):
    """You look up the segments with `ids`, which are too large for that table; perhaps both arguments are swapped.

    `self.token(ids)` and `self.segment(segments)`.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(segments) + self.position(places) + self.segment(ids))


@misconception("BertEmbedding", "bert-embedding-dropout")
class Dropout(BertEmbedding):
    """You add dropout, which this embedding does not have.

    Leave it out: `__init__` is given, and its parts are all there is.
    """

    def forward(self, ids, segments):
        return functional.dropout(super().forward(ids, segments), 0.1)


@misconception("BertEmbedding", "bert-embedding-device")
class Device(BertEmbedding):
    """You make the positions on the default device instead of the one where the ids lie.

    On a GPU the look-up would stop. What must you say about a tensor that is made from nothing?

    Make it where the ids lie: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1])
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-squeezed")
class Squeezed(BertEmbedding):
    """You squeeze the result, and with one text or one token an axis is gone.

    The answer is (B, T, D), whatever B and T are: leave out `squeeze()`.
    """

    def forward(self, ids, segments):
        return super().forward(ids, segments).squeeze()


@misconception("BertEmbedding", "bert-embedding-position-detached")
class PositionDetached(BertEmbedding):
    """No gradient comes back to your positions (detach, .data, or a new tensor).

    They are learned like the other two tables: look them up with `self.position(...)`.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(places).detach() + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-padding-zeroed")
class PaddingZeroed(BertEmbedding):
    """You set the vectors of token 0 to 0, as if it were padding.

    0 is a token like any other here: the mask of the blocks hides what must not be read.
    """

    def forward(self, ids, segments):
        return super().forward(ids, segments) * (ids != 0)[..., None]


@misconception("BertEmbedding", "bert-embedding-two-segments")
class TwoSegments(BertEmbedding):
    """You have two segments only: every number above 1 is looked up as 1.

    `num_segments` may be any number: `self.segment(segments)` as they are.
    """

    def forward(self, ids, segments):
        return super().forward(ids, segments.clamp(max=1))


@misconception("BertEmbedding", "bert-embedding-first-positions-kept")
class FirstPositionsKept(BertEmbedding):
    """You keep the positions of the first text, and use them for texts of any length.

    The next text may be longer or shorter. What belongs to one text is counted in each call.
    """

    def forward(self, ids, segments):
        if "places" not in vars(self):
            self.places = torch.arange(ids.shape[1], device=ids.device)
        return self.norm(self.token(ids) + self.position(self.places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-first-segments-kept")
class FirstSegmentsKept(BertEmbedding):
    """You keep the segments of an earlier text, and use them for every text of the same length.

    The border between two sentences is elsewhere in the next text. Read `segments` in each call.
    """

    def forward(self, ids, segments):
        kept = vars(self).setdefault("kept", {}).setdefault(tuple(ids.shape), segments)
        return super().forward(ids, kept)


@misconception("BertEmbedding", "bert-embedding-positions-without-zeros")
class PositionsWithoutZeros(BertEmbedding):
    """Your positions count only tokens other than 0, as if 0 were padding.

    So they stand still at an id of 0. Here no id is special: the first token has position 0, the next one 1, and so on.
    """

    def forward(self, ids, segments):
        places = (ids.ne(0).cumsum(dim=1) - 1).clamp(min=0)
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))


@misconception("BertEmbedding", "bert-embedding-positions-go-on")
class PositionsGoOn(BertEmbedding):
    """Your positions go on from one text to the next, as if the whole batch were one long text.

    Each text of a batch begins with position 0: there are T positions, the same ones for all texts.
    """

    def forward(self, ids, segments):
        places = torch.arange(ids.numel(), device=ids.device).view(ids.shape)
        return self.norm(self.token(ids) + self.position(places) + self.segment(segments))
