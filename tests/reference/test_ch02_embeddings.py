"""The oracle of chapter 2 against torch's own functions, the angle sums and published numbers."""

import math

import pytest
import torch
from torch.nn import functional

from reference import blocks
from reference import ch02_embeddings as reference
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
LEADING = [(), (2,), (2, 3)]


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(2)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def some_ids(*shape: int, vocab_size: int = 11) -> torch.Tensor:
    return torch.randint(vocab_size, shape)


def some_positions(length: int) -> torch.Tensor:
    return torch.randint(5000, (length,))


@pytest.mark.parametrize("leading", LEADING)
def test_embed_is_the_lookup_of_torch(leading: tuple[int, ...]) -> None:
    ids, table = some_ids(*leading, 7), normal(11, 6)
    torch.testing.assert_close(reference.embed(ids, table), functional.embedding(ids, table), rtol=0, atol=0)


def test_embed_has_the_gradient_of_torch_where_ids_repeat() -> None:
    ids, table, weight = torch.tensor([[3, 0, 3], [3, 1, 0]]), normal(5, 4).requires_grad_(), normal(2, 3, 4)
    (ours,) = torch.autograd.grad((reference.embed(ids, table) * weight).sum(), table)
    (theirs,) = torch.autograd.grad((functional.embedding(ids, table) * weight).sum(), table)
    torch.testing.assert_close(ours, theirs, **TIGHT)


def test_sinusoidal_rows_of_width_four_are_those_worked_out_by_hand() -> None:
    """sin p, cos p, sin(p / 100) and cos(p / 100) for p = 0 to 3, to five digits."""
    by_hand = [
        [0.00000, 1.00000, 0.00000, 1.00000],
        [0.84147, 0.54030, 0.01000, 0.99995],
        [0.90930, -0.41615, 0.02000, 0.99980],
        [0.14112, -0.98999, 0.03000, 0.99955],
    ]
    torch.testing.assert_close(reference.sinusoidal_positions(4, 4), torch.tensor(by_hand), rtol=0, atol=5e-6)


def test_wavelengths_run_from_two_pi_towards_ten_thousand_times_that() -> None:
    """Published with the formula: a geometric progression from 2π to 10000 · 2π."""
    width, turn = 512, 2 * math.pi
    slow = 10000 ** (1 - 2 / width)  # the last pair comes as close as the exponent (D - 2) / D can
    table = reference.sinusoidal_positions(round(turn * 100) + 1, width)
    assert table[1, 0] == math.sin(1)
    torch.testing.assert_close(table[628, :2], torch.tensor([math.sin(628), math.cos(628)]), **TIGHT)
    torch.testing.assert_close(table[1, -2].asin() * slow, torch.tensor(1.0), rtol=1e-8, atol=0)
    steps = table[1, 2::2].asin() / table[1, :-2:2].asin()
    torch.testing.assert_close(steps, torch.full_like(steps, 10000 ** (-2 / width)), rtol=1e-8, atol=0)


