"""Checks of chapter 2: words looked up in a table, and three ways to say where they stand.

Most checks compare angles loosely; those that mention digits compare them tightly.
"""

import torch

from autograder.suite import Agree, Draw, called, exercise, module
from autograder.suite import near as within

FORBIDDEN = {
    "sinusoidal_positions": ("*matrix_exp",),  # the given Transformer makes its positions with it
    "TokenAndPositionEmbedding": ("EmbeddingBag", "blocks.TokenAndPositionEmbedding"),
    "rotary": ("rotary_embedding", "RotaryEmbedding"),
}
F64, F32 = torch.float64, torch.float32
FAR = (572, 606, 681, 704, 738, 817, 837, 876)  # all sines are positive, and float32 angles are seen
SPEEDS = ((1.0,), (1.0, 0.046415888336127774, 0.002154434690031882))  # of the hands, for widths 2 and 6
LOOSE = 3e-6  # a float32 angle of a few radians passes; no wrong formula does


def near(a: torch.Tensor, b: torch.Tensor | float) -> bool:
    return within(a, b, 1e-6)


def follows_the_defaults(agree: Agree, first: int, width: int) -> None:
    """What is made from two numbers has torch's default dtype and is on its default device."""
    for dtype in (F32, F64):
        agree.under(dtype).satisfies("the dtype is torch's default", lambda r: True, first, width)
    agree.on_meta(first, width)


def clock(length: int, speeds: tuple[float, ...]) -> torch.Tensor:
    """Hands with these speeds at each position, as sine and cosine side by side: (length, 2 * hands)."""
    angles = torch.arange(length, dtype=F64)[:, None] * torch.tensor(speeds, dtype=F64)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def with_zero(draw: Draw, axes: str) -> torch.Tensor:
    """Ids from 1 to 10, and 0 inside of a sentence and at its second place."""
    ids = draw.integers(axes, 1, 11)
    ids[0, 2 % ids.shape[1]], ids[1, 1] = 0, 0
    return ids


def lengths_of_pairs(x: torch.Tensor) -> torch.Tensor:
    return x.unflatten(-1, (-1, 2)).norm(dim=-1)


@exercise("embed", points=1, level="property")
def test_unit_vectors_come_back_as_one_hot_vectors(agree: Agree, draw: Draw) -> None:
    """from a table of unit vectors, every id gets the one with its 1 at that id"""
    draw.fix(V=11)
    ids, units = draw.integers("B T", 1, 10), torch.eye(11, dtype=F64)  # the last word of the vocabulary is missing
    ids[0, 0] = 0
    says = "from a table of unit vectors, each id gets the one with its 1 at that id"
    agree.satisfies(says, lambda r: near(r, units[ids]), ids, units)


@exercise("embed", points=2, level="values")
def test_each_id_gets_its_row(agree: Agree, draw: Draw) -> None:
    """every id is replaced by its row of the table, in one sentence, a batch, or a batch of lists of sentences"""
    draw.fix(V=11)
    ids = draw.integers("B T", 0, 11)
    ids[0, 0], ids[1, 1] = 0, 10
    agree(ids, draw("V D"))
    for axes in ("T", "B K T"):
        agree(draw.integers(axes, 2, 7), draw("V D"))
    agree(torch.arange(2046, 2052), draw("2052 2"))  # of 2049 and 2051 float16 makes 2048 and 2052


@exercise("embed", points=1, level="edges")
def test_repeated_words_learn_together(agree: Agree, draw: Draw) -> None:
    """a row's gradient is the sum over all places of its word, for every id, including 0"""
    ids = draw.integers("B 9", 0, 4)
    ids[0, :2], ids[1, 0] = 0, 0
    agree(ids, draw("6 D"), gradients=True)


