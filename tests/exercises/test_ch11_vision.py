"""Checks of chapter 11: pictures as patches, embedded, classified, counted and looked into.

Rows and columns of patches differ wherever the exercise allows it, and so do N, P, C and the sides of a picture.
Attention weights always sum to 1, so an answer that divides by their sum is as right as one that does not.
"""

import math

import torch
from torch.nn import functional

from autograder.suite import Agree, Draw, called, exercise, module, near
from reference import ch11_vision as reference

CUT = (
    *("functional.unfold", "functional.fold", "Unfold", "Fold", "im2col", "col2im"),
    *("conv*", "Conv*", "LazyConv*", "*convolution", "slow_conv*"),
)
FORBIDDEN = {
    "patchify": CUT,
    "unpatchify": CUT,
    "PatchEmbedding": (*CUT, "blocks.PatchEmbedding"),
    "VisionTransformer": ("TransformerDecoder", "blocks.VisionTransformer"),
}
F64, F32 = torch.float64, torch.float32
HUGE = 2**60  # int64 holds whole numbers around it, float64 holds one in 256 of them
GRIDS = ((2, 3, 5), (4, 3, 2))  # patch, rows, columns: a wide picture and a tall one
EMBEDDING = (8, 2, 3, 7)  # 16 patches
MODEL = (8, 4, 3, 7, 8, 2, 9, 3)  # 4 patches, 2 heads of 4
COUNTED = {"image_size": 20, "patch": 4, "channels": 2, "num_classes": 11, "width": 24, "hidden": 40, "num_blocks": 3}
TOLD_APART = ((3, 7, 3, 6, 9, 5, 3), (6, 6, 5, 4, 7, 9, 4), (3, 5, 3, 8, 9, 7, 6), (6, 7, 4, 8, 5, 9, 6))
"""Patches along a side, then the sizes in order: their sums are no unions of their binary digits."""


def pictures(draw: Draw, patch: int, rows: int, columns: int) -> torch.Tensor:
    draw.fix(B=draw.random.choice((7, 9)), C=3, P=patch, rows=rows, columns=columns)
    return draw(f"B C {rows * patch} {columns * patch}")


def below_one(numbers: torch.Tensor) -> torch.Tensor:
    """Return distinct numbers between 0 and 1 to add to integers: they can be told apart and rounded off."""
    return 0.1 + 0.8 * torch.sigmoid(numbers)


def with_infinity(numbers: torch.Tensor) -> torch.Tensor:
    """Return the numbers with one of the first infinite, so that sums and products with 0 show."""
    numbers.view(-1)[1] = math.inf
    return numbers


def darkened(images: torch.Tensor, patch: int) -> torch.Tensor:
    """Return pictures of which the first is black, and the others have a black patch at their top right."""
    images[0] = 0.0
    images[..., :patch, -patch:] = 0.0
    return images


def patch_numbers(patch: int, rows: int, columns: int) -> torch.Tensor:
    """Return the number of the patch of every pixel, (H, W)."""
    numbers = torch.arange(rows * columns, dtype=F64).view(rows, columns)
    return numbers.repeat_interleave(patch, 0).repeat_interleave(patch, 1)


@exercise("patchify", points=1, level="property")
def test_patch_k_holds_the_pixels_of_square_k(agree: Agree, draw: Draw) -> None:
    """counted row by row, patch k holds the pixels of square k and no others"""
    for patch, rows, columns in GRIDS:
        images = below_one(pictures(draw, patch, rows, columns)) + patch_numbers(patch, rows, columns)
        numbers = torch.arange(rows * columns, dtype=F64)[:, None]
        says = "where the pixels of square k are between k and k + 1, patch k, rounded down, is k everywhere"
        agree.satisfies(says, lambda r, n=numbers: near(r.floor(), n.expand(r.shape[1:])), images, patch)


@exercise("patchify", points=1, level="property")
def test_the_channels_of_a_pixel_stand_side_by_side(agree: Agree, draw: Draw) -> None:
    """in a flattened patch the channels of a pixel are side by side, pixel after pixel"""
    images = below_one(pictures(draw, 2, 3, 5)[:7]) + torch.arange(3, dtype=F64)[:, None, None]
    says = "where channel c is between c and c + 1, a patch, rounded down, reads 0, 1, 2, 0, 1, 2, and so on"
    agree.satisfies(says, lambda r: near(r.floor(), torch.arange(3, dtype=F64).repeat(4)), images, 2)


