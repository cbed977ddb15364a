"""Checks of chapter 12: convolutions, their matrices, the Fourier transform and a block of MLP-Mixer.

Where a mistake raises unless features and positions (or features in and out) are equal, a check makes them equal too.
"""

import torch

from autograder.suite import Agree, Draw, exercise, module, near
from reference import ch12_mixing as reference

CONVOLUTIONS = ("conv*", "Conv*", "LazyConv*", "*convolution", "slow_conv*")
WELCOME = {"separable_conv1d": ("pointwise_conv1d",)}  # there a convolution is allowed, and what it is made of
FORBIDDEN = {"depthwise_conv1d": CONVOLUTIONS, "separable_conv1d": CONVOLUTIONS}
F64, F32 = torch.float64, torch.float32
PLACES = (3, 0, 4, 1, 2, 4, 0)  # for each of 7 features the place of the only 1 in its filter of 5
MIXER = (6, 4, 7, 9)  # T, D, S, F


def others(before: torch.Tensor, after: torch.Tensor, axis: int, number: int) -> bool:
    """Say whether everything except `number` of `axis` is the same."""
    left_out = torch.tensor([number])
    return near(*(result.index_fill(axis, left_out, 0.0) for result in (before, after)))


def moved(x: torch.Tensor, places: int) -> torch.Tensor:
    """Return rows (B, T) whose place t holds the number that was at t + places, or 0."""
    row = torch.zeros_like(x)
    for t in range(x.shape[1]):
        if 0 <= t + places < x.shape[1]:
            row[:, t] = x[:, t + places]
    return row


@exercise("depthwise_conv1d", points=1, level="property")
def test_a_filter_with_a_single_one_moves_its_feature(agree: Agree, draw: Draw) -> None:
    """a filter that is 1 at place k and 0 elsewhere gives t the number at t + k − (K − 1) / 2, or 0 beyond the ends"""
    filters = torch.zeros(7, 5, dtype=F64)
    filters[range(7), PLACES] = 1.0
    draw.fix(T=draw.random.choice((7, 9, 11)))  # odd: an inverse transform must be told so
    x = draw("B T 7")
    expected = torch.stack([moved(x[..., d], place - 2) for d, place in enumerate(PLACES)], dim=2)
    says = "where filter d is 1 at k and 0 elsewhere, [t, d] is x[t + k − 2, d], or 0 beyond the ends"
    agree.satisfies(says, lambda r: near(r, expected), x, filters)


@exercise("depthwise_conv1d", points=1, level="property")
def test_each_feature_is_filtered_alone(agree: Agree, draw: Draw) -> None:
    """other numbers around a position of a feature change its result there, and nothing in the other features"""
    draw.fix(T=9, D=draw.random.randrange(4, 9))
    filters, x, changed = draw("D 3"), draw("B T D"), draw("B T")
    changed[:, 4] = x[:, 4, 1]
    x2 = torch.cat([x[..., :1], changed[..., None], x[..., 2:]], dim=2)
    says = "other numbers around position 4 of feature 1 change its result there, and nothing in the other features"
    holds = lambda a, b: others(a, b, 2, 1) and not near(a[:, 4, 1], b[:, 4, 1])  # noqa: E731
    agree.relates(says, holds, (x, filters), (x2, filters))


@exercise("depthwise_conv1d", points=2, level="values")
def test_the_sum_of_neighbours_times_filter(agree: Agree, draw: Draw) -> None:
    """y[t, d] is the sum over k of filters[d, k] · x[t + k − (K − 1) / 2, d], for filters of 3 and 5"""
    draw.fix(T=draw.random.choice((5, 7, 9)))
    agree(draw("B T 5"), draw("5 5"))
    filters = draw("D 3")
    agree(draw("B T D"), filters, gradients=True)


@exercise("depthwise_conv1d", points=1, level="edges")
def test_filters_longer_than_the_text_and_other_sizes(agree: Agree, draw: Draw) -> None:
    """filters longer than the text or of one number, a long text, one text, position, feature; dtype and device stay"""
    filters = draw("D 7")
    agree(draw("B 2 D"), filters)
    agree(draw("1 134 D"), filters)
    agree(draw("1 T 70"), draw("70 3"))
    agree(draw("B 3 3"), draw("3 3"))
    agree(draw("B T D"), draw("D 1"))
    agree(draw("1 T D"), draw("D 3"))
    agree(draw("B 1 D"), draw("D 3"))
    agree(draw("B T 1"), draw("1 3"))
    agree(draw("B T D", dtype=F32), draw("D 3", dtype=F32))
    agree.on_meta(draw("B T D"), draw("D 3"), half_precision=False)  # a Fourier transform may do it, and has none