@pytest.mark.parametrize("width", [1, 2, 5, 7, 8, 512])
def test_sinusoids_are_the_usual_exponential_of_a_logarithm(width: int) -> None:
    place = torch.arange(300)[:, None]
    speeds = torch.exp(torch.arange(0, width, 2) * (-math.log(10000) / width))
    theirs = torch.zeros(300, width)
    theirs[:, 0::2] = torch.sin(place * speeds)
    theirs[:, 1::2] = torch.cos(place * speeds[: width // 2])
    torch.testing.assert_close(reference.sinusoidal_positions(300, width), theirs, **TIGHT)


def test_similarity_of_two_positions_depends_on_their_distance_alone() -> None:
    table = reference.sinusoidal_positions(20, 12)
    products = table @ table.T
    for distance in range(10):
        line = products.diagonal(distance)
        torch.testing.assert_close(line, line[:1].expand_as(line), **TIGHT)


@pytest.mark.parametrize("shape", [(2, 5, 6), (1, 9, 4), (3, 1, 1)])
def test_add_positions_is_the_sum_written_out(shape: tuple[int, ...]) -> None:
    x, positions = normal(*shape), normal(9, shape[-1])
    torch.testing.assert_close(
        reference.add_positions(x, positions), x * shape[-1] ** 0.5 + positions[: shape[1]], **TIGHT
    )


@pytest.mark.parametrize(("length", "longest"), [(5, 4), (5, 1), (12, 3)])
def test_a_text_longer_than_the_table_is_refused_with_both_sizes(length: int, longest: int) -> None:
    with pytest.raises(ValueError, match=rf"{length}.*{longest}"):
        reference.add_positions(normal(2, length, 4), normal(longest, 4))


@pytest.mark.parametrize("offset", [0, 1, 7, 250])
@pytest.mark.parametrize("width", [2, 4, 10])
def test_shift_matrix_moves_every_position(offset: int, width: int) -> None:
    table = reference.sinusoidal_positions(offset + 40, width)
    moved = table[:40] @ reference.shift_matrix(offset, width).T
    torch.testing.assert_close(moved, table[offset:], **TIGHT)


def test_shift_matrix_is_the_exponential_of_its_generator() -> None:
    """A turn by kθ is exp(kθ J) with J = [[0, 1], [-1, 0]]."""
    width, quarter = 6, torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    generator = torch.block_diag(*[quarter * 10000 ** (-pair / width) for pair in (0, 2, 4)])
    for offset in (-3, 0, 1, 12):
        torch.testing.assert_close(reference.shift_matrix(offset, width), torch.matrix_exp(offset * generator), **TIGHT)


def test_shifts_add_up_and_are_undone_by_their_transpose() -> None:
    there, on = reference.shift_matrix(5, 8), reference.shift_matrix(9, 8)
    torch.testing.assert_close(there @ on, reference.shift_matrix(14, 8), **TIGHT)
    torch.testing.assert_close(there @ there.T, torch.eye(8), **TIGHT)
    torch.testing.assert_close(there.T, reference.shift_matrix(-5, 8), **TIGHT)


def test_token_and_position_embedding_is_two_lookups_of_torch() -> None:
    layer, ids = reference.TokenAndPositionEmbedding(11, 9, 6).double(), some_ids(3, 7)
    torch.testing.assert_close(layer(ids), layer.token(ids) + layer.position(torch.arange(7)), **TIGHT)


def test_token_and_position_embedding_is_the_part_that_is_given() -> None:
    layer, given = reference.TokenAndPositionEmbedding(11, 9, 6), blocks.TokenAndPositionEmbedding(11, 9, 6)
    given.load_state_dict(layer.state_dict())
    ids = some_ids(3, 9)
    torch.testing.assert_close(layer(ids), given(ids), **TIGHT)


def turns(positions: torch.Tensor, width: int) -> torch.Tensor:
    """The matrices (T, d, d) that turn a column vector at each position (Su et al. 2021, eq. 15)."""
    one = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
    return torch.stack(
        [
            torch.matrix_exp(torch.block_diag(*[p * 10000 ** (-pair / width) * one for pair in range(0, width, 2)]))
            for p in positions.tolist()
        ]
    )


@pytest.mark.parametrize("leading", LEADING)
@pytest.mark.parametrize("width", [2, 4, 6])
def test_rotary_multiplies_by_the_published_block_matrix(leading: tuple[int, ...], width: int) -> None:
    x, positions = normal(*leading, 3, width), torch.tensor([3, 0, 17])
    theirs = torch.einsum("tij,...tj->...ti", turns(positions, width), x)
    torch.testing.assert_close(reference.rotary(x, positions), theirs, **TIGHT)


def test_a_pair_at_position_one_is_turned_by_one_radian() -> None:
    turned = reference.rotary(torch.tensor([[1.0, 0.0, 1.0, 0.0]]), torch.tensor([1]))
    by_hand = torch.tensor([[0.54030, 0.84147, 0.99995, 0.01000]])
    torch.testing.assert_close(turned, by_hand, rtol=0, atol=5e-6)


def test_rotary_of_the_row_of_position_zero_gives_the_sinusoids_with_sine_and_cosine_exchanged() -> None:
    cosine_first = torch.tensor([1.0, 0.0]).repeat(20, 4)
    turned = reference.rotary(cosine_first, torch.arange(20)).unflatten(-1, (4, 2)).flip(-1).flatten(-2)
    torch.testing.assert_close(turned, reference.sinusoidal_positions(20, 8), **TIGHT)


def test_products_of_turned_vectors_depend_on_the_distance_alone() -> None:
    q, k, positions = normal(5, 8), normal(5, 8), some_positions(5)
    scores = [
        reference.rotary(q, moved) @ reference.rotary(k, moved).T for moved in (positions, positions + 9, positions * 0)
    ]
    torch.testing.assert_close(scores[0], scores[1], rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(scores[2], q @ k.T, **TIGHT)
    assert not torch.allclose(scores[0], scores[2])


@pytest.mark.parametrize("width", [1, 3, 7])
def test_an_odd_width_cannot_be_turned(width: int) -> None:
    with pytest.raises(ValueError, match=str(width)):
        reference.rotary(normal(2, 4, width), torch.arange(4))


CALLS = [
    (lambda table: reference.embed(torch.tensor([[2, 0, 2], [1, 2, 2]]), table), [(4, 5)]),
    (reference.add_positions, [(2, 3, 5), (4, 5)]),
    (lambda x: reference.rotary(x, torch.tensor([3, 0, 700])), [(2, 3, 6)]),
]


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_() for shape in shapes])


def test_arguments_are_left_as_they_were() -> None:
    x, positions, table, ids, places = normal(2, 3, 4), normal(5, 4), normal(7, 4), some_ids(2, 3), torch.arange(3)
    before = [part.clone() for part in (x, positions, table, ids, places)]
    reference.embed(ids % 7, table)
    reference.add_positions(x, positions)
    reference.rotary(x, places)
    for part, old in zip((x, positions, table, ids, places), before, strict=True):
        torch.testing.assert_close(part, old, rtol=0, atol=0)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_inputs(device: str, dtype: torch.dtype) -> None:
    x, table = torch.ones(2, 3, 4, dtype=dtype, device=device), torch.ones(5, 4, dtype=dtype, device=device)
    ids = torch.ones(2, 3, dtype=torch.int64, device=device)
    layer = reference.TokenAndPositionEmbedding(5, 3, 4).to(device=device, dtype=dtype)
    results = (
        reference.embed(ids, table),
        reference.add_positions(x, table),
        reference.rotary(x, ids[0]),
        layer(ids),
    )
    assert {(part.dtype, part.device.type, part.shape) for part in results} == {(dtype, device, x.shape)}


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_without_tensors_dtype_and_device_are_the_defaults(device: str, dtype: torch.dtype) -> None:
    torch.set_default_dtype(dtype)
    with torch.device(device):
        results = (reference.sinusoidal_positions(3, 5), reference.shift_matrix(3, 4))
    assert {(part.dtype, part.device.type) for part in results} == {(dtype, device)}
