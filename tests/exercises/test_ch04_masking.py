"""Checks of chapter 4: two masks, what joins them, and what a softmax makes of them.

d is a power of 4, so that a root rounded to float32 costs nothing, or the tolerance allows it.
"""

import torch

from autograder.suite import Agree, Draw, exercise, near

FORBIDDEN = {
    "masked_attention": (
        *("scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"),
        "scaled_dot_product_attention_math",  # what the first one calls, as is the next
        "scaled_dot_product_flash_attention_for_cpu",
    )
}
RETURNS = {"masked_attention": ("output", "weights")}
F64, F32 = torch.float64, torch.float32
SCORES = torch.tensor([[7, 1, 1, 1], [1, 6, 2, 1], [1, 3, 6, 1], [1, 3, 3, 3]], dtype=F64) / 10
WEIGHTS = torch.tensor([[1, 0, 0, 0], [0.38, 0.62, 0, 0], [0.26, 0.32, 0.43, 0], [0.21, 0.26, 0.26, 0.26]], dtype=F64)
TRIANGLE = torch.ones(4, 4, dtype=torch.bool).tril()


def words(draw: Draw, axes: str, pad_id: int) -> torch.Tensor:
    """Ids from 0 to 50, any but `pad_id`; the first is the smallest of all, the last the largest."""
    ids = draw.integers(axes, 0, 50)
    ids += ids >= pad_id
    ids[0, 0], ids[0, -1] = (0 if pad_id else 1), 50
    return ids


def lacking(weights: torch.Tensor, mask: torch.Tensor) -> str:
    """Return what is wrong, a row that does not sum to 1 or a forbidden weight that is not 0; "" if nothing is."""
    sums, hidden = weights.sum(-1).flatten(), weights[~mask.expand_as(weights)]
    if not near(sums, 1):
        return f"a row sums to {sums[(sums - 1).abs().argmax()]:.7g}"
    return f"a forbidden weight is {hidden.abs().max():.4g}" if hidden.any() else ""


def with_dead_rows(mask: torch.Tensor) -> torch.Tensor:
    """The first sentence's first query sees nothing, and so do all queries of the last sentence."""
    mask = mask.clone()
    mask[0, ..., 0, :] = False
    mask[-1] = False
    return mask


def last_query_sees_all(mask: torch.Tensor) -> torch.Tensor:
    """No key is hidden from all queries."""
    mask = mask.clone()
    mask[..., -1, :] = True
    return mask


def first_sentence_whole(mask: torch.Tensor) -> torch.Tensor:
    """The first sentence hides nothing, and the second one hides its first key."""
    mask = mask.clone()
    mask[0] = True
    mask[1, ..., 0], mask[1, ..., 1] = False, True
    return mask


@exercise("padding_mask", points=1, level="property")
def test_words_may_be_attended_to_and_padding_may_not(agree: Agree, draw: Draw) -> None:
    """(B, 1, 1, T): all True for a sentence without padding, all False for one of nothing but padding"""
    pad_id = draw.random.randrange(10, 40)
    ids = words(draw, "B T", pad_id)
    ids[-1] = pad_id
    says = "the first sentence, without padding, is all True; the last, all padding, is all False"
    agree.satisfies(says, lambda r: bool(r[0].all() and not r[-1].any()), ids, pad_id)


@exercise("padding_mask", points=1, level="values")
def test_padding_may_have_any_id(agree: Agree, draw: Draw) -> None:
    """padding after the words is hidden, whether its id is 0, 7 or the largest of all; ids may be large and close"""
    draw.fix(T=draw.random.randrange(5, 10))
    for pad_id in (0, 7, 51):
        ids = words(draw, "B T", pad_id)
        ids[0, 1], ids[0, 2] = pad_id + 256, pad_id + 2**16
        ids[0, -1], ids[1, 1:] = pad_id, pad_id
        agree(ids, pad_id)
    for pad_id in (100_277, 2**24 + 1):
        ids = pad_id + draw.integers("B T", -2, 3)
        ids[0, :3] = pad_id + torch.arange(-1, 2)
        agree(ids, pad_id)


