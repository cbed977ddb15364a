"""Checks of chapter 3: softmax, six ways to score, attention at once and in blocks.

d is a power of 4, so that a root rounded to float32 costs nothing, or the tolerance allows it; only
`scaled_dot_scores` must be precise.
Vectors for cosines are long, so that a small number added against division by 0 costs nothing.
"""

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near, part

ATTENTION = (
    *("scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"),
    *("scaled_dot_product_attention_math", "scaled_dot_product_flash_attention_for_cpu"),  # what the first one calls
)
FORBIDDEN = {
    "softmax": (
        *("softmax", "log_softmax", "softmin", "gumbel_softmax", "special_softmax", "special_log_softmax"),
        *("Softmax", "LogSoftmax", "Softmin", "Softmax2d"),
    ),
    "cosine_scores": ("cosine_similarity", "CosineSimilarity"),
    "scaled_dot_product_attention": ATTENTION,
    "SelfAttention": ATTENTION,
    "attention_in_blocks": ATTENTION,
}
RETURNS = {"scaled_dot_product_attention": ("output", "weights")}
NO = float("-inf")
NO_LOOKING_AHEAD = torch.tensor(
    [[0.7, NO, NO, NO], [0.1, 0.6, NO, NO], [0.1, 0.3, 0.6, NO], [0.1, 0.3, 0.3, 0.3]], dtype=torch.float64
)
LEADING = (
    *(("Tq d", "Tk d"), ("B Tq d", "B Tk d"), ("B H Tq d", "B H Tk d"), ("2 1 H Tq d", "2 1 H Tk d")),
    *(("1 1 d", "1 Tk d"), ("B Tq 1", "B 1 1")),
)


def width(axes: str) -> str:
    """Return the last axis of q or k."""
    return axes.split()[-1]


def away_from_zero(x: torch.Tensor) -> torch.Tensor:
    """Return numbers of the same signs that are all larger by 100."""
    return x + 100 * x.sign()


@exercise("softmax", points=1, level="property")
def test_weights_sum_to_one_along_dim(agree: Agree, draw: Draw) -> None:
    """the weights sum to 1 along dim"""
    agree.satisfies("with dim=1 the weights of each row sum to 1", lambda r: near(r.sum(1), 1), draw("T T"), 1)
    agree.satisfies("with dim=0 the weights of each column sum to 1", lambda r: near(r.sum(0), 1), draw("T T"), 0)


@exercise("softmax", points=1, level="property")
def test_softmax_ignores_a_common_shift(agree: Agree, draw: Draw) -> None:
    """a number added to a whole row of scores changes no weight"""
    draw.shape("2")  # the axis on which two versions lie: no other has its size
    scores = draw("T T")
    both = torch.stack([scores, scores + draw("T 1", scale=3.0)])
    says = "a number added to a whole row leaves its weights as they were, and some are not 0"
    agree.satisfies(says, lambda r: near(r[0], r[1]) and bool(r.any()), both, -1)


@exercise("softmax", points=1, level="values")
def test_softmax_runs_along_any_axis(agree: Agree, draw: Draw) -> None:
    """softmax(s)_i = exp(s_i) / Σ_j exp(s_j), along the axis dim"""
    agree(draw("T T"), 1)
    for dim in (1, 0, 2, -1, -2, -3):
        agree(draw("B Tq Tk"), dim)
    agree(draw("B H Tq 40"), 1)
    agree(draw("B H Tq 40"), -1)


@exercise("softmax", points=1, level="values")
def test_softmax_of_words_that_may_not_look_ahead(agree: Agree, draw: Draw) -> None:
    """the chapter's four rows become 1 | .38 .62 | .26 .32 .43 | .21 .26 .26 .26, 100000 lower too; 0 at every -inf"""
    agree(NO_LOOKING_AHEAD, -1)
    agree(NO_LOOKING_AHEAD.T - 1e5, 0)
    hidden = NO_LOOKING_AHEAD == NO
    shows = lambda r: f"a weight there is {r[hidden].abs().max():.4g}"  # noqa: E731
    says = "where the score is -inf the weight is exactly 0"
    agree.satisfies(says, lambda r: not r[hidden].any(), draw("4 4") + NO_LOOKING_AHEAD, -1, shows=shows)