@exercise("patchify", points=2, level="values")
def test_patches_of_wide_and_high_pictures(agree: Agree, draw: Draw) -> None:
    """patches row by row, each flattened as (P, P, C), for a picture of 0, 1, 2, ... and for any other"""
    agree(torch.arange(2 * 3 * 6 * 10, dtype=F64).view(2, 3, 6, 10), 2)
    for patch, rows, columns in GRIDS:
        agree(pictures(draw, patch, rows, columns), patch, gradients=True)


@exercise("patchify", points=1, level="edges")
def test_sides_that_do_not_divide_are_refused(agree: Agree, draw: Draw) -> None:
    """a height or width that P does not divide raises ValueError naming that side and P"""
    draw.fix(B=5, C=7)
    agree.raises(ValueError, draw("B C 10 11"), 4, naming=("4",))
    agree.raises(ValueError, draw("B C 9 8"), 6, naming=("6",))
    agree.raises(ValueError, draw("B C 10 12"), 4, naming=("10", "4"))
    agree.raises(ValueError, draw("B C 12 10"), 4, naming=("10", "4"))
    agree.raises(ValueError, draw("B C 3 8"), 4, naming=("3", "4"))


@exercise("patchify", points=1, level="edges")
def test_patches_of_any_number_and_kind(agree: Agree, draw: Draw) -> None:
    """one picture, channel, patch, patches of one pixel, or many; any integer dtype, infinity; dtype and device stay"""
    draw.fix(C=7)
    agree(draw.integers("B C 4 6", 0, 256), 2)
    agree(draw.integers("B C 4 6", 0, 256).to(torch.uint8), 2)
    agree(draw.integers("B C 4 6", 0, 256) + HUGE, 2)
    agree(draw.integers("B C 4 6", 0, 2).bool(), 2)
    agree(with_infinity(draw("B C 4 6")), 2)
    agree(draw("1 3 4 6"), 2)
    agree(draw("B 1 4 6"), 2)
    agree(draw("B C 4 4"), 4)
    agree(draw("1 1 1 1"), 1)
    agree(draw("B C 3 5"), 1)
    agree(draw("B 2 6 6"), 2)
    agree(draw("1 2 7 7"), 1)
    agree(draw("1 2 22 14"), 2)
    agree.satisfies("float32 stays float32", lambda r: True, draw("B C 4 6", dtype=F32), 2)
    agree.on_meta(draw("B C 4 6"), 2)


@exercise("unpatchify", points=1, level="property")
def test_what_was_cut_is_put_together(agree: Agree, draw: Draw) -> None:
    """the patches of a picture give that picture back"""
    for patch, rows, columns in GRIDS:
        images = pictures(draw, patch, rows, columns)
        patches, size = reference.patchify(images, patch), (rows * patch, columns * patch)
        says = "the patches of a picture, put together, are that picture"
        agree.satisfies(says, lambda r, i=images: near(r, i), patches, size, 3)


@exercise("unpatchify", points=2, level="values")
def test_pictures_of_patches(agree: Agree, draw: Draw) -> None:
    """each number of each patch goes to its pixel and channel, in wide and tall pictures with any number of channels"""
    draw.fix(B=7, C=3)
    for patch, rows, columns in GRIDS:
        patches = draw(f"B {rows * columns} {patch * patch * 3}")
        agree(patches, (rows * patch, columns * patch), 3, gradients=True)
    for channels, patch in ((1, 3), (2, 3), (5, 2)):
        draw.fix(C=channels)
        agree(draw(f"B 8 {patch * patch * channels}"), (2 * patch, 4 * patch), channels)


@exercise("unpatchify", points=1, level="edges")
def test_pictures_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """one picture, one patch or many, patches of one pixel; any integer dtype, infinity; dtype and device stay"""
    draw.fix(B=draw.random.choice((2, 7, 8, 9)), C=3)
    pixels = draw.integers("B 6 12", 0, 256)
    pixels[0, 0, 0] = 0
    agree(draw("B 48 3"), (8, 6), 3)
    agree(pixels, (6, 4), 3)
    agree(pixels.to(torch.uint8), (4, 6), 3)
    agree(pixels + HUGE, (4, 6), 3)
    agree(pixels > 99, (4, 6), 3)
    agree(with_infinity(draw("B 6 12")), (4, 6), 3)
    agree(draw("1 6 12"), (4, 6), 3)
    agree(draw("B 1 48"), (4, 4), 3)
    agree(draw("B 15 3"), (3, 5), 3)
    agree(draw("B 9 8"), (6, 6), 2)
    agree(draw("B 8 27"), (6, 12), 3)
    agree(draw("B 18 12"), (6, 12), 3)  # the size of before, and another P
    agree(draw("1 1 1"), (1, 1), 1)
    agree(draw("1 77 8"), (22, 14), 2)
    agree.satisfies("float32 stays float32", lambda r: True, draw("B 6 12", dtype=F32), (4, 6), 3)
    agree.on_meta(draw("B 6 12"), (4, 6), 3)


