"""Checks of chapter 5: heads cut and joined, attention with several of them, wide ones, shared ones.

d is a power of 4 wherever a root of it is taken, or the tolerance allows a root that was rounded to float32.
"""

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near

ATTENTION = (
    *("scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"),
    "scaled_dot_product_attention_math",  # what the first one calls, as is the next
    "scaled_dot_product_flash_attention_for_cpu",
    *("blocks.MultiHeadAttention", "blocks.WideMultiHeadAttention"),
)
LAYERS = ("MultiHeadAttention", "WideMultiHeadAttention")
FORBIDDEN = dict.fromkeys((*LAYERS, "grouped_query_attention"), ATTENTION)
RETURNS = dict.fromkeys(LAYERS, ("output", "weights"))
SMALL, LARGE = (12, 3), (32, 2)  # D and H: heads of 4 and of 16 columns
UNEVEN, BROAD = (17, 3, 4), (11, 2, 16)  # D, H and key_width
MASKS = ("B 1 1 Tk", "Tq Tk", "1 1 Tq Tk", "B H Tq Tk", "B 1 Tq Tk", "H 1 Tk", "Tk", "B 1 Tq 1")


def sizes(draw: Draw) -> None:
    draw.fix(B=5, H=3, d=4, D=12, Tk=draw.random.randrange(6, 9))


def texts(draw: Draw, width: int, queries: str = "Tq", keys: str = "Tk") -> tuple[torch.Tensor, ...]:
    """Query, key and value, three different tensors."""
    return draw(f"B {queries} {width}"), draw(f"B {keys} {width}"), draw(f"B {keys} {width}")


def groups(draw: Draw, groups: int) -> tuple[torch.Tensor, ...]:
    """Six query heads, and keys and values of a few, in sizes whose shares differ from those of the heads."""
    draw.fix(B=5, T=9)
    return draw("B 6 T 4"), draw(f"B {groups} T 4"), draw(f"B {groups} T 4")


def one_each(mask: torch.Tensor) -> torch.Tensor:
    """The first sentence hides only its last key; the others see that one, but not their first."""
    mask = mask.clone()
    mask[0], mask[0, ..., -1] = True, False
    mask[1:, ..., 0], mask[1:, ..., -1] = False, True
    return mask


def dead(mask: torch.Tensor) -> torch.Tensor:
    """The first sentence's first query sees nothing, nor does any query of the last sentence."""
    mask = mask.clone()
    mask[0, ..., 0, :] = False
    mask[-1] = False
    return mask


def of_one_head(head: int, matrix: torch.Tensor) -> torch.Tensor:
    """A weight or bias with every row set to 0 except those of one of three heads."""
    owners = torch.arange(len(matrix)) * 3 // len(matrix)
    return matrix * (owners == head).view(-1, *[1] * (matrix.dim() - 1))


def forgets(agree: Agree, draw: Draw, *sizes: int) -> None:
    """In training and in evaluation, a call answers as if there had been no other texts and masks before."""
    width = sizes[0]
    longer, shorter = texts(draw, width, "11", "12"), texts(draw, width, "1", "2")
    before = [called(*longer, draw.mask("B 1 11 12")), called(*texts(draw, width), draw.mask("B 1 1 Tk"))]
    agree(*texts(draw, width), build=module(*sizes, training=True, after=[*before, called(*shorter)]))
    for training in (True, False):
        agree(*texts(draw, width), draw.mask("B 1 1 Tk"), build=module(*sizes, training=training, after=before))


def keeps_its_place(agree: Agree, inputs: tuple[torch.Tensor, ...], *others: torch.Tensor | int, **build) -> None:
    """float32 stays float32, and no device is hard-coded."""
    agree(*(x.float() for x in inputs), *others, **build)
    agree.on_meta(*inputs, *others, **build)


@exercise("split_heads", points=1, level="property")
def test_heads_side_by_side_are_the_input(agree: Agree, draw: Draw) -> None:
    """the heads put side by side again give back every row of x"""
    sizes(draw)
    x = draw("B T D")
    agree.satisfies("the heads put side by side are x again", lambda r: near(torch.cat(r.unbind(1), -1), x), x, 3)