@exercise("padding_mask", points=1, level="values")
def test_padding_may_stand_anywhere(agree: Agree, draw: Draw) -> None:
    """padding in front of the words and between them is hidden as well"""
    draw.fix(T=draw.random.randrange(5, 10))
    pad_id = draw.random.randrange(10, 40)
    for early, late in ((0, 1), (1, 0)):
        ids = words(draw, "B T", pad_id)
        ids[early, :2], ids[late, 2:4] = pad_id, pad_id
        agree(ids, pad_id)


@exercise("padding_mask", points=1, level="edges")
def test_padding_mask_of_a_single_word_and_on_any_device(agree: Agree, draw: Draw) -> None:
    """one sentence and one word keep their axes, and no device is hard-coded"""
    agree(words(draw, "1 T", 3), 3)
    agree(words(draw, "B 1", 3), 3)
    agree.on_meta(words(draw, "B T", 3), 3)


@exercise("causal_mask", points=1, level="property")
def test_a_query_sees_itself_and_nothing_after(agree: Agree, draw: Draw) -> None:
    """each query sees its own position and none after it"""
    draw.fix(T=draw.random.randrange(4, 10))
    says = "each query sees itself and none after it: the diagonal is True, all above it False"
    agree.satisfies(says, lambda r: bool(r.diagonal().all() and not r.triu(1).any()), draw.size("T"))


@exercise("causal_mask", points=1, level="values")
def test_without_a_past_the_mask_is_a_triangle(agree: Agree, draw: Draw) -> None:
    """query i sees the keys 0 to i"""
    for length in (4, draw.random.randrange(5, 10)):
        agree(length)


@exercise("causal_mask", points=1, level="values")
def test_earlier_keys_are_seen_by_every_new_query(agree: Agree, draw: Draw) -> None:
    """with earlier keys, query i sees the keys 0 to past + i"""
    length, past = draw.random.sample((3, 5, 7, 9), 2)
    agree(length, past)
    agree(past, past=length)


@exercise("causal_mask", points=1, level="edges")
def test_masks_of_one_word_and_of_many(agree: Agree, draw: Draw) -> None:
    """a single query, with and without a past, more than a hundred keys, a past of thousands; torch's default device"""
    agree(1)
    agree(1, draw.random.randrange(2, 10))
    agree(draw.random.randrange(71, 90, 2), draw.random.randrange(41, 60, 2))
    agree(3, 2100)
    agree.on_meta(3, 2)


@exercise("combine_masks", points=1, level="property")
def test_what_passes_is_allowed_by_every_mask(agree: Agree, draw: Draw) -> None:
    """no pair passes if any mask forbids it"""
    masks = [draw.mask("Tq Tk") for _ in range(3)]
    verdicts = ("110", "101", "011", "001")  # of the three masks, on four pairs: 1 allows
    for pair, verdict in zip(((0, 0), (0, 1), (1, 0), (1, 1)), verdicts, strict=True):
        for mask, allows in zip(masks, verdict, strict=True):
            mask[pair] = allows == "1"
        for mask in masks:
            mask[-1, -1] = True
    says, forbidden = "no pair passes if any mask forbids it, and another does", ~torch.stack(masks).all(dim=0)
    holds = lambda r: bool(r.any()) and not forbidden[r].any()  # noqa: E731
    agree.satisfies(says, holds, *masks, shows=lambda r: f"{forbidden[r].sum()} forbidden pairs pass, of {r.sum()}")


@exercise("combine_masks", points=1, level="values")
def test_masks_of_one_shape_are_joined_by_and(agree: Agree, draw: Draw) -> None:
    """with two, three or six masks, one of them given twice, all must allow a pair; no argument is overwritten"""
    for count in (2, 3, 6, 2):
        agree(*(draw.mask("B H Tq Tk") for _ in range(count)))
    twice = draw.mask("B H Tq Tk")
    agree(twice, twice)
    agree(twice, draw.mask("B H Tq Tk"), twice)


