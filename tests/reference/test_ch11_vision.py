"""The oracle of chapter 11 against torch's own functions and published numbers."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import blocks
from reference import ch11_vision as reference
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
CUTS = [(2, 3, 5), (4, 3, 2), (3, 1, 4), (1, 2, 3), (5, 1, 1)]  # patch, rows, columns
SIZES = {"image_size": 8, "patch": 4, "channels": 3, "num_classes": 5, "width": 8}


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(11)


def pictures(patch: int, rows: int, columns: int, channels: int = 3) -> torch.Tensor:
    return normal(2, channels, rows * patch, columns * patch)


def filled(module: nn.Module) -> nn.Module:
    """The module in float64, every parameter drawn at random: nothing stays at 0 or 1."""
    module.double().eval()
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module


def attention(*shape: int) -> torch.Tensor:
    return normal(*shape).softmax(-1)


def test_patches_of_a_written_picture() -> None:
    letters = torch.arange(24).view(1, 1, 4, 6)  # the picture at the top of the chapter: a is 0, x is 23
    written = ["abgh", "cdij", "efkl", "mnst", "opuv", "qrwx"]
    patches = ["".join(chr(97 + number) for number in row) for row in reference.patchify(letters, 2)[0].tolist()]
    assert patches == written


@pytest.mark.parametrize(("patch", "rows", "columns"), CUTS)
def test_patches_are_those_of_unfold_with_channels_moved_behind(patch: int, rows: int, columns: int) -> None:
    images = pictures(patch, rows, columns)
    theirs = functional.unfold(images, patch, stride=patch).mT  # (B, N, C·P·P)
    theirs = theirs.unflatten(2, (3, patch * patch)).mT.flatten(2)
    torch.testing.assert_close(reference.patchify(images, patch), theirs, rtol=0, atol=0)


@pytest.mark.parametrize(("patch", "rows", "columns"), CUTS)
def test_patches_are_those_of_pixel_unshuffle(patch: int, rows: int, columns: int) -> None:
    images = pictures(patch, rows, columns)
    theirs = functional.pixel_unshuffle(images, patch).flatten(2).mT.unflatten(2, (3, patch * patch)).mT.flatten(2)
    torch.testing.assert_close(reference.patchify(images, patch), theirs, rtol=0, atol=0)


@pytest.mark.parametrize(("patch", "rows", "columns"), CUTS)
def test_unpatchify_does_what_fold_does_and_undoes_patchify(patch: int, rows: int, columns: int) -> None:
    size, patches = (rows * patch, columns * patch), normal(2, rows * columns, patch * patch * 3)
    folded = patches.unflatten(2, (patch * patch, 3)).mT.flatten(2).mT  # (B, C·P·P, N)
    theirs = functional.fold(folded, size, patch, stride=patch)
    images = reference.unpatchify(patches, size, 3)
    torch.testing.assert_close(images, theirs, rtol=0, atol=0)
    torch.testing.assert_close(reference.patchify(images, patch), patches, rtol=0, atol=0)


@pytest.mark.parametrize(("size", "named"), [((10, 8), "10"), ((8, 6), "6"), ((3, 3), "3"), ((2, 8), "2")])
def test_sides_that_do_not_divide_are_refused_by_name(size: tuple[int, int], named: str) -> None:
    with pytest.raises(ValueError, match=rf"\b{named}\b.*\b4\b"):
        reference.patchify(normal(2, 3, *size), 4)


@pytest.mark.parametrize(("patch", "rows", "columns"), CUTS)
def test_a_strided_convolution_is_a_linear_map_of_patches(patch: int, rows: int, columns: int) -> None:
    images, conv = pictures(patch, rows, columns), filled(nn.Conv2d(3, 7, patch, stride=patch))
    linear = nn.Linear(patch * patch * 3, 7, dtype=torch.float64)
    linear.weight.data, linear.bias.data = reference.linear_from_conv(conv.weight.data), conv.bias.data
    torch.testing.assert_close(linear(reference.patchify(images, patch)), conv(images).flatten(2).mT, **TIGHT)


@pytest.mark.parametrize("batch", [1, 3])
def test_embedding_is_that_of_the_given_part(batch: int) -> None:
    ours = filled(reference.PatchEmbedding(6, 2, 3, 8))
    theirs = blocks.PatchEmbedding(6, 2, 3, 8).double()
    theirs.load_state_dict(ours.state_dict())
    images = normal(batch, 3, 6, 6)
    torch.testing.assert_close(ours(images), theirs(images), **TIGHT)


def test_embedding_is_a_convolution_with_a_token_in_front_and_positions() -> None:
    ours, conv = filled(reference.PatchEmbedding(6, 2, 3, 8)), filled(nn.Conv2d(3, 8, 2, stride=2))
    ours.projection.weight.data = reference.linear_from_conv(conv.weight.data)
    ours.projection.bias.data = conv.bias.data
    images = normal(2, 3, 6, 6)
    theirs = torch.cat([ours.cls.expand(2, 1, 8), conv(images).flatten(2).mT], dim=1) + ours.positions
    torch.testing.assert_close(ours(images), theirs, **TIGHT)


def torch_layer(block: nn.Module, width: int, num_heads: int, hidden: int) -> nn.TransformerEncoderLayer:
    """The same weights in torch's own pre-norm GELU layer."""
    layer = nn.TransformerEncoderLayer(
        width, num_heads, hidden, 0.0, "gelu", batch_first=True, norm_first=True, dtype=torch.float64
    )
    q, k, v = block.attention.w_q, block.attention.w_k, block.attention.w_v
    layer.self_attn.in_proj_weight.data = torch.cat([q.weight, k.weight, v.weight])
    layer.self_attn.in_proj_bias.data = torch.cat([q.bias, k.bias, v.bias])
    layer.self_attn.out_proj.load_state_dict(block.attention.w_o.state_dict())
    layer.linear1.load_state_dict(block.feed_forward[0].state_dict())
    layer.linear2.load_state_dict(block.feed_forward[2].state_dict())
    layer.norm1.load_state_dict(block.norm1.state_dict())
    layer.norm2.load_state_dict(block.norm2.state_dict())
    return layer