@exercise("split_heads", points=1, level="values")
def test_a_head_is_a_block_of_columns(agree: Agree, draw: Draw) -> None:
    """head h holds the columns h·d to (h + 1)·d of every position; gradients reach x"""
    sizes(draw)
    agree(draw("B T D"), 3, gradients=True)
    agree(draw("B T 10"), 2)
    agree(draw("T B D").transpose(0, 1), num_heads=3)
    agree(draw("3 3 9"), 3)


@exercise("split_heads", points=1, level="edges")
def test_split_heads_refuses_what_does_not_divide(agree: Agree, draw: Draw) -> None:
    """a number of heads that does not divide the width raises a ValueError that names both"""
    draw.fix(B=2, T=5)
    agree.raises(ValueError, draw("B T 10"), 3, naming=("10", "3"))
    agree.raises(ValueError, draw("B T 12"), 8, naming=("12", "8"))
    agree.raises(ValueError, draw("B T 12"), 24, naming=("12", "24"))


@exercise("split_heads", points=1, level="edges")
def test_split_heads_keeps_axes_of_size_one(agree: Agree, draw: Draw) -> None:
    """one sentence, one word, one head or one column per head keep their axes; dtype and device stay"""
    for axes, heads in (("B 1 12", 3), ("1 T 12", 3), ("B T 12", 1), ("B T 12", 12), ("B T 1", 1)):
        agree(draw(axes), heads)
    keeps_its_place(agree, (draw("B T 12"),), 3)


@exercise("merge_heads", points=1, level="property")
def test_merging_keeps_positions_apart(agree: Agree, draw: Draw) -> None:
    """the columns of head h, cut out of the result, are head h; no position gets anything from another"""
    sizes(draw)
    x, says = draw("B H T d"), "at every position, the columns h·d to (h + 1)·d are those of head h"
    agree.satisfies(says, lambda r: all(near(r[..., 4 * h : 4 * h + 4], x[:, h]) for h in range(3)), x)


@exercise("merge_heads", points=2, level="values")
def test_merged_heads_stand_side_by_side(agree: Agree, draw: Draw) -> None:
    """(B, H, T, d) becomes (B, T, H·d), head 0 first, in any memory layout; x is unchanged, gradients reach it"""
    sizes(draw)
    agree(draw("B H T d"))
    agree(draw("B 2 T 7"), gradients=True)
    agree(draw("B T H d").transpose(1, 2))
    agree(draw("H B T d").transpose(0, 1))
    agree(draw("3 3 3 3"))


@exercise("merge_heads", points=1, level="edges")
def test_merge_heads_keeps_axes_of_size_one(agree: Agree, draw: Draw) -> None:
    """one sentence, one head, one word or one column per head keep their axes; dtype and device stay"""
    sizes(draw)
    for axes in ("1 H T d", "B 1 T d", "B H 1 d", "B H T 1"):
        agree(draw(axes))
    keeps_its_place(agree, (draw("B H T d"),))


@exercise("MultiHeadAttention", points=2, level="values")
def test_heads_attend_side_by_side(agree: Agree, draw: Draw) -> None:
    """w_o of the heads' results side by side, and each head's weights: texts of one length, the same text twice"""
    sizes(draw)
    agree(*texts(draw, 12, "T", "T"), build=SMALL)
    x = draw("B T 32")
    agree(x, x, x, build=LARGE)
    agree(x, x, draw("B T 32"), build=LARGE)
    y = draw("B T 32")
    agree(x, y, y, build=LARGE)
    agree(x, y, x, draw.mask("B 1 1 T"), build=LARGE)
    agree(*texts(draw, 22), build=(22, 2), tolerance=1e-6)
    agree(*texts(draw, 64), build=(64, 1))


@exercise("MultiHeadAttention", points=1, level="values")
def test_queries_may_come_from_another_text(agree: Agree, draw: Draw) -> None:
    """with queries from one text, keys and values from another; gradients reach the inputs and all four layers"""
    sizes(draw)
    agree(*texts(draw, 12), build=SMALL, gradients=True)