@exercise("softmax", points=1, level="edges")
def test_softmax_survives_large_scores(agree: Agree, draw: Draw) -> None:
    """scores around 1000, around -1000 and far apart get the right weights and gradients, not NaN"""
    apart = draw("B T", scale=1000.0)
    apart[0] -= 9000.0
    for scores in (1000 + draw("B T"), -1000 + draw("B T"), apart):
        agree(scores, -1, gradients=True)


@exercise("softmax", points=1, level="edges")
def test_softmax_survives_rows_far_apart(agree: Agree, draw: Draw) -> None:
    """rows that are 1000 apart do not disturb each other"""
    offsets = 1000.0 * torch.arange(draw.size("B"), dtype=torch.float64)
    agree(draw("B T") + offsets[:, None], 1, gradients=True)
    agree(draw("T B") + offsets, 0)


@exercise("softmax", points=1, level="edges")
def test_gradients_pass_through_softmax(agree: Agree, draw: Draw) -> None:
    """gradients reach the scores, and are finite next to -inf"""
    agree(draw("B Tq Tk"), -1, gradients=True)
    agree(NO_LOOKING_AHEAD, -1, gradients=True)


@exercise("softmax", points=1, level="edges")
def test_softmax_keeps_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """float32 stays float32, no device is hard-coded; a single row, a single column and a single score work"""
    row = draw("T")
    row[1] = row.max() + 3  # one weight is large, and the others are not lost
    agree(row, 0)
    for axes in ("1 T", "B 1", "1 1 1"):
        agree(draw(axes), 1)
    agree.satisfies("float32 stays float32", lambda r: True, draw("B T", dtype=torch.float32), -1)
    agree.on_meta(draw("B Tq Tk"), 1)


@exercise("dot_scores", points=1, level="property")
def test_scores_of_x_with_itself_are_symmetric(agree: Agree, draw: Draw) -> None:
    """scores of vectors with themselves are symmetric"""
    x = draw("B T d")
    says = "where queries are keys too, score [i, j] is score [j, i]"
    agree.satisfies(says, lambda r: near(r, r.transpose(-2, -1), 1e-4), x, x)


@exercise("dot_scores", points=1, level="values")
def test_dot_scores_are_all_dot_products(agree: Agree, draw: Draw) -> None:
    """scores[i, j] = query i · key j, however long the vectors are, and where one tensor is queries and keys"""
    agree(draw("B T d"), draw("B T d"))
    agree(draw("B Tq d"), draw("B Tk d"))
    agree(draw("4 4 4"), draw("4 4 4"))
    x = draw("B T d", scale=100.0)
    agree(x, x)


@exercise("dot_scores", points=1, level="edges")
def test_dot_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, gradients of q and k, dtype and device"""
    for q, k in LEADING:
        agree(draw(q), draw(k), gradients=True)
    agree.keeps_dtype_and_device(draw("B Tq d"), draw("B Tk d"))


@exercise("scaled_dot_scores", points=1, level="property")
def test_scaled_scores_have_variance_one(agree: Agree, draw: Draw) -> None:
    """vectors of 256 standard normal numbers get scores of variance about 1"""
    draw.fix(d=256, Tq=40, Tk=50)
    agree.satisfies("the variance is about 1", lambda r: bool(0.5 < r.var() < 2), draw("B Tq d"), draw("B Tk d"))


@exercise("scaled_dot_scores", points=2, level="values")
def test_scaled_scores_are_dot_products_over_root_d(agree: Agree, draw: Draw) -> None:
    """scores = q kᵀ / √d, for d = 512 too, and where one tensor is queries and keys"""
    draw.fix(d=4)
    agree(draw("B T d"), draw("B T d"))
    agree(draw("B Tq 16"), draw("B Tk 16"))
    agree(draw("4 4 4"), draw("4 4 4"))
    x = draw("B T d", scale=100.0)
    agree(x, x)
    agree(draw("2 Tq 512"), draw("2 Tk 512"))


@exercise("scaled_dot_scores", points=1, level="edges")
def test_scaled_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, gradients of q and k, dtype and device; √d as precise as q's dtype allows"""
    draw.fix(d=16)
    for q, k in LEADING:
        agree(draw(q), draw(k), gradients=True)
    agree(draw("B Tq 11"), draw("B Tk 11"))
    agree.keeps_dtype_and_device(draw("B Tq d"), draw("B Tk d"))


