"""The oracle of chapter 12 against torch's own convolutions and transforms, and the numbers that the chapter names."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import ch12_mixing as reference
from reference.blocks import MultiHeadAttention
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
SIZES = [(6, 3), (7, 5), (4, 1), (2, 7), (1, 3), (1, 1)]  # length, filter
MIXER = (6, 4, 7, 9)


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(12)


def filled(module: nn.Module) -> nn.Module:
    """The module in float64, every parameter drawn at random: nothing stays at 0 or 1."""
    module.double()
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module


def counted(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize(("length", "size"), SIZES)
def test_depthwise_is_torch_s_convolution_with_a_group_per_feature(length: int, size: int) -> None:
    x, conv = normal(2, length, 3), filled(nn.Conv1d(3, 3, size, padding="same", groups=3, bias=False))
    filters = conv.weight.detach().squeeze(1)
    torch.testing.assert_close(reference.depthwise_conv1d(x, filters), conv(x.mT).mT, **TIGHT)


def test_pointwise_is_torch_s_convolution_of_size_one_and_its_linear_layer() -> None:
    x, w = normal(2, 5, 3), normal(3, 4)
    mixed = reference.pointwise_conv1d(x, w)
    torch.testing.assert_close(mixed, functional.conv1d(x.mT, w.T[..., None]).mT, **TIGHT)
    torch.testing.assert_close(mixed, functional.linear(x, w.T), **TIGHT)


@pytest.mark.parametrize(("length", "size"), SIZES)
def test_separable_is_two_of_torch_s_convolutions(length: int, size: int) -> None:
    along = filled(nn.Conv1d(3, 3, size, padding="same", groups=3, bias=False))
    across = filled(nn.Conv1d(3, 4, 1, bias=False))
    x, filters, w = normal(2, length, 3), along.weight.detach()[:, 0], across.weight.detach()[..., 0].T
    torch.testing.assert_close(reference.separable_conv1d(x, filters, w), across(along(x.mT)).mT, **TIGHT)


def test_separable_is_a_full_convolution_of_rank_one() -> None:
    """The full convolution from d to e has the filter of d, times w[d, e]."""
    x, filters, w = normal(2, 6, 3), normal(3, 5), normal(3, 4)
    full = torch.einsum("dk,de->edk", filters, w)
    theirs = functional.conv1d(x.mT, full, padding=2).mT
    torch.testing.assert_close(reference.separable_conv1d(x, filters, w), theirs, **TIGHT)


@pytest.mark.parametrize(("length", "size"), SIZES)
def test_matrices_are_what_torch_s_convolution_does_to_unit_vectors(length: int, size: int) -> None:
    filters = normal(3, size)
    units = torch.eye(length, dtype=torch.float64)[:, None].expand(-1, 3, -1)  # [j, d]: 1 at position j
    columns = functional.conv1d(units, filters[:, None], padding=size // 2, groups=3)  # [j, d, i]
    torch.testing.assert_close(reference.filter_matrix(filters, length), columns.permute(1, 2, 0), **TIGHT)


def test_the_band_in_the_picture_of_the_chapter() -> None:
    a, b, c = 2.0, 3.0, 5.0
    drawn = [[b, c, 0, 0], [a, b, c, 0], [0, a, b, c], [0, 0, a, b]]
    assert reference.filter_matrix(torch.tensor([[a, b, c]]), 4).tolist() == [drawn]


def test_the_waves_in_the_picture_of_the_chapter() -> None:
    drawn = [[1, 1, 1, 1], [1, 0, -1, 0], [1, -1, 1, -1], [1, 0, -1, 0]]
    units = torch.eye(4, dtype=torch.float64)[..., None]  # four texts of one feature: 1 at position j
    mixed = reference.fourier_mixing(units)[..., 0].T
    torch.testing.assert_close(mixed, torch.tensor(drawn, dtype=torch.float64), **TIGHT)


@pytest.mark.parametrize("shape", [(2, 5, 6), (3, 4, 7), (1, 8, 8), (2, 1, 5), (2, 5, 1), (1, 1, 1)])
def test_fourier_mixing_is_torch_s_transform(shape: tuple[int, ...]) -> None:
    x = normal(*shape)
    torch.testing.assert_close(reference.fourier_mixing(x), torch.fft.fft2(x).real, **TIGHT)
    one_by_one = torch.fft.fft(torch.fft.fft(x, dim=1), dim=2).real
    torch.testing.assert_close(reference.fourier_mixing(x), one_by_one, **TIGHT)


@pytest.mark.parametrize("sizes", [MIXER, (5, 5, 3, 8), (1, 4, 2, 3), (6, 2, 1, 1)])
def test_mixer_is_made_of_torch_s_own_steps(sizes: tuple[int, ...]) -> None:
    block, x = filled(reference.MixerBlock(*sizes)), normal(3, *sizes[:2])
    u = x + block.token_mixing(block.norm1(x).mT).mT
    torch.testing.assert_close(block(x), u + block.channel_mixing(block.norm2(u)), **TIGHT)


def test_token_mixing_is_a_convolution_over_channels_that_are_positions() -> None:
    """Positions taken for channels, a linear layer across them is a convolution of size 1."""
    block, x = filled(reference.MixerBlock(*MIXER)), normal(3, 6, 4)
    nn.init.zeros_(block.channel_mixing[2].weight)
    nn.init.zeros_(block.channel_mixing[2].bias)
    enter, leave = block.token_mixing[0], block.token_mixing[2]
    hidden = functional.gelu(functional.conv1d(block.norm1(x), enter.weight[..., None], enter.bias))
    theirs = x + functional.conv1d(hidden, leave.weight[..., None], leave.bias)
    torch.testing.assert_close(block(x), theirs, **TIGHT)


def test_the_filters_that_the_chapter_tries() -> None:
    x = torch.tensor([[1.0], [2.0], [4.0], [8.0]]).expand(1, 4, 3)
    filters = torch.tensor([[0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    printed = [[1.0, 1.0, 2.0], [2.25, 2.0, 3.0], [4.5, 4.0, 6.0], [5.0, 8.0, -4.0]]
    assert reference.depthwise_conv1d(x, filters)[0].tolist() == printed
    smooth, _, slope = reference.filter_matrix(filters, 4).tolist()
    assert smooth == [[0.5, 0.25, 0, 0], [0.25, 0.5, 0.25, 0], [0, 0.25, 0.5, 0.25], [0, 0, 0.25, 0.5]]
    assert slope == [[0, 1, 0, 0], [-1, 0, 1, 0], [0, -1, 0, 1], [0, 0, -1, 0]]


@pytest.mark.parametrize(("text", "printed"), [([1, 0, -1, 0], [0, 2, 0, 2]), ([1, 1, 1, 1], [4, 0, 0, 0])])
def test_the_waves_that_the_chapter_tries(text: list[int], printed: list[int]) -> None:
    mixed = reference.fourier_mixing(torch.tensor(text, dtype=torch.float64)[None, :, None]).flatten()
    torch.testing.assert_close(mixed, torch.tensor(printed, dtype=torch.float64), **TIGHT)


def test_a_head_that_looks_one_place_back_is_a_filter() -> None:
    x = normal(2, 5, 3)
    looking_back = torch.ones(5, 5, dtype=torch.float64).tril(-1).triu(-1)  # attention weights; nothing before 0
    filters = torch.tensor([[1.0, 0.0, 0.0]], dtype=torch.float64).expand(3, 3)
    torch.testing.assert_close(looking_back @ x, reference.depthwise_conv1d(x, filters), **TIGHT)
    assert (reference.filter_matrix(filters, 5) == looking_back).all()


def test_the_numbers_of_the_chapter_s_tables() -> None:
    length, width, size, hidden = 196, 768, 7, 384
    assert counted(MultiHeadAttention(width, 12)) == 4 * width**2 + 4 * width == 2_362_368
    assert counted(nn.Conv1d(width, width, size, groups=width, bias=False)) == width * size == 5_376
    block = reference.MixerBlock(length, width, hidden, 8)
    assert counted(block.token_mixing) == 2 * length * hidden + hidden + length == 151_108
    assert counted(nn.Conv1d(width, width, size, bias=False)) == 4_128_768
    assert width * size + width * width == 595_200
    products = (
        4 * length * width**2 + 2 * length**2 * width,
        length * width * size,
        length * width * math.log2(length * width),
        2 * length * hidden * width,
    )
    assert [round(count / 1e6) for count in products] == [521, 1, 3, 116]


CALLS = [
    (reference.depthwise_conv1d, [(2, 5, 3), (3, 3)]),
    (reference.pointwise_conv1d, [(2, 5, 3), (3, 4)]),
    (reference.separable_conv1d, [(2, 5, 3), (3, 3), (3, 4)]),
    (lambda filters: reference.filter_matrix(filters, 4), [(2, 3)]),
    (reference.fourier_mixing, [(2, 4, 3)]),
]


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_() for shape in shapes])


@pytest.mark.parametrize(("function", "shapes"), CALLS)
@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_input(function, shapes, device: str, dtype: torch.dtype) -> None:
    given = [torch.ones(shape, dtype=dtype, device=device) for shape in shapes]
    before = [None if one.is_meta else one.clone() for one in given]
    result = function(*given)
    assert (result.dtype, result.device.type) == (dtype, device)
    assert all(kept is None or torch.equal(one, kept) for one, kept in zip(given, before, strict=True))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_blocks_follow_their_dtype_and_device(device: str, dtype: torch.dtype) -> None:
    block = reference.MixerBlock(*MIXER).to(device, dtype)
    result = block(torch.ones(3, 6, 4, dtype=dtype, device=device))
    assert (result.shape, result.dtype, result.device.type) == ((3, 6, 4), dtype, device)