@exercise("embed", points=1, level="edges")
def test_embed_keeps_axes_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """axes of size 1 and the dtype stay; a vocabulary of one word, ids near 300 in bfloat16; no hard-coded device"""
    draw.fix(V=11)
    ids = draw.integers("1 T", 0, 11)
    ids[0, 0], ids[0, 1] = 10, 0
    agree(ids, draw("V 1"))
    for axes in ("B 1", "B K 1", "1 1 T"):
        agree(draw.integers(axes, 0, 11), draw("V D"))
    agree(torch.zeros(draw.shape("B T"), dtype=torch.int64), draw("1 D"))
    agree(draw.integers("B T", 250, 300), draw("300 2", dtype=torch.bfloat16))
    agree.keeps_dtype_and_device(draw.integers("B T", 0, 11), draw("V D"))


@exercise("sinusoidal_positions", points=1, level="property")
def test_position_zero_is_zero_one_zero_one(agree: Agree, draw: Draw) -> None:
    """the row of position 0 reads 0, 1, 0, 1, …"""
    wanted = torch.tensor([0.0, 1.0] * 6, dtype=F64)
    agree.satisfies("row 0 is 0, 1, 0, 1, …", lambda r: near(r[0], wanted), draw.random.randrange(3, 100), 12)


@exercise("sinusoidal_positions", points=1, level="property")
def test_pairs_lie_on_a_circle(agree: Agree, draw: Draw) -> None:
    """columns 2i and 2i + 1 are sine and cosine of one angle: their squares sum to 1"""
    length = draw.random.randrange(5, 10)
    says = "each pair, columns 2i and 2i + 1, has length 1, as sine and cosine of one angle do"
    agree.satisfies(says, lambda r: near(lengths_of_pairs(r), 1), length, 10)


@exercise("sinusoidal_positions", points=2, level="values")
def test_sinusoids_of_even_widths(agree: Agree, draw: Draw) -> None:
    """sin(p / 10000^(2i/D)) in column 2i, cos of the same in column 2i + 1; for the chapter's table too"""
    for width in (6, 16, 2):
        agree(draw.random.randrange(7, 12), width, tolerance=LOOSE)
    agree(4, 4, tolerance=LOOSE)
    agree(draw.random.randrange(2, 5), 512, tolerance=LOOSE)


@exercise("sinusoidal_positions", points=1, level="edges")
def test_odd_widths_and_a_single_position(agree: Agree, draw: Draw) -> None:
    """an odd width ends with a sine; a width of 1 and a single position are tables too"""
    some, odd = draw.random.randrange(8, 12), draw.random.randrange(9, 100, 2)
    for length, width in ((some, 7), (some - 6, odd), (some, 1), (1, some)):
        agree(length, width, tolerance=LOOSE)


@exercise("sinusoidal_positions", points=1, level="edges")
def test_late_positions_are_precise(agree: Agree, draw: Draw) -> None:
    """with float64 as the default, nine digits are right for hundreds of positions, whatever was asked before"""
    length = draw.random.randrange(200, 300)
    agree.under(F32)(length, 8, tolerance=1e-3)
    agree(length, 8)


@exercise("sinusoidal_positions", points=1, level="edges")
def test_the_table_follows_the_defaults(agree: Agree, draw: Draw) -> None:
    """the table has torch's default dtype and is on its default device"""
    follows_the_defaults(agree, draw.random.randrange(3, 100), 12)


@exercise("add_positions", points=1, level="property")
def test_words_of_zero_leave_the_positions(agree: Agree, draw: Draw) -> None:
    """where the words are zero, each sentence is the first T rows of the table, as they are"""
    draw.fix(D=16, T=draw.random.randrange(3, 6), max=draw.random.randrange(7, 10))
    words, positions = draw("B T D") * 0, draw("max D")
    rows = positions[: draw.size("T")].expand_as(words)
    says = "where the words are zero, each sentence is the first T rows of the table"
    agree.satisfies(says, lambda r: near(r, rows), words, positions)


