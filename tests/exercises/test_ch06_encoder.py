"""Checks of chapter 6: layer norm, the feed-forward network and dropout, and the blocks they make.

Blocks have three heads of width 4, or two. What dropout draws is its own business: only properties are asked of it.
"""

from typing import Any

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near

FORBIDDEN = {
    "layer_norm": (
        *("layer_norm", "LayerNorm", "native_layer_norm"),
        *("group_norm", "GroupNorm", "native_group_norm"),  # of one group
        *("instance_norm", "*InstanceNorm*"),  # of one channel per vector
        *("batch_norm", "*BatchNorm*", "native_batch_norm*", "cudnn_batch_norm", "batch_norm_impl_index"),  # transposed
    ),
    "dropout": ("dropout*", "Dropout*", "native_dropout", "fused_dropout", "feature_dropout*", "alpha_dropout*"),
    "EncoderBlock": ("Transformer*", "transformer_encoder_layer_fwd", "blocks.EncoderBlock"),
    "Encoder": ("Transformer*", "transformer_encoder_layer_fwd"),
    "rms_norm": ("*rms_norm", "RMSNorm"),
}
WELCOME = {"Encoder": ("blocks.EncoderBlock",)}
F64, F32 = torch.float64, torch.float32
MASKS, SMALL = ("B H T T", "T T", "1 1 T T"), ("1 T D", "B 1 D", "1 1 D")
ORDERS, TURNS = (False, True), (True, False, True)
TOLD_APART = ((10, 38, 56, 53, 50, 6), (17, 39, 36, 10, 25, 40), (16, 25, 26, 10, 14, 47), (41, 18, 49, 24, 52, 46))
"""Sizes whose sums are no unions of their binary digits."""
SILENT = ("attention.w_o", "feed_forward.2")  # filled with 0, a layer gives nothing


def normalised(x: torch.Tensor) -> bool:
    """Each vector has mean 0 and, apart from eps, variance 1."""
    return near(x.mean(-1), 0) and near(x.var(-1, correction=0), 1, 0.02)


def unit(x: torch.Tensor) -> torch.Tensor:
    """Each vector at length 1."""
    return x / x.square().sum(-1, keepdim=True).sqrt()


def takes(result: torch.Tensor, *values: float) -> bool:
    """Each entry is one of `values`, and each of these occurs."""
    hits = torch.stack([(result - value).abs() < 1e-8 for value in values])
    return bool(hits.any(0).all()) and all(bool(hit.any()) for hit in hits)


def not_independent(result: torch.Tensor) -> str:
    """Which slices have lost entries in step or in turn, or far more or fewer than half of them; "" if none."""
    for axis, kind in enumerate(("sentences", "rows", "columns")):
        lost = (result == 0).double().movedim(axis, 0).flatten(1)
        if ((lost.mean(1) - 0.5).abs() > 0.2).any():
            return f"some {kind} lose {lost.mean(1).min():.0%} of their entries, others {lost.mean(1).max():.0%}"
        if len(lost.sum(1).unique()) == 1:
            return f"all {kind} lose equally many entries"
        if (lost.corrcoef() - torch.eye(len(lost))).abs().max() > 0.5:
            return f"what one of the {kind} loses tells most of what another one loses"
    return ""


def both_lose_half(a: torch.Tensor, b: torch.Tensor) -> bool:
    return all(2 * int((each == 0).sum()) == each.numel() for each in (a, b))


def keeps_its_place(agree: Agree, *args: Any, **options: Any) -> None:
    """Float32 stays float32, and tensors on meta stay there."""
    floats = [arg.float() if isinstance(arg, torch.Tensor) and arg.dtype == F64 else arg for arg in args]
    agree(*floats, **options)
    agree.on_meta(*args, **options)


def network(draw: Draw, width: str = "D", hidden: str = "11") -> tuple[torch.Tensor, ...]:
    """w1, b1, w2 and b2; the first hidden unit is always on, a second one always off, and results begin below zero."""
    w1, b1, w2, b2 = draw(f"{width} {hidden}"), draw(hidden), draw(f"{hidden} {width}"), draw(width)
    b1[:2], w2[0, 0], b2[0] = torch.tensor([30.0, -30.0], dtype=F64)[: len(b1)], -1.0, -1.0
    return w1, b1, w2, b2