@exercise("general_scores", points=1, level="property")
def test_w_says_which_features_meet(agree: Agree, draw: Draw) -> None:
    """with a single 1 in W, in row 1 and column 2, query entry 1 is multiplied by key entry 2"""
    q, k, w = draw("B T 5"), draw("B T 5"), torch.zeros(5, 5, dtype=torch.float64)
    w[1, 2] = 1
    says = "score [i, j] = q[i, 1] · k[j, 2], as the only 1 of W is at [1, 2]"
    agree.satisfies(says, lambda r: near(r, q[:, :, None, 1] * k[:, None, :, 2]), q, k, w)


@exercise("general_scores", points=2, level="values")
def test_general_scores_are_q_w_k(agree: Agree, draw: Draw) -> None:
    """scores = q W kᵀ: W is not symmetric, queries and keys differ in size, or are one tensor; vectors may be long"""
    agree(draw("B T d"), draw("B T d"), draw("d d"))
    agree(draw("B Tq Dq"), draw("B Tk Dk"), draw("Dq Dk"))
    agree(draw("4 4 4"), draw("4 4 4"), draw("4 4"))
    x = draw("B T d", scale=100.0)
    agree(x, x, draw("d d"))


@exercise("general_scores", points=1, level="edges")
def test_general_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, gradients of q, k and W, dtype and device"""
    for q, k in LEADING:
        agree(draw(q), draw(k), draw(f"{width(q)} {width(k)}"), gradients=True)
    agree.keeps_dtype_and_device(draw("B Tq Dq"), draw("B Tk Dk"), draw("Dq Dk"))


@exercise("cosine_scores", points=1, level="property")
def test_cosine_with_a_longer_self_is_one(agree: Agree, draw: Draw) -> None:
    """a vector's cosine with itself is 1, however much longer the key is"""
    x = draw("B T d", scale=100.0)
    longer = x * (1 + draw("B T 1") ** 2)
    says = "the diagonal is 1, the cosine of each vector with a longer copy of itself"
    agree.satisfies(says, lambda r: near(r.diagonal(0, -2, -1), 1, 1e-4), x, longer)


@exercise("cosine_scores", points=2, level="values")
def test_cosine_scores_are_cosines(agree: Agree, draw: Draw) -> None:
    """scores[i, j] = query i · key j / (|query i| |key j|), also where one tensor is queries and keys"""
    agree(draw("B T d", scale=100.0), draw("B T d", scale=100.0))
    agree(draw("B Tq d", scale=100.0), draw("B Tk d", scale=100.0))
    agree(draw("4 4 4", scale=100.0), draw("4 4 4", scale=100.0))
    x = draw("B T d", scale=100.0)
    agree(x, x)
    agree(draw("B Tq 16", scale=0.1), draw("B Tk 16", scale=0.1), tolerance=1e-6)  # all shorter than 1