@exercise("add_positions", points=1, level="property")
def test_positions_of_zero_leave_the_words_scaled(agree: Agree, draw: Draw) -> None:
    """where the positions are zero, a vector of 16 numbers becomes 4 times as long"""
    draw.fix(B=draw.random.randrange(2, 5), T=draw.random.randrange(5, 7), max=draw.random.randrange(7, 10))
    x = draw("B T 16")
    says = "where the positions are zero and D is 16, the result is 4 x"
    agree.satisfies(says, lambda r: near(r, 4 * x), x, draw("max 16") * 0)


@exercise("add_positions", points=2, level="values")
def test_words_times_root_plus_rows(agree: Agree, draw: Draw) -> None:
    """x · √D plus the first T rows, for widths of 4 and 16, and one whose root is no whole number"""
    draw.fix(T=draw.random.randrange(5, 7), max=draw.random.randrange(7, 10))
    for width in (4, 16):
        agree(draw(f"B T {width}"), draw(f"max {width}"))
    agree(draw("B T 11"), draw("max 11"), tolerance=1e-6)


@exercise("add_positions", points=1, level="edges")
def test_a_text_may_be_as_long_as_the_table(agree: Agree, draw: Draw) -> None:
    """a text as long as the table fits, even a single word; axes of size 1 stay"""
    shapes = ("B T 16", "T 16"), ("B 1 16", "1 16"), ("1 T 1", "9 1"), ("4 4 4", "9 4"), ("B 70 16", "80 16")
    for x, positions in shapes:
        agree(draw(x), draw(positions))


@exercise("add_positions", points=1, level="edges")
def test_a_text_longer_than_the_table_is_refused(agree: Agree, draw: Draw) -> None:
    """a text longer than the table raises ValueError, and the message names both lengths"""
    for length, longest in ((18, 17), (35, 12), (13, 1)):
        agree.raises(ValueError, draw(f"B {length} 4"), draw(f"{longest} 4"), naming=(str(length), str(longest)))


@exercise("add_positions", points=1, level="edges")
def test_words_and_positions_learn_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x and the positions; dtype and device stay"""
    draw.fix(D=16, T=draw.random.randrange(3, 6), max=draw.random.randrange(7, 10))
    x, positions = draw("B T D"), draw("max D")
    agree(x, positions, gradients=True)
    agree.keeps_dtype_and_device(x, positions)


@exercise("shift_matrix", points=2, level="property")
def test_every_position_is_moved(agree: Agree, draw: Draw) -> None:
    """M times the row of any position p is the row of position p + offset"""
    says = "M @ row p is row p + offset, for every row p of the sinusoidal positions"
    for speeds in SPEEDS:
        k, table = draw.random.choice((3, 7, 8, 9)), clock(30, speeds)
        agree.satisfies(says, lambda m, k=k, t=table: near(t[:-k] @ m.T, t[k:]), k, 2 * len(speeds))


@exercise("shift_matrix", points=1, level="property")
def test_moves_add_up_and_keep_lengths(agree: Agree, draw: Draw) -> None:
    """two moves in a row make one twice as long, and no move changes a length"""
    offset = draw.random.randrange(20, 40)  # so far, no remainder of a division adds up
    says = "two moves by k are one by 2k: M(k) M(k) is M(2k)"
    agree.relates(says, lambda one, two: near(one @ one, two), (offset, 10), (2 * offset, 10))
    says = "a move keeps lengths: M Mᵀ is the identity"
    agree.satisfies(says, lambda m: near(m @ m.T, torch.eye(10, dtype=F64)), offset, 10)


@exercise("shift_matrix", points=1, level="values")
def test_shift_matrix_has_a_block_for_each_pair(agree: Agree, draw: Draw) -> None:
    """blocks of 2 × 2 along the diagonal turn each pair at its own speed; everything else is 0"""
    for width in (4, 12):
        agree(draw.random.randrange(2, 20), width, tolerance=LOOSE)
    agree(draw.random.randrange(2, 7), 64, tolerance=LOOSE)  # its slowest pair turns by less than a thousandth


@exercise("shift_matrix", points=1, level="edges")
def test_no_move_and_a_long_one(agree: Agree, draw: Draw) -> None:
    """an offset of 0 changes nothing, one below 0 moves back, and one of hundreds is right to six digits"""
    agree(0, 8)
    agree(-draw.random.choice((2, 3, 7)), 8)
    agree(draw.random.choice(FAR), 6, tolerance=1e-6)


@exercise("shift_matrix", points=1, level="edges")
def test_the_matrix_follows_the_defaults(agree: Agree, draw: Draw) -> None:
    """the matrix has torch's default dtype and is on its default device"""
    follows_the_defaults(agree, draw.random.randrange(2, 100), 8)


