"""What goes wrong in `BertClassifier` before `[CLS]` is read: embedding, blocks and mask."""

import torch

from reference.ch10_bert import BertClassifier
from reference.misconceptions import misconception


@misconception("BertClassifier", "bert-classifier-no-mask")
class NoMask(BertClassifier):
    """You do not hand on the mask, so padding takes part in every text.

    Follow `mask` from your signature. Which layers can hide padding, and do they get it?

    Every block gets it: `block(x, mask)`.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments)


@misconception("BertClassifier", "bert-classifier-mask-once")
class MaskOnce(BertClassifier):
    """Only the first block gets the mask.

    What is hidden in the first block shows again in the second. Which blocks attend?

    Hand it to each of them: `block(x, mask)`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for number, block in enumerate(self.blocks):
            x = block(x, None if number else mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-mask-inverted")
class MaskInverted(BertClassifier):
    """You invert the mask: the model sees only what should be hidden.

    True means "may attend" in the whole course; hand the mask on as it is.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, None if mask is None else ~mask)


@misconception("BertClassifier", "bert-classifier-causal")
class Causal(BertClassifier):
    """Your `[CLS]` sees only itself, and no other word of its text.

    BERT looks both ways: each block reads all positions, with the given mask and nothing else. Is there a causal mask,
    are batch and positions swapped, or is `[CLS]` cut out before the blocks?
    """

    def forward(self, ids, segments, mask=None):
        length = ids.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        return super().forward(ids, segments, causal if mask is None else causal & mask)


@misconception("BertClassifier", "bert-classifier-segments-ignored")
class SegmentsIgnored(BertClassifier):
    """You do not use the segments: all are 0 in your model.

    Follow `segments` from your signature. How would the model know where the second sentence begins?

    The embedding takes both: `self.embedding(ids, segments)`.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, torch.zeros_like(segments), mask)


@misconception("BertClassifier", "bert-classifier-arguments-swapped")
class ArgumentsSwapped(BertClassifier):
    """Your embedding gets ids where it expects segments, most likely because the two are swapped.

    Both are (B, T) and int64; only the small table of segments complains. In which order does the embedding's
    `forward` name them?

    Ids first: `self.embedding(ids, segments)`.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(segments, ids, mask)


@misconception("BertClassifier", "bert-classifier-pre-norm")
class PreNorm(BertClassifier):
    """Your blocks normalise what goes into them, not the sum that comes out.

    BERT is post-norm, like the Transformer of 2017: leave `norm_first=False` as it is given.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for block in self.blocks:
            block.norm_first = True


@misconception("BertClassifier", "bert-classifier-relu-blocks")
class ReluBlocks(BertClassifier):
    """Your blocks have a ReLU inside.

    BERT has a GELU there: leave `activation="gelu"` as it is given.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for block in self.blocks:
            block.feed_forward[1] = torch.nn.ReLU()


@misconception("BertClassifier", "bert-classifier-not-chained")
class NotChained(BertClassifier):
    """Each of your blocks reads the embedding, so only the last block counts.

    Two blocks in a row: write down what the second one reads. It must be what the first one gave.

    Give each result the name that the next block reads: `x = block(x, mask)`.
    """

    def forward(self, ids, segments, mask=None):
        embedded = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(embedded, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-one-block-repeated")
class OneBlockRepeated(BertClassifier):
    """You use the first block again and again.

    There are `num_blocks` of them, each with weights of its own: loop over `self.blocks`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for _ in self.blocks:
            x = self.blocks[0](x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-first-block-only")
class FirstBlockOnly(BertClassifier):
    """Only the first block is used (a `return` inside the loop does that).

    Send x through all of them, then pool and classify.
    """

    def forward(self, ids, segments, mask=None):
        x = self.blocks[0](self.embedding(ids, segments), mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-no-blocks")
class NoBlocks(BertClassifier):
    """The blocks do not count: you classify the embedding, whose `[CLS]` has seen no other word.

    A block does not change x in place. What happens to the tensor that it returns?

    Keep what a block returns: `x = block(x, mask)`.
    """

    def forward(self, ids, segments, mask=None):
        return self.head(torch.tanh(self.pooler(self.embedding(ids, segments)[:, 0])))


@misconception("BertClassifier", "bert-classifier-residual")
class Residual(BertClassifier):
    """You add x to what a block returns.

    Look inside `EncoderBlock`: how often does it add its input already?

    The residuals are inside the blocks: `x = block(x, mask)`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = x + block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-norm-twice")
class NormTwice(BertClassifier):
    """You normalise the embedding a second time.

    `self.embedding` ends with its norm; hand its result to the first block as it is.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding.norm(self.embedding(ids, segments))
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-first-segment")
class FirstSegment(BertClassifier):
    """Your blocks read one sentence only: everything outside segment 0 is hidden.

    Both sentences are there to be compared; the segments are for the embedding, the mask says what is hidden.
    """

    def forward(self, ids, segments, mask=None):
        first = (segments == 0)[:, None, None, :]
        return super().forward(ids, segments, first if mask is None else first & mask)


@misconception("BertClassifier", "bert-classifier-own-padding-mask")
class OwnPaddingMask(BertClassifier):
    """Without a mask you make one that hides every token 0.

    The model does not know which id is padding, or whether any is: hand on the mask as it is, `None` too.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, (ids != 0)[:, None, None, :] if mask is None else mask)


@misconception("BertClassifier", "bert-classifier-last-mask-kept")
class LastMaskKept(BertClassifier):
    """You keep the mask of an earlier text, and use it where none is given.

    Without a mask nothing is hidden. Whose padding would an old mask hide? Use the argument, and keep nothing.
    """

    def forward(self, ids, segments, mask=None):
        self.kept = vars(self).get("kept") if mask is None else mask
        return super().forward(ids, segments, self.kept)


@misconception("BertClassifier", "bert-classifier-first-mask-kept")
class FirstMaskKept(BertClassifier):
    """You keep the first mask, and use it wherever a later one has the same shape.

    Each batch has its padding elsewhere, so each call has a mask of its own. Use the argument, and keep nothing.
    """

    def forward(self, ids, segments, mask=None):
        kept = vars(self).setdefault("kept", {})
        if mask is not None:
            mask = kept.setdefault(tuple(mask.shape), mask)
        return super().forward(ids, segments, mask)


@misconception("BertClassifier", "bert-classifier-blind-mask-dropped")
class BlindMaskDropped(BertClassifier):
    """You look at what the mask hides, and drop it for all texts if some query would have nothing left to read.

    A query that may attend to nothing gets a context of zero, and the blocks take care of that. Hand on the mask as it
    is.
    """

    def forward(self, ids, segments, mask=None):
        if mask is not None and not mask.is_meta and not bool(mask.any(-1).all()):
            mask = None
        return super().forward(ids, segments, mask)