@exercise("linear_from_conv", points=1, level="property")
def test_the_matrix_does_to_patches_what_the_convolution_does_to_pictures(agree: Agree, draw: Draw) -> None:
    """patches times the matrix equal what the convolution with stride P computes"""
    for patch, rows, columns in GRIDS:
        images, weight = pictures(draw, patch, rows, columns), draw("D C P P")
        seen = functional.conv2d(images, weight, stride=patch).flatten(2).mT  # (B, N, D)
        patches = reference.patchify(images, patch)
        says = "patches @ matrix.T equals what the convolution with stride P makes of the picture"
        agree.satisfies(says, lambda r, p=patches, s=seen: near(p @ r.T, s), weight)


@exercise("linear_from_conv", points=2, level="values")
def test_the_numbers_of_a_filter_in_the_order_of_a_patch(agree: Agree, draw: Draw) -> None:
    """each row holds one filter, its numbers in the order (P, P, C)"""
    agree(torch.arange(4 * 3 * 2 * 2, dtype=F64).view(4, 3, 2, 2))
    agree(draw("D C P P"), gradients=True)
    agree(draw("D E Q Q"))


@exercise("linear_from_conv", points=1, level="edges")
def test_matrices_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """one filter, one channel, kernels of one pixel or many; dtype and device stay"""
    draw.fix(P=draw.random.choice((4, 5)))
    agree(draw("1 C P P"))
    agree(draw("D 1 P P"))
    agree(draw("D C 1 1"))
    agree(draw("D 2 2 2"))
    agree(draw("1 1 1 1"))
    agree(draw("2 3 10 10"))
    agree.satisfies("float32 stays float32", lambda r: True, draw("D C P P", dtype=F32))
    agree.on_meta(draw("D C P P"))


@exercise("PatchEmbedding", points=1, level="property")
def test_the_class_token_comes_first(agree: Agree, draw: Draw) -> None:
    """the first vector is the class token plus its position, whatever the picture"""
    draw.fix(D=7)
    cls, positions = draw("1 1 D"), draw("1 17 D")
    built = module(*EMBEDDING, fill={"cls": cls, "positions": positions})
    first = (cls + positions[:, :1])[0]
    says = "vector 0 is cls plus the first of the positions, whatever the picture"
    agree.satisfies(says, lambda r: near(r[:, :1], first), draw("B 3 8 8"), build=built)


@exercise("PatchEmbedding", points=1, level="property")
def test_every_patch_has_its_place(agree: Agree, draw: Draw) -> None:
    """without positions, patches that move by one place move their vectors by one place, and change none"""
    draw.fix(B=draw.random.choice((2, 5, 6)), D=7)
    images, built = draw("B 3 8 8"), module(*EMBEDDING, fill={"positions": 0.0})
    for axis, way, line in ((1, "down", "row"), (2, "right", "column")):

        def moved(before: torch.Tensor, after: torch.Tensor, axis: int = axis) -> bool:
            grids = (vectors[:, 1:].unflatten(1, (4, 4)) for vectors in (before, after))
            return near(next(grids).roll(1, axis), next(grids)) and near(before[:, 0], after[:, 0])

        says = f"without positions, a picture rolled {way} by one patch has the same vectors, one {line} further {way}"
        agree.relates(says, moved, (images,), (images.roll(2, axis + 1),), build=built)


@exercise("PatchEmbedding", points=2, level="values")
def test_token_and_projected_patches_plus_positions(agree: Agree, draw: Draw) -> None:
    """[cls; patches projected] + positions, for several pictures at once and any sizes"""
    draw.fix(B=11, D=7)
    agree(draw("B 3 8 8"), build=EMBEDDING, gradients=True)
    draw.fix(D=5)
    agree(draw("B 2 9 9"), build=(9, 3, 2, 5))
    draw.fix(D=6)
    agree(draw("B 5 8 8"), build=(8, 4, 5, 6))