@exercise("combine_masks", points=1, level="values")
def test_padding_and_causal_masks_broadcast(agree: Agree, draw: Draw) -> None:
    """(B, 1, 1, T) and (T, T) make (B, 1, T, T), in either order, and heads may join in"""
    padding, triangle = draw.mask("B 1 1 T"), torch.ones(draw.shape("T T"), dtype=torch.bool).tril()
    padding[0, ..., 0], padding[0, ..., -1] = True, False  # the last key is hidden by both
    agree(padding, triangle)
    agree(triangle, padding)
    agree(triangle, padding, draw.mask("H 1 1"))
    agree(draw.mask("T 1"), draw.mask("T"), draw.mask("B 1 1 1"))


@exercise("combine_masks", points=1, level="edges")
def test_none_is_skipped(agree: Agree, draw: Draw) -> None:
    """None among the masks is skipped, wherever it comes; with nothing but None, or no arguments, the answer is None"""
    first, second = draw.mask("Tq Tk"), draw.mask("B 1 1 Tk")
    agree(first, None, second)
    agree(None, first, second)
    agree(second, None)
    agree(None, None)
    agree()


@exercise("combine_masks", points=1, level="edges")
def test_one_mask_and_masks_on_any_device(agree: Agree, draw: Draw) -> None:
    """a single mask comes back as it is, also one that allows all, as two of them may; no device is hard-coded"""
    agree(draw.mask("B 1 1 T"))
    agree(draw.mask("B 1 1 T") | True)
    agree(draw.mask("B 1 1 T") | True, draw.mask("T T") | True)
    agree.on_meta(draw.mask("B 1 1 T"), None, draw.mask("B 1 T T"))


@exercise("additive_mask", points=1, level="property")
def test_added_to_scores_it_keeps_or_removes(agree: Agree, draw: Draw) -> None:
    """added to scores, it leaves the allowed ones as they are and makes the others -inf"""
    mask, scores = draw.mask("B H Tq Tk"), draw("B H Tq Tk")
    after = scores.masked_fill(~mask, float("-inf"))
    says = "added to scores, it leaves the allowed ones as they are and makes the others -inf"
    agree.satisfies(says, lambda r: bool((scores + r == after).all()), mask, F64)


@exercise("additive_mask", points=1, level="values")
def test_allowed_is_zero_and_forbidden_minus_infinity(agree: Agree, draw: Draw) -> None:
    """0 where allowed, -inf where not, for masks of any shape, including all True and all False"""
    for axes in ("Tq Tk", "B 1 1 Tk", "B H Tq Tk", "Tk"):
        agree(draw.mask(axes), F64)
    agree(draw.mask("Tq Tk") | True, F64)
    agree(draw.mask("Tq Tk") & False, F64)


@exercise("additive_mask", points=1, level="values")
def test_the_printed_scores_get_their_printed_weights(agree: Agree, draw: Draw) -> None:
    """a softmax of the table's scores plus the causal mask gives the table's weights; and so for any scores and mask"""
    says = "softmax(scores + mask) is the table's 1 | .38 .62 | .26 .32 .43 | .21 .26 .26 .26"
    agree.satisfies(says, lambda r: near(torch.softmax(SCORES + r, -1), WEIGHTS, 0.01), TRIANGLE, F64)
    scores, mask = draw("Tq Tk"), draw.mask("Tq Tk")
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
    says = "softmax(scores + mask) is a softmax of the scores where the mask is True, and 0 elsewhere"
    agree.satisfies(says, lambda r: near(torch.softmax(scores + r, -1), weights, 0.01), mask, F64)


@exercise("additive_mask", points=1, level="edges")
def test_dtype_is_the_one_asked_for(agree: Agree, draw: Draw) -> None:
    """the dtype is as asked for, half precision too; a single entry keeps its axes, and no device is hard-coded"""
    for dtype in (F32, F64, torch.float16, torch.bfloat16):
        agree(draw.mask("Tq Tk"), dtype)
        agree(draw.mask("1 1"), dtype)
    agree.on_meta(draw.mask("B 1 1 Tk"), F32)