@exercise("MultiHeadAttention", points=2, level="values")
def test_masks_reach_every_head(agree: Agree, draw: Draw) -> None:
    """masks of every shape that broadcasts to (B, H, Tq, Tk), by position and by name, in training too; none is kept"""
    sizes(draw)
    inputs = texts(draw, 12)
    agree(*inputs, one_each(draw.mask("B 1 1 Tk")), build=SMALL)
    for axes in MASKS:
        agree(*inputs, mask=draw.mask(axes), build=SMALL)
    forgets(agree, draw, *SMALL)


@exercise("MultiHeadAttention", points=1, level="property")
def test_only_who_belongs_together_meets(agree: Agree, draw: Draw) -> None:
    """reordered positions give reordered outputs, a sentence alone its output in the batch; rows of weights sum to 1"""
    sizes(draw)
    draw.fix(T=draw.random.choice((7, 8)))  # heads do not divide it, so that a piece of the text is no head
    x = draw("B T D")
    for says, other, back in (
        ("reversed positions give reversed outputs, and rows of weights sum to 1", x.flip(1), lambda r: r.flip(1)),
        ("the first sentence alone gets the same output, and rows of weights sum to 1", x[:1], lambda r: r),
    ):
        follows = lambda a, b, back=back: near(a[0][: len(b[0])], back(b[0])) and near(a[1].sum(-1), 1.0)  # noqa: E731
        agree.relates(says, follows, (x, x, x), (other, other, other), build=SMALL)


@exercise("MultiHeadAttention", points=1, level="property")
def test_a_head_is_moved_by_its_own_columns_alone(agree: Agree, draw: Draw) -> None:
    """where only one head's queries are not zero, all other heads look at every key equally"""
    sizes(draw)
    head, inputs = draw.random.randrange(3), texts(draw, 12)
    fill = {"w_q.weight": of_one_head(head, draw("D D")), "w_q.bias": of_one_head(head, draw("D"))}
    alike = [h != head for h in range(3)]
    agree.satisfies(
        f"where all queries but those of head {head} are zero, all heads but {head} weigh all keys alike",
        lambda r: [near(r[1][:, h], 1 / draw.size("Tk")) for h in range(3)] == alike,
        *inputs,
        build=module(*SMALL, fill=fill),
        shows=lambda r: (
            f"heads that do: {found}"
            if (found := [h for h in range(3) if near(r[1][:, h], 1 / draw.size("Tk"))])
            else "no head does"
        ),
    )


@exercise("MultiHeadAttention", points=1, level="property")
def test_what_is_masked_might_as_well_be_missing(agree: Agree, draw: Draw) -> None:
    """keys and values that are masked can be left out, or hold huge numbers: the output stays the same"""
    sizes(draw)
    (query, key, value), mask = texts(draw, 12), draw.mask("1 1 1 Tk")
    kept, hidden = mask.flatten(), ~mask.view(-1, 1)
    loud = (query, key.masked_fill(hidden, 1e4), value.masked_fill(hidden, 1e6), mask)
    says = "huge numbers at masked keys change nothing: the output is that without these keys"
    agree.relates(says, lambda a, b: near(a[0], b[0]), loud, (query, key[:, kept], value[:, kept]), build=SMALL)


@exercise("MultiHeadAttention", points=1, level="edges")
def test_a_query_that_sees_nothing_gets_the_bias(agree: Agree, draw: Draw) -> None:
    """a query that may attend to nothing has zero weights, and w_o's bias for output; all gradients stay finite"""
    sizes(draw)
    inputs = texts(draw, 12)
    agree(*inputs, dead(draw.mask("B 1 1 Tk")), build=SMALL)
    agree(*inputs, dead(draw.mask("B H Tq Tk")), build=SMALL, gradients=True)


@exercise("MultiHeadAttention", points=1, level="edges")
def test_scores_may_lie_far_from_zero(agree: Agree, draw: Draw) -> None:
    """where all scores are around -180000 or 180000, a masked key still gets nothing; gradients stay right"""
    sizes(draw)
    inputs, mask = texts(draw, 12), one_each(draw.mask("B 1 1 Tk"))
    for bias in (-300.0, 300.0):
        # small weights of w_k keep the scores of a query close together, so that several keys share its weight
        fill = {"w_q.bias": 300.0, "w_k.bias": bias, "w_k.weight": draw("D D", scale=0.001)}
        agree(*inputs, mask, build=module(*SMALL, fill=fill), tolerance=1e-6)
    (query, key, value), hidden = inputs, ~mask[:, 0, 0, :, None]
    for loud in (-1e4, 1e4):
        agree(query, key.masked_fill(hidden, loud), value, mask, build=SMALL, gradients=True)