@exercise("PatchEmbedding", points=1, level="edges")
def test_embeddings_of_any_number_and_kind(agree: Agree, draw: Draw) -> None:
    """one picture, one patch or many, one channel, black patches; after other pictures; dtype and device stay"""
    draw.fix(B=draw.random.choice((5, 6, 9)), D=7)
    before = [called(draw("11 3 8 8")), called(draw("B 3 8 8")), called(draw("1 3 8 8"), training=True)]
    agree(draw("B 3 8 8"), build=module(*EMBEDDING, after=before))
    agree(draw("1 3 8 8"), build=EMBEDDING)
    agree(darkened(draw("B 3 8 8"), 2), build=EMBEDDING)
    agree(draw("B 3 4 4"), build=(4, 4, 3, 7))
    agree(draw("1 1 1 1"), build=(1, 1, 1, 2))
    agree(draw("1 1 18 18"), build=(18, 2, 1, 7))
    agree(draw("16 3 8 8"), build=module(*EMBEDDING, training=True))  # as many pictures as patches
    agree.satisfies("float32 stays float32", lambda r: True, draw("B 3 8 8", dtype=F32), build=EMBEDDING)
    agree.on_meta(draw("B 3 8 8"), build=EMBEDDING)


@exercise("VisionTransformer", points=1, level="property")
def test_only_the_class_token_is_read(agree: Agree, draw: Draw) -> None:
    """where blocks pass nothing on, the class token sees no picture, and all pictures get the same logits"""
    draw.fix(B=draw.random.choice((2, 4, 6)), classes=7)
    built = module(*MODEL, fill={"blocks": 0.0})
    says = "where the weights of the blocks are 0, no picture reaches the class token: all get the same logits"
    agree.satisfies(says, lambda r: near(r, r[:1]), draw("B 3 8 8"), build=built)


@exercise("VisionTransformer", points=1, level="property")
def test_without_positions_the_order_of_patches_does_not_matter(agree: Agree, draw: Draw) -> None:
    """where all positions are equal, swapping patches changes no logit"""
    draw.fix(B=draw.random.choice((2, 4, 6)), classes=7)
    images, built = draw("B 3 8 8"), module(*MODEL, fill={"embedding.positions": 0.0})
    exchanged = images.roll((4, 4), (2, 3))
    says = "where all positions are 0, swapping patches changes no logit"
    agree.relates(says, near, (images,), (exchanged,), build=built)


@exercise("VisionTransformer", points=2, level="values")
def test_logits_of_the_class_token(agree: Agree, draw: Draw) -> None:
    """embedding, blocks, last norm, and the head on the class token; gradients reach every parameter"""
    draw.fix(B=draw.random.choice((2, 11)), classes=7)
    agree(draw("B 3 8 8"), build=MODEL, gradients=True)
    draw.fix(classes=5)
    agree(draw("B 2 9 9"), build=(9, 3, 2, 5, 4, 1, 6, 3))
    agree(draw("B 2 9 9"), build=(9, 3, 2, 5, 4, 1, 6, 11))


@exercise("VisionTransformer", points=1, level="edges")
def test_models_of_any_number_and_kind(agree: Agree, draw: Draw) -> None:
    """one picture, class, block; one patch, many, black; after others; dropout only in blocks; dtype and device stay"""
    draw.fix(B=draw.random.choice((6, 9)), classes=7)
    before = [called(draw("11 3 8 8")), called(draw("B 3 8 8")), called(draw("1 3 8 8"), training=True)]
    agree(draw("B 3 8 8"), build=module(*MODEL, after=before))
    agree(draw("1 3 8 8"), build=MODEL)
    agree(darkened(draw("B 3 8 8"), 4), build=MODEL)
    agree(draw("B 1 4 4"), build=(4, 4, 1, 1, 4, 1, 6, 1))
    agree(draw("B 3 1 1"), build=(1, 1, 3, 5, 4, 2, 6, 1))
    agree(draw("1 1 18 18"), build=(18, 2, 1, 7, 4, 2, 6, 1))
    agree(draw("B 3 8 8"), build=module(*MODEL, dropout=1 - 1e-9, training=True))  # dropout is in the blocks alone
    agree.satisfies("float32 stays float32", lambda r: True, draw("B 3 8 8", dtype=F32), build=MODEL)
    agree.on_meta(draw("B 3 8 8"), build=MODEL)


@exercise("vit_parameters", points=1, level="property")
def test_the_published_models(agree: Agree, draw: Draw) -> None:
    """Base, Large and Huge come within 1.5 % of 86, 307 and 632 million, one like Large within 1.5 % of its count"""
    like_large = draw.random.randrange(1001, 1050), draw.random.randrange(4400, 4800), 24
    counted = reference.vit_parameters(224, 16, 3, 1000, *like_large)
    for patch, width, hidden, blocks, published in (
        (16, 768, 3072, 12, 86e6),
        (16, 1024, 4096, 24, 307e6),
        (14, 1280, 5120, 32, 632e6),
        (16, *like_large, counted),
    ):
        says = f"these sizes make {published / 1e6:.0f} million parameters, give or take 1.5 %"
        shows = lambda r: f"{r / 1e6:.4g} million"  # noqa: E731
        sizes = (224, patch, 3, 1000, width, hidden, blocks)
        agree.satisfies(says, lambda r, p=published: abs(r / p - 1) < 0.015, *sizes, shows=shows)