def x_of(draw: Draw, axes: str = "B T D", scale: float = 1.0) -> torch.Tensor:
    draw.fix(H=3, D=12)
    return draw(axes, scale=scale)


def block(draw: Draw, norm_first: bool, **options: Any) -> Any:
    return module(12, 3, draw.size("F"), norm_first=norm_first, **options)


def stack(draw: Draw, num_blocks: int, norm_first: bool, **options: Any) -> Any:
    return module(num_blocks, 12, 3, draw.size("F"), norm_first=norm_first, **options)


def earlier(draw: Draw) -> list[Any]:
    """Calls before the one that counts: a shorter text, a longer one in training, another mask of the same shape."""
    longer = called(draw("2 longer D"), draw.mask("2 1 longer longer"), training=True)
    return [called(draw("1 1 D"), training=True), longer, called(draw("B T D"), draw.mask("B 1 1 T"))]


def padded(draw: Draw) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A sentence, the same with something loud after its words, and the mask that hides it."""
    x = x_of(draw, "1 T D")
    longer = torch.cat([x, draw("1 padding D", scale=100.0)], dim=1)
    return x, longer, (torch.arange(longer.shape[1]) < x.shape[1])[None, None, None, :]


def with_dead_rows(mask: torch.Tensor) -> torch.Tensor:
    """The first sentence's first query sees nothing, and so do all queries of the last sentence."""
    mask = mask.clone()
    mask[0, ..., 0, :] = False
    mask[-1] = False
    return mask


@exercise("layer_norm", points=1, level="property")
def test_every_vector_gets_mean_0_and_variance_1(agree: Agree, draw: Draw) -> None:
    """with scale 1 and shift 0 a vector of large numbers gets mean 0 and, apart from eps, variance 1"""
    draw.fix(D=draw.random.randrange(6, 10))
    x, ones = draw("B T D", scale=50.0), torch.ones(draw.size("D"), dtype=F64)
    agree.satisfies("every vector has mean 0 and variance 1", normalised, x + 100, ones, 0 * ones, 0.1)


@exercise("layer_norm", points=1, level="property")
def test_every_vector_is_normalised_by_itself(agree: Agree, draw: Draw) -> None:
    """the result for a vector does not depend on the vectors around it"""
    draw.fix(D=6)
    x = draw("B T D")
    x[1, 0] = x[0, 0] = torch.tensor([3, *draw.random.sample((-1, 2, -4, 1, -1), 5)], dtype=F64)
    x[0, 1] = torch.tensor([3, *draw.random.sample(range(40, 45), 5)], dtype=F64)  # above the mean there, below it here
    says = "x[0, 0] and x[1, 0] are equal, and so are their results; of x[0, 1] the first number is, its result not"
    holds = lambda r: near(r[0, 0], r[1, 0]) and not near(r[0, 1, 0], r[0, 0, 0])  # noqa: E731
    agree.satisfies(says, holds, x, -draw("D").abs().clamp(0.2, 0.8), draw("D"), 0.1)


@exercise("layer_norm", points=2, level="values")
def test_layer_norm_is_its_formula(agree: Agree, draw: Draw) -> None:
    """scale · (x - mean) / √(variance + eps) + shift, variance divided by D; tiny x, x near 10⁷; eps large or small"""
    draw.fix(D=draw.random.randrange(5, 10))
    for eps in (2.0, draw.random.uniform(0.1, 0.5), 1e-3):
        agree(draw("B T D", scale=0.5), draw("D"), draw("D"), eps)
    agree(draw("B T D") + 1e4, draw("D"), draw("D"), 0.1, tolerance=1e-6)
    levels = 1e7 * draw.integers("B T 1", 1, 5)
    levels[0, 0] = 0  # far from all others
    for level in (1e7, levels):
        agree(draw("B T D") + level, draw("D"), draw("D"), 0.1, tolerance=1e-5)
    agree(draw("B T D", scale=1e-3), draw("D"), draw("D"), 1e-9)
    agree(draw("B T D", scale=1e-4, dtype=F32), draw("D", dtype=F32), draw("D", dtype=F32), 1e-12)