@exercise("MultiHeadAttention", points=1, level="edges")
def test_attention_of_one_sentence_word_or_head(agree: Agree, draw: Draw) -> None:
    """one sentence, word, head or column keeps its axis; dtype and device stay; a ValueError if H does not divide D"""
    sizes(draw)
    agree(draw("1 1 12"), draw("1 Tk 12"), draw("1 Tk 12"), draw.mask("1 1 1 Tk"), build=SMALL)
    agree(*texts(draw, 4, "Tq", "1"), build=(4, 1))
    agree(*texts(draw, 3), build=(3, 3))
    agree(*texts(draw, 1), build=(1, 1))
    agree.raises(ValueError, *texts(draw, 10), build=(10, 3))
    agree(draw("4 4 16"), draw("4 4 16"), draw("4 4 16"), draw.mask("4 1 4 4"), build=(16, 4))
    agree(*texts(draw, 12, "Tq", "70"), build=SMALL)
    keeps_its_place(agree, texts(draw, 12), draw.mask("B 1 1 Tk"), build=SMALL)
    agree.on_meta(*texts(draw, 12), build=SMALL)


@exercise("WideMultiHeadAttention", points=2, level="values")
def test_wide_heads_keep_their_own_width(agree: Agree, draw: Draw) -> None:
    """heads narrower or wider than D / H, with a width that H does not divide; gradients reach all four layers"""
    sizes(draw)
    agree(*texts(draw, 17, "T", "T"), build=UNEVEN)
    x = draw("B T 11")
    agree(x, x, x, build=BROAD)
    agree(x, x, draw("B T 11"), build=BROAD)
    y = draw("B T 11")
    agree(x, y, y, build=BROAD)
    agree(*texts(draw, 17), build=UNEVEN, gradients=True)
    agree(*texts(draw, 17), build=(17, 2, 11), tolerance=1e-6)
    agree(*texts(draw, 2), build=(2, 1, 256))


@exercise("WideMultiHeadAttention", points=2, level="values")
def test_masks_reach_every_wide_head(agree: Agree, draw: Draw) -> None:
    """masks of every shape that broadcasts, in training too, even if scores are far from 0; none is kept for later"""
    sizes(draw)
    inputs = texts(draw, 17)
    agree(*inputs, one_each(draw.mask("B 1 1 Tk")), build=UNEVEN)
    for axes in MASKS:
        agree(*inputs, mask=draw.mask(axes), build=UNEVEN)
    for bias in (-300.0, 300.0):
        far = module(*UNEVEN, fill={"w_q.bias": 300.0, "w_k.bias": bias})
        agree(*inputs, one_each(draw.mask("B 1 1 Tk")), build=far, tolerance=0.02)  # float32 will do
    (query, key, value), mask = inputs, one_each(draw.mask("B 1 1 Tk"))
    hidden = ~mask[:, 0, 0, :, None]
    for loud in (1e4, -1e4):
        spoilt = (key.masked_fill(hidden, loud), value.masked_fill(hidden, loud))
        agree(query, *spoilt, mask, build=UNEVEN, gradients=True)
    forgets(agree, draw, *UNEVEN)


@exercise("WideMultiHeadAttention", points=1, level="property")
def test_the_order_of_the_keys_does_not_matter(agree: Agree, draw: Draw) -> None:
    """reordered keys, values and mask give the same output, and the weights in that order"""
    sizes(draw)
    (query, key, value), mask = texts(draw, 17), draw.mask("B 1 1 Tk")
    turned = (query, key.flip(1), value.flip(1), mask.flip(-1))
    follows = lambda a, b: near(a[0], b[0]) and near(a[1], b[1].flip(-1))  # noqa: E731
    says = "keys, values and mask reversed give the same output, and the weights reversed"
    agree.relates(says, follows, (query, key, value, mask), turned, build=UNEVEN)