@exercise("masked_softmax", points=1, level="property")
def test_allowed_weights_sum_to_one_and_others_are_zero(agree: Agree, draw: Draw) -> None:
    """each row sums to 1, and forbidden weights are exactly 0"""
    mask, scores = last_query_sees_all(draw.mask("B H Tq Tk")), draw("B H Tq Tk")
    mask[0, 0, 0, :2] = torch.tensor([False, True])
    scores[0, 0, 0, 0] = 40.0  # a forbidden score far above the allowed ones
    says = "rows sum to 1, forbidden weights are exactly 0"
    agree.satisfies(says, lambda r: not lacking(r, mask), scores, mask, shows=lambda r: lacking(r, mask))


@exercise("masked_softmax", points=1, level="property")
def test_a_forbidden_score_changes_nothing(agree: Agree, draw: Draw) -> None:
    """whatever a forbidden score is, even a million, the weights stay the same"""
    draw.shape("2")  # the axis on which two versions lie: no other has its size
    scores, mask = draw("Tq Tk"), draw.mask("Tq Tk")
    mask[0, :3], mask[1, :3] = torch.tensor([True, True, False]), torch.tensor([False, False, True])
    mask[2:, :2] = torch.tensor([False, True])  # no row is allowed as a whole, and none is dead
    says = "result[0] equals result[1], and is not all 0: their scores differ only where the mask forbids"
    for other in (draw("Tq Tk", scale=5.0), draw("Tq Tk") + 1e6, draw("Tq Tk") - 1e6):
        both = torch.stack([scores, torch.where(mask, scores, other)])
        agree.satisfies(says, lambda r: near(r[0], r[1]) and bool(r.any()), both, mask)


@exercise("masked_softmax", points=1, level="values")
def test_masks_broadcast_to_the_scores(agree: Agree, draw: Draw) -> None:
    """softmax among the allowed scores, for masks with as many axes as the scores or fewer"""
    for axes in ("B H Tq Tk", "B 1 1 Tk", "Tq Tk", "B 1 Tq Tk", "H 1 Tk", "Tk", "B 1 Tq 1", "H 1 1"):
        agree(draw("B H Tq Tk"), draw.mask(axes))
    agree(draw("2 1 H Tq Tk"), draw.mask("H Tq Tk"))
    agree(draw("B Tq Tk"), draw.mask("B 1 Tk"))
    agree(draw("Tq Tk"), draw.mask("Tq Tk"))


@exercise("masked_softmax", points=1, level="values")
def test_the_printed_table_of_weights(agree: Agree, draw: Draw) -> None:
    """the table's four rows become 1 | .38 .62 | .26 .32 .43 | .21 .26 .26 .26; and so for any scores"""
    agree(SCORES, TRIANGLE)
    agree(draw("4 4"), TRIANGLE)


@exercise("masked_softmax", points=1, level="edges")
def test_a_row_that_allows_nothing_is_zero(agree: Agree, draw: Draw) -> None:
    """a query that may attend to nothing gets zero weights; the other rows are as usual"""
    draw.fix(B=draw.random.randrange(3, 8))
    scores = draw("B H Tq Tk")
    agree(scores, with_dead_rows(last_query_sees_all(draw.mask("B H Tq Tk"))))
    agree(scores, with_dead_rows(first_sentence_whole(draw.mask("B 1 1 Tk"))))
    agree(scores, draw.mask("Tq Tk") & False)


@exercise("masked_softmax", points=1, level="edges")
def test_gradients_are_finite_even_through_dead_rows(agree: Agree, draw: Draw) -> None:
    """gradients reach the allowed scores, and a row that allows nothing gives zeros, not NaN"""
    scores, mask = draw("B H Tq Tk"), last_query_sees_all(draw.mask("B 1 Tq Tk"))
    scores[0, 0, 0, 0], mask[0, 0, 0, :2] = 40.0, torch.tensor([False, True])
    agree(scores, mask, gradients=True)
    agree(scores, with_dead_rows(last_query_sees_all(draw.mask("B 1 Tq Tk"))), gradients=True)