@exercise("layer_norm", points=1, level="edges")
def test_equal_features_become_the_shift(agree: Agree, draw: Draw) -> None:
    """a vector whose entries are all equal, or that has only one, becomes the shift, with finite gradients"""
    whole = draw.integers("B T 1", 1, 10).double()  # their mean is exact
    agree(whole.expand(draw.shape("B T D")), draw("D"), draw("D"), 0.1, tolerance=1e-6)
    agree(whole.expand(draw.shape("B T D")).clone(), draw("D"), draw("D"), 0.1, tolerance=1e-6, gradients=True)
    agree(draw("B T 1"), draw("1"), draw("1"), 0.2, tolerance=1e-6)


@exercise("layer_norm", points=1, level="edges")
def test_the_last_axis_is_normalised_whatever_stands_in_front(agree: Agree, draw: Draw) -> None:
    """a single vector works, and so do four axes and five, axes of equal size and axes of size 1"""
    draw.fix(B=2, H=3, T=4, D=5)
    for axes in ("D", "T D", "B H T D", "B 2 H T D", "1 1 D", "D D", "1 D D", "D D D"):
        agree(draw(axes), draw("D"), draw("D"), 0.3)


@exercise("layer_norm", points=1, level="edges")
def test_layer_norm_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x, scale and shift; dtype and device stay"""
    draw.fix(B=2, T=3, D=5)
    inputs = (draw("B T D"), draw("D"), draw("D"), 0.3)
    agree(*inputs, gradients=True)
    keeps_its_place(agree, *inputs)


@exercise("feed_forward", points=2, level="values")
def test_feed_forward_is_its_formula(agree: Agree, draw: Draw) -> None:
    """ReLU(x w1 + b1) w2 + b2, even for square matrices"""
    agree(draw("B T 5"), *network(draw, "5", "5"))
    agree(draw("B T D"), *network(draw))


@exercise("feed_forward", points=1, level="property")
def test_silent_units_and_other_positions_say_nothing(agree: Agree, draw: Draw) -> None:
    """where every hidden unit is below zero only b2 is left, and a position knows nothing about the others"""
    x, (w1, b1, w2, b2) = draw("B T D"), network(draw)
    x[1, 0] = x[0, 0]
    agree.satisfies("with no hidden unit above 0, every vector is b2", lambda r: near(r, b2), x, w1, b1 - 1000, w2, b2)
    agree.satisfies("equal vectors stay equal, [0, 0] and [1, 0]", lambda r: near(r[0, 0], r[1, 0]), x, w1, b1, w2, b2)


@exercise("feed_forward", points=1, level="edges")
def test_feed_forward_keeps_axes_of_size_one(agree: Agree, draw: Draw) -> None:
    """one sentence, one word, one hidden unit, one feature"""
    for axes in SMALL:
        agree(draw(axes), *network(draw))
    agree(draw("B T 1"), *network(draw, "1"))
    agree(draw("B T D"), *network(draw, "D", "1"))


@exercise("feed_forward", points=1, level="edges")
def test_feed_forward_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and all four parameters; dtype and device stay"""
    inputs = (draw("B T D"), *network(draw))
    agree(*inputs, gradients=True)
    keeps_its_place(agree, *inputs)


@exercise("dropout", points=1, level="values")
def test_evaluation_changes_nothing(agree: Agree, draw: Draw) -> None:
    """in evaluation, and with a rate of 0, x comes back as it was, and so do its gradients"""
    agree(draw("B T D"), 0.5, False, gradients=True)
    agree(draw("B T D"), 0.0, True, gradients=True)
    agree(draw("D"), 0.1, training=False)
    for axes in ("1 1 D", "B T 1", ""):
        agree(draw(axes), 0.1, False)


@exercise("dropout", points=1, level="property")
def test_survivors_are_divided_by_the_share_that_is_kept(agree: Agree, draw: Draw) -> None:
    """in training every entry is either 0 or x / (1 - rate); what is dropped has no gradient"""
    agree(draw("B T D"), 1 - 1e-12, True, gradients=True)  # nothing is left
    agree(draw("D"), 1e-12, True, gradients=True)  # all is left
    x = draw("40 50")
    shows = lambda r: "result / x goes from {:.4g} to {:.4g}".format(*(r / x + 0).aminmax())  # noqa: E731
    for rate, grown in ((0.2, 1.25), (0.5, 2.0), (0.75, 4.0)):
        says = f"at rate {rate} every entry is 0 or {grown:g} · x, and there are both"
        agree.satisfies(says, lambda r, grown=grown: takes(r / x, 0, grown), x, rate, True, shows=shows)