@pytest.mark.parametrize("num_blocks", [1, 3])
def test_vision_transformer_is_made_of_torch_s_layers(num_blocks: int) -> None:
    model = filled(reference.VisionTransformer(**SIZES, num_heads=2, hidden=9, num_blocks=num_blocks))
    layers = nn.Sequential(*(torch_layer(block, 8, 2, 9) for block in model.blocks))
    images = normal(3, 3, 8, 8)
    patches = functional.unfold(images, 4, stride=4).mT.unflatten(2, (3, 16)).mT.flatten(2)
    tokens = torch.cat([model.embedding.cls.expand(3, 1, 8), model.embedding.projection(patches)], dim=1)
    last = functional.layer_norm(layers(tokens + model.embedding.positions), (8,), model.norm.weight, model.norm.bias)
    torch.testing.assert_close(model(images), model.head(last[:, 0]), **TIGHT)


@pytest.mark.parametrize("num_blocks", [1, 2])
@pytest.mark.parametrize("num_heads", [1, 2])
def test_parameters_are_those_of_the_model(num_blocks: int, num_heads: int) -> None:
    model = reference.VisionTransformer(**SIZES, num_heads=num_heads, hidden=9, num_blocks=num_blocks)
    counted = sum(parameter.numel() for parameter in model.parameters())
    assert reference.vit_parameters(**SIZES, hidden=9, num_blocks=num_blocks) == counted


PUBLISHED = [(16, 768, 3072, 12, 86e6), (16, 1024, 4096, 24, 307e6), (14, 1280, 5120, 32, 632e6)]


@pytest.mark.parametrize(("patch", "width", "hidden", "num_blocks", "published"), PUBLISHED)
def test_parameters_are_the_published_ones(
    patch: int, width: int, hidden: int, num_blocks: int, published: float
) -> None:
    count = reference.vit_parameters(224, patch, 3, 1000, width, hidden, num_blocks)
    assert isinstance(count, int)
    assert count == pytest.approx(published, rel=0.015)


def test_parameters_of_base_are_those_of_every_library() -> None:
    assert reference.vit_parameters(224, 16, 3, 1000, 768, 3072, 12) == 86_567_656


@pytest.mark.parametrize("grid", [(3, 5), (4, 2), (1, 6), (1, 1)])
def test_distance_is_the_mean_over_torch_s_distances(grid: tuple[int, int]) -> None:
    rows, columns = grid
    weights = attention(2, 3, rows * columns, rows * columns)
    centres = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).double() * 4 + 2
    theirs = (weights * torch.cdist(centres, centres)).sum(-1).mean((0, 2))
    torch.testing.assert_close(reference.mean_attention_distance(weights, grid, 4), theirs, **TIGHT)


@pytest.mark.parametrize("length", [2, 5, 9])
def test_distance_of_even_attention_along_a_line(length: int) -> None:
    """The mean of |i - j| over all pairs from 1 to n is (n² - 1) / 3n."""
    even = torch.full((2, 3, length, length), 1 / length, dtype=torch.float64)
    expected = torch.full((3,), 4 * (length**2 - 1) / (3 * length), dtype=torch.float64)
    for grid in ((1, length), (length, 1)):
        torch.testing.assert_close(reference.mean_attention_distance(even, grid, 4), expected, **TIGHT)


def test_distance_of_even_attention_on_the_grid_of_the_paper() -> None:
    even = torch.full((1, 1, 196, 196), 1 / 196, dtype=torch.float64)
    assert reference.mean_attention_distance(even, (14, 14), 16).item() == pytest.approx(116, abs=0.5)


def test_distance_of_a_head_that_looks_at_itself_is_zero() -> None:
    itself = torch.eye(6, dtype=torch.float64).expand(2, 3, 6, 6)
    assert not reference.mean_attention_distance(itself, (2, 3), 4).any()


CALLS = [
    (lambda images: reference.patchify(images, 2), (2, 3, 4, 6)),
    (lambda patches: reference.unpatchify(patches, (4, 6), 3), (2, 6, 12)),
    (reference.linear_from_conv, (4, 3, 2, 2)),
    (lambda weights: reference.mean_attention_distance(weights, (2, 3), 4), (2, 3, 6, 6)),
]


@pytest.mark.parametrize(("function", "shape"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shape) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_()])


@pytest.mark.parametrize(("function", "shape"), CALLS)
@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_input(function, shape, device: str, dtype: torch.dtype) -> None:
    given = torch.ones(shape, dtype=dtype, device=device)
    before = None if given.is_meta else given.clone()
    result = function(given)
    assert (result.dtype, result.device.type) == (dtype, device)
    assert before is None or torch.equal(given, before)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_models_follow_their_dtype_and_device(device: str, dtype: torch.dtype) -> None:
    images = torch.ones(3, 3, 8, 8, dtype=dtype, device=device)
    model = reference.VisionTransformer(**SIZES, num_heads=2, hidden=9, num_blocks=2).to(device, dtype)
    embedding = reference.PatchEmbedding(8, 4, 3, 8).to(device, dtype)
    found = [(part.shape, part.dtype, part.device.type) for part in (embedding(images), model(images))]
    assert found == [((3, 5, 8), dtype, device), ((3, 5), dtype, device)]