@exercise("cosine_scores", points=1, level="edges")
def test_cosine_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, lengths of 10¹² in float32, gradients through the lengths too, dtype and device"""
    for q, k in LEADING:
        agree(away_from_zero(draw(q, scale=100.0)), away_from_zero(draw(k, scale=100.0)), gradients=True)
    agree(draw("B Tq d", scale=1e12).float(), draw("B Tk d", scale=1e12).float())
    agree.keeps_dtype_and_device(draw("B Tq d"), draw("B Tk d"))


@exercise("additive_scores", points=1, level="property")
def test_additive_scores_are_bounded_by_v(agree: Agree, draw: Draw) -> None:
    """no score exceeds Σ|v|, as tanh stays within ±1"""
    draw.fix(B=9)
    q, k, w, v = draw("B T 4"), draw("B T 4"), draw("A 8", scale=9.0), draw("A", scale=0.002)
    most = v.abs().sum() + 1e-9
    holds = lambda r: bool((r.abs() <= most).all())  # noqa: E731
    shows = lambda r: f"|score| is up to {r.abs().max():.4g}, and Σ|v| is {v.abs().sum():.4g}"  # noqa: E731
    agree.satisfies("as tanh stays within ±1, |score| ≤ Σ|v|", holds, q, k, w, v, shows=shows)


@exercise("additive_scores", points=2, level="values")
def test_additive_scores_join_query_and_key(agree: Agree, draw: Draw) -> None:
    """scores[i, j] = v · tanh(W [query i; key j]), also where one tensor is queries and keys"""
    agree(draw("B T 4"), draw("B T 4"), draw("A 8"), draw("A"))
    x = draw("B T 4")
    agree(x, x, draw("A 8"), draw("A", scale=100.0))
    agree(draw("B Tq 3"), draw("B Tk 5"), draw("A 8"), draw("A"))


@exercise("additive_scores", points=1, level="edges")
def test_additive_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, large vectors and vectors of 0, gradients of q, k, W and v, dtype and device"""
    draw.fix(d=4)
    for q, k in LEADING:
        units, both = ("1", 2) if width(q) == "1" else ("A", 8)
        agree(draw(q), draw(k), draw(f"{units} {both}"), draw(units), gradients=True)
    agree(draw("B Tq 3", scale=1000.0), draw("B Tk 5"), draw("A 8"), draw("A"), gradients=True)
    q, k = draw("B Tq 3"), draw("B Tk 5")
    q[:, 0], k[:, 1] = 0, 0  # where they meet, every sum is 0
    agree(q, k, draw("A 8"), draw("A"), gradients=True)
    agree.keeps_dtype_and_device(draw("B Tq 3"), draw("B Tk 5"), draw("A 8"), draw("A"))


@exercise("location_scores", points=1, level="property")
def test_location_scores_grow_with_the_query(agree: Agree, draw: Draw) -> None:
    """a query twice as long gets scores twice as high"""
    draw.fix(Tq=draw.random.randrange(2, 6), Tk=draw.random.randrange(6, 10))
    q = draw("Tq D")
    says = "a query twice as long gets scores twice as high"
    agree.satisfies(says, lambda r: near(r[1], 2 * r[0], 1e-4), torch.stack([q, 2 * q]), draw("Tk D"))


@exercise("location_scores", points=1, level="values")
def test_location_scores_are_rows_of_w_times_the_query(agree: Agree, draw: Draw) -> None:
    """scores[i, j] = row j of W · query i, even for a square W"""
    draw.fix(T=draw.random.randrange(2, 8), Tq=draw.random.randrange(2, 5), Tk=draw.random.randrange(5, 9))
    agree(draw("B T 8"), draw("8 8"))
    agree(draw("B Tq D", scale=100.0), draw("Tk D"))


@exercise("location_scores", points=1, level="edges")
def test_location_scores_of_any_form(agree: Agree, draw: Draw) -> None:
    """any leading axes, sizes of 1, gradients of q and W, dtype and device"""
    for q, _ in LEADING:
        agree(draw(q), draw("1 1" if width(q) == "1" else "Tk d"), gradients=True)
    agree.keeps_dtype_and_device(draw("B Tq d"), draw("Tk d"))