@exercise("dropout", points=1, level="property")
def test_the_share_of_zeros_is_the_rate(agree: Agree, draw: Draw) -> None:
    """of many entries, a share of about `rate` is dropped"""
    for rate in (0.2, 0.7):
        says, x = f"about {rate} of all entries are 0", draw("10 40 50")
        agree.satisfies(says, lambda r, rate=rate: near((r == 0).double().mean(), rate, 0.03), x, rate, True)


@exercise("dropout", points=1, level="property")
def test_every_entry_is_dropped_by_itself(agree: Agree, draw: Draw) -> None:
    """rows, columns, sentences and two calls lose different entries, and not always the same number of them"""
    says = "every sentence, row and column loses about half of its entries, independently of the others"
    agree.satisfies(says, lambda r: not not_independent(r), draw("8 40 60"), 0.5, True, shows=not_independent)
    call, says = (draw("8 40 60"), 0.5, True), "a second call drops other entries"
    shows = lambda *_: "both calls drop the same entries"  # noqa: E731
    agree.relates(says, lambda a, b: not torch.equal(a == 0, b == 0), call, call, shows=shows)
    says, call = "two calls do not both drop exactly half of the entries", (torch.ones(800, 500, dtype=F32), 0.5, True)
    shows = lambda *_: "both calls drop exactly half"  # noqa: E731
    agree.relates(says, lambda a, b: not both_lose_half(a, b), call, call, shows=shows)


@exercise("dropout", points=1, level="edges")
def test_impossible_rates_are_refused(agree: Agree, draw: Draw) -> None:
    """a rate of 1 or more, or below 0, raises a ValueError that names it, in training and in evaluation"""
    for rate, name in ((1.5, "1.5"), (1.0, "1"), (-0.25, "0.25")):
        for training in (True, False):
            agree.raises(ValueError, draw("B T D"), rate, training, naming=(name,))


@exercise("dropout", points=1, level="edges")
def test_dropout_takes_any_tensor(agree: Agree, draw: Draw) -> None:
    """dtype, shape and device stay, with any number of axes"""
    for axes in ("D", "1 1", "B H T D", ""):
        agree.satisfies("the shape stays", lambda r: True, draw(axes), 0.5, True)
    keeps_its_place(agree, draw("B T D"), 0.3, False)
    agree.satisfies("float32 stays float32", lambda r: r.dtype == F32, draw("B T D", dtype=F32), 0.3, True)
    agree.on_meta(draw("B T D"), 0.3, True)


@exercise("EncoderBlock", points=2, level="values")
def test_post_norm_normalises_the_sums(agree: Agree, draw: Draw) -> None:
    """z = norm1(x + attention(x)), out = norm2(z + FFN(z)), with a mask and without"""
    agree(x_of(draw), build=block(draw, False))
    agree(draw("B T 8"), mask=draw.mask("B 1 1 T"), build=module(8, 2, 5))


@exercise("EncoderBlock", points=2, level="values")
def test_pre_norm_normalises_what_the_layers_read(agree: Agree, draw: Draw) -> None:
    """z = x + attention(norm1(x)), out = z + FFN(norm2(z)), with a mask and without"""
    agree(x_of(draw, scale=3.0), build=block(draw, True))
    agree(draw("B T 8"), mask=draw.mask("B 1 1 T"), build=module(8, 2, 5, norm_first=True))


@exercise("EncoderBlock", points=1, level="property")
def test_layers_that_give_nothing_change_nothing(agree: Agree, draw: Draw) -> None:
    """when attention and FFN give zeros, pre-norm returns x as it is, and post-norm gives norm2(norm1(x))"""
    x, fill = x_of(draw, scale=3.0), dict.fromkeys(SILENT, 0.0)
    says = "where the layers give zeros, pre-norm returns x as it is"
    agree.satisfies(says, lambda r: near(r, x), x, build=block(draw, True, fill=fill))
    agree(x, build=block(draw, False, fill=fill))