@exercise("WideMultiHeadAttention", points=1, level="edges")
def test_wide_heads_that_see_nothing(agree: Agree, draw: Draw) -> None:
    """a query that may attend to nothing has zero weights, and w_o's bias for output; all gradients stay finite"""
    sizes(draw)
    inputs = texts(draw, 17)
    agree(*inputs, dead(draw.mask("B 1 1 Tk")), build=UNEVEN)
    agree(*inputs, dead(draw.mask("B H Tq Tk")), build=UNEVEN, gradients=True)


@exercise("WideMultiHeadAttention", points=1, level="edges")
def test_wide_heads_of_one_column_word_or_sentence(agree: Agree, draw: Draw) -> None:
    """one sentence, one word, one head or one column per head keep their axes; 70 keys; dtype and device stay"""
    sizes(draw)
    agree(draw("1 1 17"), draw("1 Tk 17"), draw("1 Tk 17"), draw.mask("1 1 1 Tk"), build=UNEVEN)
    agree(*texts(draw, 2, "Tq", "70"), build=(2, 2, 4))
    agree(*texts(draw, 7, "Tq", "1"), build=(7, 3, 1))
    agree(*texts(draw, 2), build=(2, 1, 4))
    agree(*texts(draw, 1), build=(1, 2, 4))
    agree(draw("4 4 16"), draw("4 4 16"), draw("4 4 16"), draw.mask("4 1 4 4"), build=(16, 4, 4))
    keeps_its_place(agree, texts(draw, 17), draw.mask("B 1 1 Tk"), build=UNEVEN)


@exercise("attention_parameters", points=1, level="property")
def test_as_many_parameters_as_in_the_layer_of_torch(agree: Agree, draw: Draw) -> None:
    """with heads of width D / H, as many as torch's own layer has, however many heads there are"""
    width = draw.random.choice((60, 84, 156)) + 960 * draw.random.randrange(50)  # the low binary digits stay
    layer = torch.nn.MultiheadAttention(width, 3, device="meta")
    many = sum(parameter.numel() for parameter in layer.parameters())
    for heads in (2, 3, 6):
        agree.satisfies(f"with a width of {width} there are {many} parameters", lambda r: r == many, width, heads)


@exercise("attention_parameters", points=2, level="values")
def test_parameters_of_heads_of_any_width(agree: Agree, draw: Draw) -> None:
    """with a key width or without, by position and by name; with and without biases"""
    heads, key_width = draw.random.sample(range(2, 7), 2)
    agree(7 * heads, heads, key_width)
    agree(7 * heads, heads, bias=False)
    agree(7 * heads, heads, key_width=key_width, bias=False)
    agree(7 * heads, 1, key_width=None, bias=True)


@exercise("attention_parameters", points=1, level="values")
def test_published_numbers_of_parameters(agree: Agree, draw: Draw) -> None:
    """512 columns, 8 heads: 1,050,624; 768 and 12: 2,362,368; 32 columns and 2 heads of 32: 8,416; and for any sizes"""
    for published in (
        (512, 8),
        (768, 12),
        (1600, 25),
        (32, 2, 32),
        (32768, 8),
        (16 * draw.random.randrange(50, 500), 8),
    ):
        agree(*published)


@exercise("attention_parameters", points=1, level="edges")
def test_only_what_is_divided_must_divide(agree: Agree, draw: Draw) -> None:
    """without a key width, an H that does not divide D raises a ValueError naming both; with one nothing is divided"""
    agree.raises(ValueError, 10, 3, naming=("10", "3"))
    agree.raises(ValueError, 512, 7, None, False, naming=("512", "7"))
    agree.raises(ValueError, 12, 8, naming=("12", "8"))
    agree(10, 3, 4)
    agree(2, 5, key_width=1)
    agree(draw.random.randrange(100, 1000), 7, 3)


@exercise("grouped_query_attention", points=2, level="values")
def test_consecutive_query_heads_share_a_key_head(agree: Agree, draw: Draw) -> None:
    """six query heads on three key heads, on two, on one and on six, four on two wider ones; gradients reach q, k, v"""
    agree(*groups(draw, 3), gradients=True)
    agree(draw("B 4 T 16"), draw("B 2 T 16"), draw("B 2 T 16"))
    agree(draw("B 4 T 11"), draw("B 2 T 11"), draw("B 2 T 11"), tolerance=1e-6)
    for number in (2, 1, 6):
        agree(*groups(draw, number), mask=None)
    x, y = draw("B 6 T 4"), draw("B 3 T 4")
    for inputs in ((x, x, x), (x, y, y), (x, x, draw("B 6 T 4"))):
        agree(*inputs)
    agree(draw("2 4 T 256"), draw("2 2 T 256"), draw("2 2 T 256"))