@exercise("simple_self_attention", points=1, level="property")
def test_results_lie_between_the_inputs(agree: Agree, draw: Draw) -> None:
    """every result lies between the smallest and the largest input of its sentence, feature by feature, and is not x"""
    x = draw("3 T D", scale=0.2) + torch.arange(1, 4)[:, None, None]
    low, high = x.amin(1, keepdim=True) - 1e-9, x.amax(1, keepdim=True) + 1e-9
    holds = lambda r: bool(((low <= r) & (r <= high)).all()) and not near(r, x)  # noqa: E731

    def outlier(r: torch.Tensor) -> str:
        at = torch.maximum(low - r, r - high).argmax()
        found, least, most = (bound.expand_as(r).flatten()[at] for bound in (r, low, high))
        return f"{found:.4g} for a feature that goes from {least:.4g} to {most:.4g} in x"

    says = "each result lies between the smallest and the largest input, feature by feature"
    agree.satisfies(says, holds, x, shows=outlier)


@exercise("simple_self_attention", points=2, level="values")
def test_positions_become_weighted_means(agree: Agree, draw: Draw) -> None:
    """z = softmax(x xᵀ) x"""
    agree(draw("B T D", scale=0.5))
    agree(draw("4 4 4", scale=0.5))


@exercise("simple_self_attention", points=1, level="edges")
def test_simple_attention_survives_large_and_small_inputs(agree: Agree, draw: Draw) -> None:
    """large vectors give right results, a vector of zeros a mean; one sentence, one word and 70 words work"""
    zero = draw("B T D")
    zero[:, 1] = 0
    agree(zero)
    for x in (draw("B T D", scale=100.0), draw("1 T D"), draw("B 1 D"), draw("B T 1"), draw("2 70 D")):
        agree(x)


@exercise("simple_self_attention", points=1, level="edges")
def test_simple_attention_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x through the weights and the sum; dtype and device stay"""
    x = draw("B T D", scale=0.5)
    agree(x, gradients=True)
    agree.keeps_dtype_and_device(x)


@exercise("scaled_dot_product_attention", points=1, level="property")
def test_each_row_of_weights_sums_to_one(agree: Agree, draw: Draw) -> None:
    """each query's weights sum to 1"""
    inputs = (draw("B T 4"), draw("B T 4"), draw("B T 4"))
    agree.satisfies("every row of the weights sums to 1", lambda r: near(r[1].sum(-1), 1), *inputs)


@exercise("scaled_dot_product_attention", points=1, level="property")
def test_the_order_of_keys_does_not_matter(agree: Agree, draw: Draw) -> None:
    """keys and values, shuffled together, give the same output"""
    q, k, v = (draw("T 16") for _ in "qkv")
    twice = (torch.stack([q, q]), torch.stack([k, k.flip(0)]), torch.stack([v, v.flip(0)]))
    says = "reversing keys and values together leaves the output as it was"
    agree.satisfies(says, lambda r: near(r[0][0], r[0][1]), *twice)


@exercise("scaled_dot_product_attention", points=2, level="values")
def test_attention_is_softmax_of_scaled_scores_times_v(agree: Agree, draw: Draw) -> None:
    """weights = softmax(q kᵀ / √d), output = weights v; for d = 256 too, and where one tensor is q and k, or k and v"""
    agree(draw("B T 4"), draw("B T 4"), draw("B T 4"))
    agree(draw("B Tq 16"), draw("B Tk 16"), draw("B Tk e"))
    x, y = draw("B Tq 4"), draw("B Tk 4")
    for inputs in ((x, y, y), (x, x, x), (x, x, draw("B Tq e"))):
        agree(*inputs)
    agree(draw("2 Tq 256"), draw("2 Tk 256"), draw("2 Tk e"))
    agree(draw("4 4 4"), draw("4 4 4"), draw("4 4 4"))
    agree(draw("B Tq 11"), draw("B Tk 11"), draw("B Tk e"), tolerance=1e-6)