@exercise("masked_softmax", points=1, level="edges")
def test_scores_of_any_size(agree: Agree, draw: Draw) -> None:
    """scores of 0, around a million, around minus a million and far apart give the right weights"""
    mask = first_sentence_whole(draw.mask("B 1 1 Tk"))
    apart = 1000.0 * torch.arange(draw.size("Tq"), dtype=F64)[:, None]
    for offset in (1e6, -1e6, apart):
        agree(draw("B H Tq Tk") + offset, mask)
    zeros = draw("B H Tq Tk")
    zeros[..., 1::2] = 0
    agree(zeros, mask)
    agree(torch.where(mask, draw("B H Tq Tk") - 9e5, draw("B H Tq Tk") + 9e5), mask, gradients=True)
    agree(draw("2 1 Tq 70"), draw.mask("2 1 1 70"))
    scores = draw("B H Tq Tk", scale=1000.0)
    scores[0, ..., :2] = 9000.0 + draw("B H Tq Tk")[0, ..., :2]  # two that share all the weight, and have gradients
    agree(scores, mask, gradients=True)


@exercise("masked_softmax", points=1, level="edges")
def test_softmax_keeps_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """a single score, query or key keeps its axes, and a single query its mask; dtype and device stay"""
    agree(draw("1 1 1 1"), draw.mask("1 1"))
    scores, mask = draw("B H 1 Tk"), draw.mask("B 1 1 Tk")
    scores[0, 0, 0, 0], mask[0, 0, 0, :2] = 40.0, torch.tensor([False, True])
    agree(scores, mask)
    agree(draw("B H Tq 1"), draw.mask("B 1 Tq 1"))
    agree(draw("B H Tq Tk", dtype=F32) - 9, draw.mask("Tq Tk"))
    agree.on_meta(draw("B H Tq Tk"), draw.mask("B 1 1 Tk"))