@exercise("EncoderBlock", points=1, level="property")
def test_padding_and_order_do_not_matter(agree: Agree, draw: Draw) -> None:
    """reversed, and with hidden padding in front, a sentence gives the same results in reverse"""
    says, (x, longer, mask) = "the words keep their results, reversed and after hidden padding", padded(draw)
    turned = longer.flip(1), mask.flip(-1)
    for build in (block(draw, norm_first) for norm_first in ORDERS):
        agree.relates(says, lambda a, b: near(a, b.flip(1)[:, : a.shape[1]]), (x,), turned, build=build)


@exercise("EncoderBlock", points=1, level="property")
def test_dropout_acts_on_what_is_added(agree: Agree, draw: Draw) -> None:
    """in training, entries of what attention and FFN give are dropped, before they are added and normalised"""
    training = {"dropout": 0.5, "training": True}
    even = {"attention.w_v": (0.0, 1.0), "attention.w_o": (torch.eye(12), 0.0), "feed_forward.0": (0.0, 1.0)}
    even["feed_forward.2"] = (10.0 * torch.eye(draw.size("F")).repeat(12, 1)[:12], 0.0)  # reads one hidden unit each
    fill = {
        f"{layer}.{name}": value for layer in even for name, value in zip(("weight", "bias"), even[layer], strict=True)
    }
    x, says = x_of(draw, "2 20 D"), "where attention gives 1 and FFN 10, at rate 0.5 result - x is 0, 2, 20 or 22"
    shows = lambda r: "result - x goes from {:.4g} to {:.4g}".format(*(r - x).aminmax())  # noqa: E731
    build = block(draw, True, fill=fill, **training)
    agree.satisfies(says, lambda r: takes(r - x, 0, 2, 20, 22), x, build=build, shows=shows)
    for silent in SILENT:
        fill = {silent: 0.0, "norm2.weight": 1.0, "norm2.bias": 0.0}
        twins, build = draw("1 1 D").expand(2, 20, 12), block(draw, False, fill=fill, **training)
        says = "equal positions become different, and every vector still has mean 0 and variance 1"
        shows = lambda r: "they stay equal" if normalised(r) else f"variances up to {r.var(-1, correction=0).max():.4g}"  # noqa: E731
        agree.satisfies(says, lambda r: normalised(r) and not near(r, r[:, :1]), twins, build=build, shows=shows)


@exercise("EncoderBlock", points=1, level="edges")
def test_blocks_take_masks_of_any_form(agree: Agree, draw: Draw) -> None:
    """masks broadcast, axes of size 1 stay, and earlier calls leave nothing behind"""
    x = x_of(draw)
    for axes, norm_first in zip(MASKS, TURNS, strict=True):
        agree(x, draw.mask(axes), build=block(draw, norm_first))
    agree(x, draw.mask("H T T"), build=block(draw, False))
    agree(draw("T T D"), draw.mask("T T"), build=block(draw, False))  # as many texts as words, then as heads
    agree(draw("H T D"), draw.mask("H T T"), build=block(draw, True))
    agree(x, draw.mask("B 1 1 T"), build=block(draw, False, after=earlier(draw)))
    agree(x, build=block(draw, True, after=earlier(draw)))
    agree(x, build=block(draw, False, dropout=0.0, training=True))
    agree(draw("B T 1"), build=module(1, 1, 3, norm_first=True))
    for axes, norm_first in zip(SMALL, TURNS, strict=True):
        agree(draw(axes), None, build=block(draw, norm_first))
    for norm_first in ORDERS:  # of texts of one word, some may not even look at that
        agree(draw("B 1 12"), draw.mask("1 B").reshape(-1, 1, 1, 1), build=block(draw, norm_first))