@exercise("pointwise_conv1d", points=1, level="property")
def test_a_position_is_mapped_alone(agree: Agree, draw: Draw) -> None:
    """other numbers at one position change nothing at the other positions"""
    x, changed, w = draw("B T D"), draw("B D"), draw("D E")
    x2 = torch.cat([x[:, :1], changed[:, None], x[:, 2:]], dim=1)
    says = "other numbers at position 1 leave the other positions unchanged"
    agree.relates(says, lambda a, b: others(a, b, 1, 1), (x, w), (x2, w))


@exercise("pointwise_conv1d", points=2, level="values")
def test_vectors_times_matrix(agree: Agree, draw: Draw) -> None:
    """y[t, e] is the sum over d of x[t, d] · w[d, e], for square and other matrices"""
    agree(draw("B T D"), draw("D D"))
    agree(draw("B T D"), draw("D E"), gradients=True)
    agree(draw("B 5 5"), draw("5 E"))
    agree(draw("B 6 D"), draw("D 6"))
    agree(draw("B 5 5"), draw("5 5"))


@exercise("pointwise_conv1d", points=1, level="edges")
def test_maps_of_any_number_and_kind(agree: Agree, draw: Draw) -> None:
    """one text, one position or many, one feature in or out, or many; dtype and device stay"""
    agree(draw("1 T D"), draw("D E"))
    agree(draw("1 134 D"), draw("D E"))
    agree(draw("1 T 70"), draw("70 E"))
    agree(draw("B 1 D"), draw("D E"))
    agree(draw("B T D"), draw("D 1"))
    agree(draw("B T 1"), draw("1 E"))
    agree(draw("B T D", dtype=F32), draw("D E", dtype=F32))
    agree.on_meta(draw("B T D"), draw("D E"))


@exercise("separable_conv1d", points=1, level="property")
def test_each_half_on_its_own(agree: Agree, draw: Draw) -> None:
    """filters 1, 0, 0 move the text by one place, then w multiplies it; with w the identity, the filters alone act"""
    draw.fix(T=draw.random.choice((6, 7, 8)))
    filters, x, w = draw("D 3"), draw("B T D"), draw("D D")
    before, unit = torch.tensor([1.0, 0.0, 0.0], dtype=F64).repeat(len(w), 1), torch.eye(len(w), dtype=F64)
    after = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1) @ w
    along = reference.depthwise_conv1d(x, filters)
    says = "with filters 1, 0, 0, position t gets x[t − 1] times w, and position 0 gets 0"
    agree.satisfies(says, lambda r: near(r, after), x, before, w)
    says = "if w is the identity, it is the depthwise convolution alone"
    agree.satisfies(says, lambda r: near(r, along), x, filters, unit)


@exercise("separable_conv1d", points=2, level="values")
def test_first_along_then_across(agree: Agree, draw: Draw) -> None:
    """the depthwise convolution, then the pointwise one, for square and other matrices"""
    draw.fix(T=draw.random.choice((6, 7, 8)))
    filters = draw("D 3")
    agree(draw("B T D"), filters, draw("D D"))
    agree(draw("B T D"), filters, draw("D E"), gradients=True)
    agree(draw("B 5 5"), draw("5 5"), draw("5 5"))
    agree(draw("B 6 D"), filters, draw("D 6"))


@exercise("separable_conv1d", points=1, level="edges")
def test_separable_convolutions_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """a long filter, a filter of one number, a long text, one text, position or feature; dtype and device stay"""
    filters = draw("D 7")
    agree(draw("B 2 D"), filters, draw("D E"))
    agree(draw("1 134 D"), filters, draw("D E"))
    agree(draw("1 T 70"), draw("70 3"), draw("70 E"))
    agree(draw("1 T D"), draw("D 1"), draw("D E"))
    agree(draw("B 1 D"), draw("D 3"), draw("D 1"))
    agree(draw("B T 1"), draw("1 3"), draw("1 E"))
    single = [draw(axes, dtype=F32) for axes in ("B T D", "D 3", "D E")]
    agree(*single)
    agree.on_meta(draw("B T D"), draw("D 3"), draw("D E"), half_precision=False)


@exercise("filter_matrix", points=1, level="property")
def test_the_matrices_do_what_the_convolution_does(agree: Agree, draw: Draw) -> None:
    """each feature times its matrix is the depthwise convolution"""
    filters = draw("D 5")
    draw.fix(T=draw.random.choice([size for size in (6, 7, 8, 9) if size != len(filters)]))
    x = draw("B T D")
    seen = reference.depthwise_conv1d(x, filters)
    says = "matrix[d] @ x[b, :, d] is feature d of text b after the depthwise convolution"
    agree.satisfies(says, lambda r: near(torch.einsum("dij,bjd->bid", r, x), seen), filters, x.shape[1])