@exercise("grouped_query_attention", points=2, level="values")
def test_masks_reach_every_query_head(agree: Agree, draw: Draw) -> None:
    """masks of every shape that broadcasts to (B, H, T, T), by position and by name"""
    inputs = groups(draw, 3)
    (q, k, v), mask = inputs, one_each(draw.mask("B 1 1 T"))
    agree(*inputs, mask)
    for loud in (1e4, -1e4):
        agree(q, k.masked_fill(~mask.mT, loud), v, mask, gradients=True)
    for axes in ("T T", "1 1 T T", "B 6 T T", "B 1 T T", "6 1 T", "T", "B 1 T 1"):
        agree(*inputs, mask=draw.mask(axes))


@exercise("grouped_query_attention", points=1, level="property")
def test_neighbours_that_ask_the_same_get_the_same(agree: Agree, draw: Draw) -> None:
    """where all heads ask the same, neighbours that share get the same answer, and others a different one"""
    (_, k, v), q = groups(draw, 3), draw("B 1 T 4").repeat(1, 6, 1, 1)
    says = "where all heads ask the same, 0 and 1 agree, 2 and 3, 4 and 5, but not 1 and 2"
    even = lambda r: [(h, h + 1) for h in range(5) if near(r[:, h], r[:, h + 1])] or "none"  # noqa: E731
    apart = lambda r: near(r[:, ::2], r[:, 1::2]) and not near(r[:, 1], r[:, 2])  # noqa: E731
    agree.satisfies(
        says, apart, q, k, v, shows=lambda r: "no two agree" if even(r) == "none" else f"these agree: {even(r)}"
    )


@exercise("grouped_query_attention", points=1, level="edges")
def test_shared_keys_that_nobody_may_see(agree: Agree, draw: Draw) -> None:
    """a query that may attend to nothing gets zeros, and all gradients stay finite"""
    inputs = groups(draw, 3)
    agree(*inputs, dead(draw.mask("B 1 1 T")))
    agree(*inputs, dead(draw.mask("B 6 T T")), gradients=True)


@exercise("grouped_query_attention", points=1, level="edges")
def test_shared_scores_may_lie_far_from_zero(agree: Agree, draw: Draw) -> None:
    """scores around ±150000, 1000 apart from query to query, or 0 get their weights, and forbidden keys none"""
    (q, k, v), mask = groups(draw, 3), one_each(draw.mask("B 1 1 T"))
    for key in (-300.0, 300.0):
        q[..., 0], k[..., 0] = 1000.0, key
        agree(q, k, v, mask, tolerance=1e-6)
    q[..., 0], k[..., 0] = 1000.0 * torch.arange(9), 2.0
    agree(q, k, v, mask, tolerance=1e-6)
    agree(q, k, v, tolerance=1e-6)
    k[..., 1::2, :] = 0
    agree(q / 1000, k, v, mask)


@exercise("grouped_query_attention", points=1, level="edges")
def test_groups_of_one_sentence_word_or_head(agree: Agree, draw: Draw) -> None:
    """one sentence, one word, one head or one column keep their axes; dtype and device stay"""
    for batch, heads, shared, rest in (("1", 6, 3, "T 4"), ("B", 6, 3, "1 4"), ("B", 1, 1, "T 4"), ("B", 6, 2, "T 1")):
        agree(draw(f"{batch} {heads} {rest}"), *(draw(f"{batch} {shared} {rest}") for _ in "kv"))
    agree(draw("B 6 1 4"), draw("B 3 1 4"), draw("B 3 1 4"), draw.mask("1 B").reshape(-1, 1, 1, 1))
    agree(draw("4 4 4 4"), draw("4 2 4 4"), draw("4 2 4 4"), draw.mask("4 1 4 4"))
    agree(draw("2 4 70 4"), draw("2 2 70 4"), draw("2 2 70 4"))
    keeps_its_place(agree, groups(draw, 3), draw.mask("B 1 1 T"))