@exercise("EncoderBlock", points=1, level="edges")
def test_blocks_learn_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and every parameter, in training too, past queries that see nothing; dtype and device stay"""
    x, mask = x_of(draw), with_dead_rows(draw.mask("B 1 T T"))
    for norm_first in ORDERS:
        agree(x, mask, build=block(draw, norm_first, dropout=0.0, training=True), gradients=True)
        agree(x, mask, build=block(draw, norm_first), gradients=True)
        keeps_its_place(agree, x, mask, build=block(draw, norm_first))


@exercise("Encoder", points=2, level="values")
def test_post_norm_blocks_follow_each_other(agree: Agree, draw: Draw) -> None:
    """each block reads what the previous one wrote, in order, whether there are one, three or eleven blocks"""
    x = x_of(draw)
    agree(x, build=stack(draw, 1, False))
    agree(x, mask=draw.mask("B 1 1 T"), build=stack(draw, 3, False))
    agree(x, build=stack(draw, 11, False))


@exercise("Encoder", points=2, level="values")
def test_pre_norm_blocks_are_followed_by_one_norm(agree: Agree, draw: Draw) -> None:
    """with norm_first, one last norm follows after all blocks"""
    x = x_of(draw)
    agree(x, build=stack(draw, 1, True))
    agree(x, mask=draw.mask("B 1 1 T"), build=stack(draw, 3, True))


@exercise("Encoder", points=1, level="property")
def test_padding_stays_hidden_in_every_block(agree: Agree, draw: Draw) -> None:
    """padding that the mask hides changes no word, in any block"""
    says, (x, longer, mask) = "with hidden padding after them, the words keep their results", padded(draw)
    for build in (stack(draw, 2, norm_first) for norm_first in ORDERS):
        agree.relates(says, lambda a, b: near(a, b[:, : a.shape[1]]), (x,), (longer, mask), build=build)


@exercise("Encoder", points=1, level="edges")
def test_encoders_take_masks_of_any_form(agree: Agree, draw: Draw) -> None:
    """masks broadcast, axes of size 1 stay, and earlier calls leave nothing behind"""
    x = x_of(draw)
    for axes, norm_first in zip(MASKS, TURNS, strict=True):
        agree(x, draw.mask(axes), build=stack(draw, 2, norm_first))
    agree(x, draw.mask("H T T"), build=stack(draw, 1, False))
    agree(draw("T T D"), draw.mask("T T"), build=stack(draw, 1, True))  # as many texts as words, then as heads
    agree(draw("H T D"), draw.mask("H T T"), build=stack(draw, 1, False))
    agree(x, draw.mask("B 1 1 T"), build=stack(draw, 2, False, after=earlier(draw)))
    agree(x, build=stack(draw, 2, True, after=earlier(draw)))
    agree(x, build=stack(draw, 1, True, dropout=0.0, training=True))
    agree(draw("B T 1"), build=module(1, 1, 1, 3))
    for axes, norm_first in zip(SMALL, TURNS, strict=True):
        agree(draw(axes), None, build=stack(draw, 1, norm_first))


@exercise("Encoder", points=1, level="edges")
def test_encoders_learn_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and all blocks, past queries that see nothing too; all dropouts have the rate; dtype, device"""
    x, mask = x_of(draw), with_dead_rows(draw.mask("B 1 T T"))
    for norm_first in ORDERS:
        agree(x, mask, build=stack(draw, 2, norm_first, dropout=0.0, training=True), gradients=True)
    agree(x, mask, build=stack(draw, 2, True), gradients=True)
    agree(x, build=stack(draw, 2, False, dropout=1 - 1e-9, training=True))  # nothing but norms of x is left
    keeps_its_place(agree, x, mask, build=stack(draw, 1, True))


@exercise("encoder_parameters", points=1, level="property")
def test_twice_the_blocks_are_twice_the_parameters(agree: Agree, draw: Draw) -> None:
    """without tables, twice as many blocks have twice as many parameters"""
    sizes = draw.random.choice(((37, 22), (14, 28), (17, 19), (35, 28), (20, 14)))
    more = 24 * draw.random.randrange(1, 50)  # the remainders by 3, 6 and 8 stay, and neither is twice the other
    width, hidden = (size + more for size in sizes)
    says, shows = "6 blocks have twice the parameters of 3, each more than 4 D", "{:,} for 3 blocks, {:,} for 6".format
    holds = lambda a, b: b == 2 * a > 24 * width  # noqa: E731
    agree.relates(says, holds, (3, width, hidden), (6, width, hidden), shows=shows)