@exercise("filter_matrix", points=1, level="property")
def test_a_band_that_is_the_same_along_every_diagonal(agree: Agree, draw: Draw) -> None:
    """each row is the one above it, shifted by one place; more than (K − 1) / 2 places from the diagonal, all is 0"""
    draw.fix(D=draw.random.choice((5, 6, 8)))
    filters, length = draw("D 3"), 7
    far = (torch.arange(length) - torch.arange(length)[:, None]).abs() > 1
    says = "in each matrix, entry [i + 1, j + 1] is entry [i, j]"
    agree.satisfies(says, lambda r: near(r[:, 1:, 1:], r[:, :-1, :-1]), filters, length)
    says = "more than (K − 1) / 2 places from the diagonal, all is 0"
    shows = lambda r: f"there are numbers up to {r[:, far].abs().max():.4g}"  # noqa: E731
    agree.satisfies(says, lambda r: near(r[:, far], 0.0), filters, length, shows=shows)


@exercise("filter_matrix", points=2, level="values")
def test_entry_i_j_is_number_j_minus_i_from_the_middle(agree: Agree, draw: Draw) -> None:
    """[d, i, j] is filters[d, j − i + (K − 1) / 2], for filters of 3 and 5, and as many features as positions"""
    agree(torch.arange(1.0, 16.0, dtype=F64).view(3, 5), 6)
    agree(draw("D 3"), 7, gradients=True)
    agree(draw("6 5"), 6)


@exercise("filter_matrix", points=1, level="edges")
def test_matrices_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """a filter longer than the matrix, a filter of one number, one position, one feature; dtype and device stay"""
    draw.fix(D=8)  # no length
    agree(draw("D 7"), 2)
    agree(draw("D 5"), 70)
    agree(draw("5 5"), 5)
    agree(draw("D 1"), 4)
    agree(draw("D 3"), 1)
    agree(draw("1 3"), 5)
    agree(draw("D 3", dtype=F32), 4)
    agree(draw("1 3", dtype=torch.bfloat16), 300)
    agree.on_meta(draw("D 3"), 4)


@exercise("fourier_mixing", points=1, level="property")
def test_what_never_changes_ends_at_position_0(agree: Agree, draw: Draw) -> None:
    """where all vectors of a text are the same, position 0 gets T times their transform, and all others get 0"""
    draw.fix(D=draw.random.randrange(4, 9))  # of two numbers the transform has no imaginary part, and no half
    vectors = draw("B 1 D")
    length = draw.size("T")
    first = length * reference.fourier_mixing(vectors)[:, 0]

    def holds(r: torch.Tensor) -> bool:
        return near(r[:, 0], first) and near(r[:, 1:], 0.0)

    def shows(r: torch.Tensor) -> str:
        off = [part.abs().max().round(decimals=6) for part in (r[:, 0] - first, r[:, 1:])]
        return f"position 0 is off by up to {off[0]:.4g}, the others by up to {off[1]:.4g}"

    says = "where all vectors are the same, position 0 gets T times the transform of one, the others 0"
    agree.satisfies(says, holds, vectors.repeat(1, length, 1), shows=shows)


@exercise("fourier_mixing", points=1, level="property")
def test_each_text_is_mixed_alone(agree: Agree, draw: Draw) -> None:
    """other vectors after the first of a text change its first result, and nothing in the other texts"""
    draw.fix(B=3, D=draw.random.randrange(4, 9))
    x, changed = draw("B T D"), draw("1 T D")
    changed[0, 0] = x[1, 0]
    x2 = torch.cat([x[:1], changed, x[2:]])
    says = "text 1 has other vectors but for the first: its first result changes, and nothing in the other texts"
    agree.relates(says, lambda a, b: others(a, b, 0, 1) and not near(a[1, 0, 0], b[1, 0, 0]), (x,), (x2,))


@exercise("fourier_mixing", points=1, level="property")
def test_a_wave_along_both_axes_has_two_places(agree: Agree, draw: Draw) -> None:
    """a · cos(2π(t / T + d / D)) becomes a · T·D / 2 at [1, 1] and at [T − 1, D − 1], and 0 elsewhere"""
    height = draw.random.randrange(2, 100)
    t, d = torch.arange(5, dtype=F64)[:, None] / 5, torch.arange(7, dtype=F64) / 7
    wave = height * torch.cos(2 * torch.pi * (t + d)).repeat(2, 1, 1)
    expected = torch.zeros(2, 5, 7, dtype=F64)
    expected[:, 1, 1] = expected[:, 4, 6] = 17.5 * height
    says = f"for x = {height} cos(2π(t/5 + d/7)), the result is {17.5 * height:g} at [1, 1] and [4, 6], and 0 elsewhere"
    agree.satisfies(says, lambda r: near(r, expected), wave)