@exercise("scaled_dot_product_attention", points=1, level="edges")
def test_attention_takes_any_leading_axes(agree: Agree, draw: Draw) -> None:
    """no leading axis, two of them, axes of size 1 and 70 keys all work"""
    draw.fix(d=4)
    for q, k in LEADING:
        agree(draw(q), draw(k), draw(k.replace("d", "e")))
    agree(draw("B Tq d"), draw("B 70 d"), draw("B 70 1"))


@exercise("scaled_dot_product_attention", points=1, level="edges")
def test_attention_survives_large_scores(agree: Agree, draw: Draw) -> None:
    """scores in the thousands get the right weights and gradients, each query for itself; a score of 0 counts"""
    q, k = draw("B Tq 16"), draw("B Tk 16")
    q[..., 0], k[..., 0] = 1000.0 * torch.arange(draw.size("Tq")), 4.0  # query i: scores around 1000 i
    agree(q, k, draw("B Tk e"), gradients=True)
    k[:, 1] = 0
    agree(draw("B Tq 16"), k, draw("B Tk e"))


@exercise("scaled_dot_product_attention", points=1, level="edges")
def test_attention_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach q, k and v; dtype and device stay"""
    inputs = (draw("B Tq 16"), draw("B Tk 16"), draw("B Tk e"))
    agree(*inputs, gradients=True)
    agree.keeps_dtype_and_device(*inputs)


@exercise("SelfAttention", points=1, level="property")
def test_shuffled_positions_give_shuffled_results(agree: Agree, draw: Draw) -> None:
    """positions in another order give the same results in that order"""
    x = draw("T 4", scale=0.3)
    shuffled = torch.stack([x, x.flip(0)])
    says = "reversed positions give the same results, reversed"
    agree.satisfies(says, lambda r: near(r[0], r[1].flip(0)), shuffled, build=(4,))


@exercise("SelfAttention", points=3, level="values")
def test_self_attention_attends_with_its_three_layers(agree: Agree, draw: Draw) -> None:
    """output = attention of w_q(x), w_k(x) and w_v(x), however large the scores, for D = 64 too, and for 70 words"""
    agree(draw("B T 4", scale=0.3), build=(4,))
    agree(draw("B T 16", scale=0.3), build=(16,))
    agree(draw("4 4 4", scale=0.3), build=(4,))
    agree(draw("2 70 11", scale=0.3), build=(11,), tolerance=1e-6)
    agree(draw("2 T 64"), build=(64,))
    agree(draw("B T 4", scale=100.0), build=(4,), tolerance=1e-6)


@exercise("SelfAttention", points=1, level="edges")
def test_self_attention_keeps_axes_of_size_one(agree: Agree, draw: Draw) -> None:
    """a batch of one, a sentence of one word and a width of 1 keep their axes"""
    for x in (draw("1 T 4", scale=0.3), draw("B 1 4", scale=0.3), draw("B T 1", scale=0.3)):
        agree(x, build=(x.shape[-1],))


@exercise("SelfAttention", points=1, level="edges")
def test_self_attention_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and all three weights; training and earlier calls change nothing; dtype and device stay"""
    x = draw("B T 4", scale=0.3)
    agree(x, build=(4,), gradients=True)
    before = [called(draw("B 9 4", scale=0.3)), called(draw("1 2 4", scale=0.3))]
    for training in (True, False):
        agree(x, build=module(4, training=training, after=before))
    agree(x, build=module(4, training=False, after=[called(x.clone(), training=False)]))
    agree.keeps_dtype_and_device(x, build=(4,))


def steep(draw: Draw, start: float, step: float) -> tuple[torch.Tensor, ...]:
    """q, k and v such that from key to key every score grows by about `step`; the first is `start`."""
    draw.fix(B=4)  # more items than a block has keys
    q, k, v = draw("B Tq 4"), draw("B 7 4"), draw("B 7 e")
    q[..., 0], k[..., 0] = 2.0, start + step * torch.arange(7)
    return q, k, v