@exercise("encoder_parameters", points=2, level="values")
def test_bert_has_as_many_parameters_as_published(agree: Agree, draw: Draw) -> None:
    """12 blocks, width 768, hidden width 3072: 85,054,464 parameters, with BERT's tables 108,888,576; GPT-3's sizes"""
    agree.satisfies("BERT's blocks have 85,054,464", lambda r: r == 85_054_464, 12, 768, 3072, shows="{:,}".format)
    agree.satisfies("BERT has 108,888,576", lambda r: r == 108_888_576, 12, 768, 3072, 30522, 512, shows="{:,}".format)
    agree(12, 3 + 8 * draw.random.randrange(30, 150), 3 + 8 * draw.random.randrange(25, 500))  # as of TOLD_APART
    agree(96, 12288, 49152, 50257, 2048)
    width, hidden = 2 * draw.random.randrange(500, 900) + 1, 4 * draw.random.randrange(900, 1200)
    agree.under(F32)(3, width, hidden, 30001, 513)  # an odd number, which float32 cannot hold


@exercise("encoder_parameters", points=1, level="values")
def test_any_encoder_can_be_counted(agree: Agree, draw: Draw) -> None:
    """any number of blocks, a hidden layer wider, narrower or as wide as the rest, with tables and without"""
    small, middle, large, blocks, vocab, longest = draw.random.choice(TOLD_APART)
    agree(blocks, small, large)
    agree(blocks, large, small)
    agree(blocks, middle, large, vocab, longest)
    agree(blocks, middle, middle, middle, middle)
    agree(blocks, draw.random.randrange(60, 600), large)


@exercise("encoder_parameters", points=1, level="edges")
def test_each_table_counts_by_itself(agree: Agree, draw: Draw) -> None:
    """tokens without positions, positions without tokens, and sizes of 1"""
    width, _, hidden, blocks, vocab, longest = draw.random.choice(TOLD_APART)
    agree(blocks, width, hidden, vocab_size=vocab)
    agree(blocks, width, hidden, max_length=longest)
    agree(1, 1, 1, 1, 1)
    agree(1, 1, 1, draw.random.randrange(60, 6000), 1)


@exercise("rms_norm", points=1, level="property")
def test_every_vector_gets_a_mean_square_of_1(agree: Agree, draw: Draw) -> None:
    """with scale 1 a vector of large numbers gets a mean square of 1, apart from eps, and keeps its direction"""
    draw.fix(D=draw.random.randrange(6, 10))
    x, ones = draw("B T D", scale=50.0) + 100, torch.ones(draw.size("D"), dtype=F64)
    agree.satisfies("every mean square is 1", lambda r: near(r.square().mean(-1), 1, 0.02), x, ones, 0.1)
    says = "every vector keeps its direction"
    agree.satisfies(says, lambda r: near(unit(r), unit(x)), x, ones, draw.random.uniform(0.1, 0.5))


@exercise("rms_norm", points=1, level="property")
def test_every_root_mean_square_is_of_one_vector(agree: Agree, draw: Draw) -> None:
    """the result for a vector does not depend on the vectors around it"""
    draw.fix(D=6)
    x = draw("B T D")
    x[1, 0] = x[0, 0] = torch.tensor([3, *draw.random.sample((-1, 2, -4, 1, -1), 5)], dtype=F64)
    x[0, 1] = torch.tensor([3, *draw.random.sample(range(40, 45), 5)], dtype=F64)
    says = "x[0, 0] and x[1, 0] are equal, and so are their results; of x[0, 1] the first number is, its result not"
    holds = lambda r: near(r[0, 0], r[1, 0]) and not near(r[0, 1, 0], r[0, 0, 0])  # noqa: E731
    agree.satisfies(says, holds, x, -draw("D").abs().clamp(0.2, 0.8), 0.1)


@exercise("rms_norm", points=2, level="values")
def test_rms_norm_is_its_formula(agree: Agree, draw: Draw) -> None:
    """x / √(mean of x² + eps) · scale, eps large or small, x of any size"""
    draw.fix(D=draw.random.randrange(5, 10))
    for eps in (2.0, draw.random.uniform(0.1, 0.5), 1e-3):
        agree(draw("B T D", scale=0.5), draw("D"), eps)
    agree(draw("B T D") + 3, draw("D"), 0.1)
    agree(draw("B T D", scale=1e6), draw("D"), 0.1)
    agree(draw("B T D", scale=1e-3), draw("D"), 1e-9)
    agree(draw("B T D", scale=1e-4, dtype=F32), draw("D", dtype=F32), 1e-12)