@exercise("fourier_mixing", points=2, level="values")
def test_the_real_part_of_the_transform_over_positions_and_features(agree: Agree, draw: Draw) -> None:
    """Re Σ x[t, d] exp(−2πi (mt / T + nd / D)), for even and odd numbers of positions and features"""
    agree(draw("B 5 6"), gradients=True)
    agree(draw("B 4 7") - 2.0)
    agree(draw("B T T"))


@exercise("fourier_mixing", points=1, level="edges")
def test_texts_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """one text, one position, one feature, one number, many positions; dtype and device stay"""
    draw.fix(T=draw.random.randrange(3, 6), D=draw.random.randrange(6, 9))  # the sines of 2 places are all 0
    agree(draw("B T D", dtype=F32))  # first: what is kept of it is too coarse for the others
    agree(draw("1 T D"))
    agree(draw("B 1 D"))
    agree(draw("B T 1"))
    agree(draw("1 1 1"))
    agree(draw("1 70 2"))
    agree.on_meta(draw("B T D"), half_precision=False)


@exercise("MixerBlock", points=2, level="values")
def test_tokens_then_channels_each_with_norm_and_residual(agree: Agree, draw: Draw) -> None:
    """u = x + tokens(norm1(x)), y = u + channels(norm2(u)); gradients reach every parameter"""
    agree(draw("B 6 4"), build=MIXER, gradients=True)
    agree(draw("B 5 5"), build=(5, 5, 7, 3))


@exercise("MixerBlock", points=1, level="property")
def test_what_the_networks_give_is_added_to_x(agree: Agree, draw: Draw) -> None:
    """where the networks give constants, these are added to x: no trace of the norms, or of a dropout"""
    x, places, features = draw("B 6 4"), draw("6"), draw("4")
    weights = {"token_mixing.2.weight": 0.0, "channel_mixing.2.weight": 0.0}
    fill = {**weights, "token_mixing.2.bias": places, "channel_mixing.2.bias": features}
    says = "where both networks give constants, the result is x plus these, in training too"
    build = module(*MIXER, fill=fill, training=True)
    agree.satisfies(says, lambda r: near(r, x + places[:, None] + features), x, build=build)


@exercise("MixerBlock", points=1, level="property")
def test_only_token_mixing_passes_on_anything_between_positions(agree: Agree, draw: Draw) -> None:
    """where token_mixing gives 0, changing the vector at one position changes nothing at the others"""
    x, changed, built = draw("B 6 4"), draw("B 1 4"), module(*MIXER, fill={"token_mixing.2": 0.0})
    x2 = torch.cat([x[:, :1], changed, x[:, 2:]], dim=1)
    says = "where token_mixing gives 0, other numbers at position 1 leave the other positions unchanged"
    agree.relates(says, lambda a, b: others(a, b, 1, 1), (x,), (x2,), build=built)


@exercise("MixerBlock", points=1, level="property")
def test_token_mixing_treats_all_features_alike(agree: Agree, draw: Draw) -> None:
    """where channel_mixing gives 0 and norm1 has scale 1, shift 0, permuted features come out permuted"""
    fill = {"channel_mixing.2": 0.0, "norm1.weight": 1.0, "norm1.bias": 0.0}
    x, built = draw("B 6 4"), module(*MIXER, fill=fill)
    says = "where channel_mixing gives 0 and norm1 has scale 1, shift 0, rolled features come out rolled"
    agree.relates(says, lambda a, b: near(a.roll(1, 2), b), (x,), (x.roll(1, 2),), build=built)


@exercise("MixerBlock", points=1, level="edges")
def test_blocks_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """one text, one position or many, one feature, one hidden unit, vectors of zeros; dtype and device stay"""
    agree(draw("1 6 4"), build=MIXER)
    agree(draw("B 6 4") * (torch.arange(6) % 3 > 0)[:, None], build=MIXER)
    agree(draw("B 1 4"), build=(1, 4, 7, 9))
    agree(draw("B 6 1"), build=(6, 1, 7, 9))
    agree(draw("B 6 4"), build=(6, 4, 1, 1))
    agree(draw("1 134 4"), build=(134, 4, 7, 9))
    agree(draw("B 6 4", dtype=F32), build=MIXER)
    agree.on_meta(draw("B 6 4"), build=MIXER)