@exercise("masked_attention", points=1, level="property")
def test_attention_is_shared_among_the_allowed_keys(agree: Agree, draw: Draw) -> None:
    """each query's weights sum to 1, and forbidden ones are exactly 0"""
    draw.fix(d=4)
    inputs, mask = (draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e")), draw.mask("B H Tq Tk")
    says = "rows of the weights sum to 1, forbidden weights are exactly 0"
    agree.satisfies(says, lambda r: not lacking(r[1], mask), *inputs, mask, shows=lambda r: lacking(r[1], mask))


@exercise("masked_attention", points=1, level="property")
def test_a_forbidden_key_changes_nothing(agree: Agree, draw: Draw) -> None:
    """whatever a forbidden position holds, in k or as a million in v, the output stays the same"""
    draw.shape("2")  # the axis on which two versions lie: no other has its size
    q, k, v, mask = draw("H Tq 4"), draw("H Tk 4"), draw("H Tk e"), draw.mask("Tk")
    mask[:2] = torch.tensor([True, False])
    says = "output[0] equals output[1]: k and v differ only at forbidden keys"
    q[:, 0] = 1.0
    hidden = ~mask[:, None]
    for key in (3.0, 1e4):
        pairs = (torch.stack([q, q]), torch.stack([k, k.masked_fill(hidden, key)]))
        values = torch.stack([v, v.masked_fill(hidden, 1e6)])
        agree.satisfies(says, lambda r: near(r[0][0], r[0][1]), *pairs, values, mask)


@exercise("masked_attention", points=1, level="values")
def test_masked_attention_is_softmax_of_allowed_scores_times_v(agree: Agree, draw: Draw) -> None:
    """weights = softmax(q kᵀ / √d + M), output = weights v, for masks that broadcast; d = 256; one tensor as q, k, v"""
    draw.fix(d=4)
    for axes in ("B H Tq Tk", "B 1 1 Tk", "Tq Tk", "B 1 Tq Tk", "H Tq Tk", "H 1 Tk", "Tk", "B 1 Tq 1"):
        agree(draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e"), draw.mask(axes))
    agree(draw("B H Tq 16"), draw("B H Tk 16"), draw("B H Tk e"), draw.mask("B 1 1 Tk"))
    agree(draw("B H T d"), draw("B H T d"), draw("B H T e"), draw.mask("B 1 1 T"))
    agree(draw("B H Tq 11"), draw("B H Tk 11"), draw("B H Tk e"), draw.mask("B 1 1 Tk"), tolerance=1e-6)
    x, y = draw("B H Tq d"), draw("B H Tk d")
    agree(x, y, y, draw.mask("B 1 1 Tk"))
    agree(x, x, x, draw.mask("Tq Tq"))
    agree(x, x, draw("B H Tq e"))
    agree(draw("2 1 Tq 256"), draw("2 1 Tk 256"), draw("2 1 Tk e"), draw.mask("2 1 1 Tk"))
    agree(draw("2 1 Tq d"), draw("2 1 70 d"), draw("2 1 70 e"), draw.mask("2 1 1 70"))


@exercise("masked_attention", points=1, level="values")
def test_without_a_mask_every_key_counts(agree: Agree, draw: Draw) -> None:
    """without a mask, or with None, every query attends to every key"""
    draw.fix(d=4)
    inputs = (draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e"))
    agree(*inputs)
    agree(*inputs, mask=None)
    agree(*inputs, draw.mask("B 1 1 Tk") | True)


@exercise("masked_attention", points=1, level="edges")
def test_a_query_that_sees_nothing_gets_zeros(agree: Agree, draw: Draw) -> None:
    """a query that may attend to nothing has zero weights and a zero output"""
    draw.fix(d=4)
    inputs = (draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e"))
    agree(*inputs, with_dead_rows(draw.mask("B H Tq Tk")))
    agree(*inputs, with_dead_rows(draw.mask("B 1 1 Tk")))


@exercise("masked_attention", points=1, level="edges")
def test_gradients_reach_q_k_and_v_past_dead_rows(agree: Agree, draw: Draw) -> None:
    """gradients reach q, k and v, and stay finite where a query may attend to nothing"""
    draw.fix(d=4)
    inputs = (draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e"))
    agree(*inputs, gradients=True)
    agree(*inputs, draw.mask("B 1 Tq Tk"), gradients=True)
    agree(*inputs, with_dead_rows(draw.mask("B 1 Tq Tk")), gradients=True)


@exercise("masked_attention", points=1, level="edges")
def test_allowed_scores_may_be_very_large_or_low(agree: Agree, draw: Draw) -> None:
    """scores around ±150000, 1000 apart from query to query, or 0 get their weights, and forbidden keys none"""
    q, k, v = draw("B H Tq 4"), draw("B H Tk 4"), draw("B H Tk e")
    mask = first_sentence_whole(draw.mask("B 1 1 Tk"))
    for key in (-300.0, 300.0):
        q[..., 0], k[..., 0] = 1000.0, key  # every score lies around 1000 · key / 2
        agree(q, k, v, mask, tolerance=1e-7)
    agree(q, k.masked_fill(~mask.mT, -1e4), v, mask, tolerance=1e-4, gradients=True)
    agree(q, k.masked_fill(~mask.mT, 1e4), v, mask, tolerance=1e-4, gradients=True)
    q[..., 0], k[..., 0] = 1000.0 * torch.arange(draw.size("Tq")), 2.0
    agree(q, k, v, mask, tolerance=1e-7)
    agree(q, k, v, tolerance=1e-7)
    k[..., 1::2, :] = 0
    agree(draw("B H Tq 4"), k, v, mask)
    agree(draw("B H Tq 4"), k, v)


@exercise("masked_attention", points=1, level="edges")
def test_masked_attention_of_any_form(agree: Agree, draw: Draw) -> None:
    """no heads, no batch and axes of size 1 all work; dtype and device stay"""
    draw.fix(d=4)
    agree(draw("B Tq d"), draw("B Tk d"), draw("B Tk e"), draw.mask("B 1 Tk"))
    agree(draw("Tq d"), draw("Tk d"), draw("Tk e"), draw.mask("Tq Tk"))
    agree(draw("1 H 1 d"), draw("1 H 1 d"), draw("1 H 1 e"), draw.mask("1 1 1 1"))
    agree(draw("B 1 d"), draw("B Tk d"), draw("B Tk e"), draw.mask("B 1 Tk"))
    agree(draw("B 1 Tq 1"), draw("B 1 Tk 1"), draw("B 1 Tk 1"), draw.mask("B 1 1 Tk"))
    agree(*(draw("4 4 4 4") for _ in "qkv"), draw.mask("4 1 4 4"))
    inputs = (draw("B H Tq d"), draw("B H Tk d"), draw("B H Tk e"))
    floats = [part.float() for part in inputs]
    agree(*floats, draw.mask("Tq Tk"))
    agree.on_meta(*inputs, draw.mask("B 1 1 Tk"))
    agree.on_meta(*inputs)


def above(r: torch.Tensor) -> torch.Tensor:
    """What stands right of the diagonals."""
    return r[:, torch.ones(r.shape[1:], dtype=torch.bool).triu(1)]


@exercise("alibi", points=1, level="property")
def test_a_key_costs_nothing_at_the_query_and_everything_after_it(agree: Agree, draw: Draw) -> None:
    """in every head the diagonal is 0, everything right of it is -inf, and everything left of it is finite"""
    says = "the diagonal is 0, what stands right of it is -inf, and nothing else is"
    holds = lambda r: near(r.diagonal(0, 1, 2), 0) and above(r).isneginf().all() and r.tril(-1).isfinite().all()  # noqa: E731

    def shows(r: torch.Tensor) -> str:
        return f"the diagonal of head 1 begins with {r[0, 0, 0] + 0:.4g}, and right of it stands {r[0, 0, 1]:.4g}"

    for length in draw.random.sample(range(9, 80), 3):
        agree.satisfies(says, lambda r: bool(holds(r)), 8, length, shows=shows)


@exercise("alibi", points=1, level="property")
def test_each_of_eight_heads_asks_half_of_the_price(agree: Agree, draw: Draw) -> None:
    """with eight heads, each asks half of what the one before asks, and twice the distance costs twice as much"""
    first, second, third = draw.random.sample(range(9, 80), 3)
    says = "each head's prices are half of the previous head's, as the last row shows"
    for length in (first, second):
        agree.satisfies(says, lambda r: near(2 * r[1:, -1, :-1], r[:-1, -1, :-1]), 8, length)
    says = "two words away costs twice as much as one"
    agree.satisfies(says, lambda r: near(r.diagonal(-2, 1, 2), 2 * r[:, 1, 0, None]), 8, third)


@exercise("alibi", points=2, level="values")
def test_alibi_is_slope_times_distance(agree: Agree, draw: Draw) -> None:
    """-2^(-8 h / H) · (i - j) in head h = 1 ... H, for eight heads and for more or fewer"""
    for num_heads in (8, 4, 2, 16):
        agree(num_heads, draw.random.randrange(9, 50))
    agree(4, 4)


@exercise("alibi", points=1, level="edges")
def test_alibi_of_one_head_one_word_and_many(agree: Agree, draw: Draw) -> None:
    """a single head, a single word, two words, 64 heads, and a text of more than a hundred words"""
    agree(1, draw.random.randrange(9, 50))
    agree(8, 1)
    agree(1, 1)
    agree(2, 2)
    agree(64, draw.random.randrange(3, 7))
    agree(num_heads=2, length=draw.random.randrange(100, 150))


@exercise("alibi", points=1, level="edges")
def test_alibi_has_the_default_dtype(agree: Agree, draw: Draw) -> None:
    """dtype and device are torch's defaults, whatever was asked before"""
    length, more, most = draw.random.sample(range(9, 60), 3)
    for dtype in (F32, F64):
        agree.under(dtype).satisfies("the dtype is torch's default", lambda r: True, 4, length)
    agree.under(F32)(4, more)
    agree(4, most)
    agree.on_meta(4, length)