@exercise("TokenAndPositionEmbedding", points=1, level="property")
def test_a_place_is_the_same_in_every_sentence(agree: Agree, draw: Draw) -> None:
    """one word everywhere: its vector is the same in every sentence, and different at every place"""
    ids = torch.full(draw.shape("B 7"), 9)

    def lacking(r: torch.Tensor) -> str:
        if not near(r[1:], r[:1].expand_as(r[1:])):
            return f"sentences differ by up to {(r - r[:1]).abs().max():.4g}"
        alike = [str(place) for place in range(1, 7) if torch.equal(r[0, place], r[0, 0])]
        return f"equal to place 0: places {', '.join(alike)}" if alike else ""

    says = "with one word everywhere, all sentences are equal, and no other place equals the first"
    agree.satisfies(says, lambda r: not lacking(r), ids, build=(11, 10, 12), shows=lacking)


@exercise("TokenAndPositionEmbedding", points=2, level="values")
def test_rows_of_both_tables_are_added(agree: Agree, draw: Draw) -> None:
    """row ids[b, t] of the token table plus row t of the position table, whatever was read before"""
    draw.fix(T=draw.random.randrange(5, 9))
    longest = draw.size("T") + 8  # more places than words; elsewhere there are fewer
    longer, shorter, other = (called(with_zero(draw, axes)) for axes in (f"B {longest}", "B 3", "B T"))
    for width, dtype, earlier in ((12, F32, [shorter]), (15, F64, [longer, other])):
        agree(with_zero(draw, "B T"), build=module(11, longest, width, dtype=dtype, after=earlier))


@exercise("TokenAndPositionEmbedding", points=1, level="values")
def test_each_table_alone(agree: Agree, draw: Draw) -> None:
    """with tokens of zero the positions remain, with positions of zero the tokens, neither of them scaled"""
    ids = with_zero(draw, "B T")
    for table in ("token.weight", "position.weight"):
        agree(ids, build=module(12, 10, 16, fill={table: 0.0}))


@exercise("TokenAndPositionEmbedding", points=1, level="edges")
def test_both_tables_learn(agree: Agree, draw: Draw) -> None:
    """gradients reach both tables, in training and evaluation, even from words that come again; both give one result"""
    ids = with_zero(draw, "B T")
    ids[0, :2] = ids[1, 0] = 0
    for training in (True, False):
        agree(ids, build=module(11, 10, 12, training=training), gradients=True)


@exercise("TokenAndPositionEmbedding", points=1, level="edges")
def test_the_longest_text_and_the_shortest(agree: Agree, draw: Draw) -> None:
    """a text of max_length words, one of a single word, a batch of one; and no device is hard-coded"""
    agree(with_zero(draw, "B 7"), build=(11, 7, 13))
    agree(draw.integers("B 1", 0, 11), build=(11, 7, 13))
    agree(draw.integers("1 T", 0, 11), build=(11, 12, 13))
    agree(draw.integers("2 70", 250, 300), build=(300, 70, 3))
    agree.on_meta(draw.integers("B T", 0, 11), build=(11, 12, 13))