@exercise("attention_in_blocks", points=2, level="values")
def test_attention_in_blocks_is_attention(agree: Agree, draw: Draw) -> None:
    """softmax(q kᵀ / √d) v, with blocks that divide the keys evenly or do not; d = 256; one tensor as q, k and v"""
    q, k, v = draw("B Tq 4"), draw("B 12 4"), draw("B 12 e")
    for size in (4, 5, 3, 8):
        agree(q, k, v, size)
    agree(draw("4 4 4"), draw("4 4 4"), draw("4 4 4"), 2)
    agree(draw("B Tq 11"), draw("B 12 11"), draw("B 12 e"), 5, tolerance=1e-6)
    agree(k, k, k, 5)
    agree(q, k, k, 5)
    agree(draw("2 Tq 256"), draw("2 12 256"), draw("2 12 e"), 5)


@exercise("attention_in_blocks", points=1, level="property")
def test_the_size_of_the_blocks_does_not_matter(agree: Agree, draw: Draw) -> None:
    """one key at a time, or all at once, gives the same output"""
    q, k, v = draw("B Tq 16"), draw("B 9 16"), draw("B 9 e")
    for size in (1, 4):
        says = f"size {size} and size 9 give the same output for 9 keys"
        agree.relates(says, lambda a, b: near(a, b), (q, k, v, size), (q, k, v, 9))


@exercise("attention_in_blocks", points=2, level="property")
def test_no_table_of_all_weights_is_made(agree: Agree, draw: Draw) -> None:
    """for 5 queries and 64 keys, nothing computed from q has 320 entries; for 1 query, nothing has 64"""
    for queries, size in ((5, 4), (1, 8), (1, 1)):
        q, k, v = draw(f"{queries} 4"), draw("64 4"), draw("64 2")
        agree(part("WatchedTensor", q, 64 * queries), k, v, size)


@exercise("attention_in_blocks", points=1, level="edges")
def test_blocks_of_one_key_and_blocks_larger_than_all(agree: Agree, draw: Draw) -> None:
    """blocks of one key, blocks larger than all keys, a last block of one key, a single key"""
    q, k, v = draw("B Tq 4"), draw("B 7 4"), draw("B 7 e")
    for size in (1, 7, 8, 100, 6):
        agree(q, k, v, size)
    agree(q, k[:, :1], v[:, :1], size=3)


@exercise("attention_in_blocks", points=1, level="edges")
def test_attention_in_blocks_survives_large_scores(agree: Agree, draw: Draw) -> None:
    """scores in the thousands, rising or falling from block to block, and of 0 give right outputs and gradients"""
    for start, step in ((0.0, 1000.0), (6000.0, -1000.0), (-9000.0, 0.25), (9000.0, -0.25)):
        agree(*steep(draw, start, step), 2, gradients=True, tolerance=0.01)  # float32 knows thousands to a thousandth
    q, k, v = steep(draw, 0.0, 1.0)
    q[..., 0] = 1000.0 * torch.arange(1, draw.size("Tq") + 1)  # each query at a height of its own
    agree(q, k, v, 3)
    k[:, ::3] = 0
    agree(q / 1000, k, v, 3)


@exercise("attention_in_blocks", points=1, level="edges")
def test_attention_in_blocks_takes_any_leading_axes(agree: Agree, draw: Draw) -> None:
    """no leading axis, two of them, axes of size 1 and 70 keys in twelve blocks all work"""
    draw.fix(B=3, d=4)
    for q, k in LEADING:
        agree(draw(q), draw(k), draw(k.replace("d", "e")), 2)
    agree(draw("B Tq d"), draw("B 70 d"), draw("B 70 1"), 6)


@exercise("attention_in_blocks", points=1, level="edges")
def test_attention_in_blocks_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach q, k and v through every block; dtype and device stay"""
    draw.fix(B=4)
    inputs = (draw("B Tq 16"), draw("B 7 16"), draw("B 7 e"), 3)
    agree(*inputs, gradients=True)
    agree.keeps_dtype_and_device(*inputs)