@exercise("rms_norm", points=1, level="edges")
def test_a_vector_of_zeros_stays_zero(agree: Agree, draw: Draw) -> None:
    """a vector of zeros stays zero, with finite gradients, and a vector of one entry is divided too"""
    agree(draw("B T D") * draw.integers("B T 1", 0, 2), draw("D"), 0.1, gradients=True)
    agree(0 * draw("B D"), draw("D"), draw.random.uniform(0.1, 0.5), gradients=True)
    agree(draw("B T 1"), draw("1"), 0.2)


@exercise("rms_norm", points=1, level="edges")
def test_the_last_axis_is_divided_whatever_stands_in_front(agree: Agree, draw: Draw) -> None:
    """a single vector works, and so do four axes and five, axes of equal size and axes of size 1"""
    draw.fix(B=2, H=3, T=4, D=5)
    for axes in ("D", "T D", "B H T D", "B 2 H T D", "1 1 D", "D D", "1 D D", "D D D"):
        agree(draw(axes), draw("D"), 0.3)


@exercise("rms_norm", points=1, level="edges")
def test_rms_norm_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and scale; dtype and device stay"""
    draw.fix(B=2, T=3, D=5)
    inputs = (draw("B T D"), draw("D"), 0.3)
    agree(*inputs, gradients=True)
    keeps_its_place(agree, *inputs)


def gated(draw: Draw, width: str = "D", hidden: str = "11") -> tuple[torch.Tensor, ...]:
    """w_gate, w_up and w_down."""
    return draw(f"{width} {hidden}"), draw(f"{width} {hidden}"), draw(f"{hidden} {width}")


@exercise("swiglu", points=2, level="values")
def test_swiglu_is_its_formula(agree: Agree, draw: Draw) -> None:
    """(SiLU(x w_gate) · (x w_up)) w_down with SiLU(z) = z σ(z), even for square matrices"""
    agree(draw("B T 5"), *gated(draw, "5", "5"))
    agree(draw("B T D"), *gated(draw))


@exercise("swiglu", points=1, level="property")
def test_a_closed_gate_lets_nothing_through(agree: Agree, draw: Draw) -> None:
    """where all gates are far below zero or up is zero, zeros come out; twice as much up gives twice as much"""
    x, (w_gate, w_up, w_down) = draw("B T D").abs() + 1, gated(draw)
    shows = lambda r: f"a number there is {r.abs().max():.4g}"  # noqa: E731
    closed, says = (x, -1000 * w_gate.abs(), w_up, w_down), "with all gates far below 0, every number is 0"
    agree.satisfies(says, lambda r: near(r, 0), *closed, shows=shows)
    says = "with w_up 0, every number is 0"
    agree.satisfies(says, lambda r: near(r, 0), x, w_gate, 0 * w_up, w_down, shows=shows)
    says = "twice w_up gives twice the result, which is not 0"
    holds = lambda a, b: near(b, 2 * a) and not near(a, 0)  # noqa: E731
    agree.relates(says, holds, (x, w_gate, w_up, w_down), (x, w_gate, 2 * w_up, w_down))


@exercise("swiglu", points=1, level="edges")
def test_swiglu_takes_any_axes_in_front(agree: Agree, draw: Draw) -> None:
    """a single vector works, and so do four axes, axes of size 1, one hidden unit and one feature"""
    for axes in ("D", "T D", "B H T D", *SMALL):
        agree(draw(axes), *gated(draw))
    agree(draw("B T 1"), *gated(draw, "1"))
    agree(draw("B T D"), *gated(draw, "D", "1"))


@exercise("swiglu", points=1, level="edges")
def test_swiglu_survives_large_gates(agree: Agree, draw: Draw) -> None:
    """gates in the thousands, of both signs, beside small ones, give finite results and gradients"""
    x = draw("B T D")
    x[0] *= 1000.0
    agree(x, *gated(draw), gradients=True)


@exercise("swiglu", points=1, level="edges")
def test_swiglu_learns_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and all three matrices; dtype and device stay"""
    inputs = (draw("B T D"), *gated(draw))
    agree(*inputs, gradients=True)
    keeps_its_place(agree, *inputs)