@exercise("rotary", points=1, level="property")
def test_a_turn_keeps_lengths(agree: Agree, draw: Draw) -> None:
    """after position 0 every pair turns and keeps its length; at position 0 it stays where it was"""
    draw.fix(B=3, T=draw.random.randrange(5, 8))
    x, positions = draw("B T 8"), draw.integers("T", 1, 30)
    wanted = lengths_of_pairs(x)
    says = "each pair, numbers 2i and 2i + 1, is as long as it was in x, and turned"
    agree.satisfies(says, lambda r: near(lengths_of_pairs(r), wanted) and not near(r, x), x, positions)
    says = "where all positions are 0, x comes back as it is"
    agree.satisfies(says, lambda r: near(r, x), x, positions * 0)


@exercise("rotary", points=1, level="property")
def test_scores_depend_on_distances_alone(agree: Agree, draw: Draw) -> None:
    """when all positions move on by the same number, the vectors turn, but every q · k stays as it was"""
    draw.fix(T=draw.random.randrange(5, 8))
    x, positions = draw("2 T 8"), draw.integers("T", 0, 30)
    positions[0], positions[1] = 20, 9
    moved = positions + draw.random.choice((5, 7, 13, 17))
    says = "where all positions move on by the same number, x turns, and every q · k stays (q is x[0], k is x[1])"
    alike = lambda a, b: within(a[0] @ a[1].T, b[0] @ b[1].T, 1e-4) and not near(a, b)  # noqa: E731
    agree.relates(says, alike, (x, positions), (x, moved))


@exercise("rotary", points=2, level="values")
def test_pairs_of_neighbours_are_turned(agree: Agree, draw: Draw) -> None:
    """numbers 2i and 2i + 1 turn by position · 10000^(-2i/d), for x with and without batch and heads"""
    draw.fix(T=11)
    for axes in ("T 12", "B T 10", "B H T 16"):
        x = draw(axes)
        agree(x, torch.arange(draw.size("T")), tolerance=LOOSE)


@exercise("rotary", points=1, level="values")
def test_positions_are_taken_as_they_come(agree: Agree, draw: Draw) -> None:
    """positions in any order and repeated; a single one; and in the thousands, right to nine digits in float64"""
    places = [3, 0, 7, 3, *draw.random.sample(range(8, 30), 2)]
    agree(draw("B 6 8"), torch.tensor(places), tolerance=LOOSE)
    agree(draw("B 4 8"), torch.tensor([0, 5, 1, 3]), tolerance=LOOSE)  # begins and ends as 0 1 2 3 does
    agree(draw("B H 1 8"), torch.tensor([draw.random.randrange(50, 60)]), tolerance=LOOSE)
    agree(draw("B T 8"), draw.integers("T", 3000, 8000))


@exercise("rotary", points=1, level="edges")
def test_an_odd_width_is_refused(agree: Agree, draw: Draw) -> None:
    """an odd d raises ValueError, and the message names it"""
    for width in (13, 1):
        agree.raises(ValueError, draw(f"B 3 {width}"), torch.arange(3), naming=(str(width),))


@exercise("rotary", points=1, level="edges")
def test_turned_vectors_learn_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach x; dtype, device and axes of size 1 stay; what was asked before changes nothing"""
    x = draw("B H T 4")
    positions = torch.tensor(sorted(draw.random.sample(range(12), draw.size("T")), reverse=True))
    agree(x.float(), positions, gradients=True)
    agree(x, positions + 3000)  # for which what is kept of the first call is too coarse
    agree(draw("1 1 1 2"), torch.tensor([2]))
    agree(draw("B 40 8"), torch.arange(40), tolerance=LOOSE)
    agree(draw("B 70 8"), torch.arange(70), tolerance=1e-4)  # an angle of 70 radians in float32 passes
    agree(draw("2 3 512"), torch.tensor([0, 1, 5]), tolerance=LOOSE)
    agree.on_meta(x, positions, half_precision=False)