@exercise("vit_parameters", points=2, level="values")
def test_all_parameters_are_counted(agree: Agree, draw: Draw) -> None:
    """projection, class token, positions, blocks, last norm and head, with all their biases"""
    agree(**COUNTED)
    agree(224, 16, 3, 1000, 1024, 4096, 24)
    agree(8, 4, 2, 6, 6, 6, 2)  # many shapes are equal
    side, *sizes = draw.random.choice(TOLD_APART)
    agree(side * sizes[0], *sizes)


@exercise("vit_parameters", points=1, level="edges")
def test_small_models(agree: Agree, draw: Draw) -> None:
    """one patch, one channel, one class, one block; patches of one pixel; many classes"""
    agree(6, 6, 1, 1, 6, 10, 1)  # 6 and 36 share a binary digit, so `|` is no sum
    agree(6, 1, 3, 2, 4, 10, 2)
    agree(6, 6, 1, draw.random.randrange(60, 6000), 6, 10, 1)


@exercise("mean_attention_distance", points=1, level="property")
def test_heads_that_look_at_one_patch(agree: Agree, draw: Draw) -> None:
    """a query's own patch scores 0, the patch above or below P, on a 2 × 5 grid its mirror image in the row 2.4 P"""
    patch = draw.random.randrange(3, 100)
    number = torch.arange(10).view(2, 5)
    looked_at = torch.stack([number, number.flip(0), number.flip(1)]).flatten(1)  # (H, N)
    weights = functional.one_hot(looked_at, 10).to(F64).repeat(4, 1, 1, 1)
    expected = torch.tensor([0.0, patch, patch * 12 / 5], dtype=F64)
    says = f"its own patch scores 0 pixels, the one above or below {patch}, its mirror image {2.4 * patch:.4g}"
    agree.satisfies(says, lambda r: near(r, expected), weights, (2, 5), patch)


@exercise("mean_attention_distance", points=1, level="property")
def test_attention_spread_evenly(agree: Agree, draw: Draw) -> None:
    """along one row or column of n patches, even attention scores P · (n² − 1) / 3n"""
    length, patch = draw.random.choice((4, 6, 7, 8, 9)), draw.random.choice((2, 3))  # at 5, mistakes coincide
    draw.fix(N=length)
    even = torch.full(draw.shape("B H N N"), 1 / length, dtype=F64)
    expected = patch * (length**2 - 1) / (3 * length)
    for grid in ((1, length), (length, 1)):
        says = f"attention spread evenly over {length} patches of {patch} pixels in a line scores {expected:.6g} pixels"
        agree.satisfies(says, lambda r: near(r, expected), even, grid, patch)


@exercise("mean_attention_distance", points=2, level="values")
def test_distances_are_weighted_and_averaged(agree: Agree, draw: Draw) -> None:
    """the mean over pictures and queries of Σ weight · distance, on grids that are not square"""
    for grid, patch in (((3, 5), 4), ((4, 2), 16), ((2, 4), 3)):
        draw.fix(N=grid[0] * grid[1])
        agree(draw("B H N N").softmax(-1), grid, patch)


@exercise("mean_attention_distance", points=1, level="edges")
def test_gradients_reach_the_weights(agree: Agree, draw: Draw) -> None:
    """gradients reach the weights"""
    draw.fix(N=6)
    looking_at_itself = (torch.eye(6, dtype=F64) + 1e-12).repeat(*draw.shape("B H"), 1, 1)
    agree(looking_at_itself, (3, 2), 4, gradients=True)


@exercise("mean_attention_distance", points=1, level="edges")
def test_distances_of_any_number_and_kind(agree: Agree, draw: Draw) -> None:
    """one picture, one head, one patch or many; dtype and device stay"""
    draw.fix(N=6)
    agree(draw("1 1 N N").softmax(-1), (3, 2), 4)
    agree(draw("B H 1 1").softmax(-1), (1, 1), 4)
    agree(draw("1 2 77 77").softmax(-1), (7, 11), 4)
    agree.satisfies("float32 stays float32", lambda r: True, draw("B H 4 4").softmax(-1).to(F32), (2, 2), 3)
    agree(draw("B H 4 4").softmax(-1), (2, 2), 3)
    agree.on_meta(draw("B H N N").softmax(-1), (3, 2), 4, half_precision=False)  # places may be complex numbers
