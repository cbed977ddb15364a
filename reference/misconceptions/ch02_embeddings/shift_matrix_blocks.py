"""What goes wrong in `shift_matrix`, continued: the offset and the blocks."""

import torch

from reference.ch02_embeddings import shift_matrix
from reference.misconceptions import misconception


@misconception("shift_matrix", "shift-one-position")
def one_position(offset, width):
    """Your matrix moves by one position, whatever the offset is.

    Multiply the angle of each pair by the offset.
    """
    return shift_matrix(1, width)


@misconception("shift_matrix", "shift-times-offset")
def one_position_times_offset(offset, width):
    """You multiply the matrix of one move by the offset.

    Multiply the angles by the offset, not the entries: k moves are a product of k matrices, not a sum.
    """
    return shift_matrix(1, width) * offset


@misconception("shift_matrix", "shift-one-less")
def one_less(offset, width):
    """Your matrix moves one position too little.

    Turn each pair by offset · 10000^(-2i/D).
    """
    return shift_matrix(offset - 1, width)


@misconception("shift_matrix", "shift-twice")
def twice_as_far(offset, width):
    """Your matrix moves twice as far.

    Turn each pair by offset · 10000^(-2i/D), once.
    """
    return shift_matrix(2 * offset, width)


@misconception("shift_matrix", "shift-first-block-only")
def first_block_only(offset, width):
    """Your matrix turns the first pair only; all other pairs stay where they are.

    Every pair has a block of its own along the diagonal, with its own angle.
    """
    matrix = torch.eye(width)
    matrix[:2, :2] = shift_matrix(offset, width)[:2, :2]
    return matrix


@misconception("shift_matrix", "shift-two-minuses")
def two_minuses(offset, width):
    """Both sines of your blocks have a minus.

    A block is [[cos, sin], [-sin, cos]]: one minus, in the second row.
    """
    matrix = shift_matrix(offset, width)
    return matrix - 2 * matrix.triu(1)


@misconception("shift_matrix", "shift-reversed-blocks")
def blocks_in_reverse(offset, width):
    """Your blocks are in reverse order: the slowest pair comes first.

    Pair i turns by offset · 10000^(-2i/D): the first one by the offset itself.
    """
    order = torch.arange(width).view(-1, 2).flip(0).flatten()
    return shift_matrix(offset, width)[order][:, order]


@misconception("shift_matrix", "shift-identity")
def identity(offset, width):
    """Your matrix is the identity, which moves nothing.

    Each pair turns by its own angle, offset · 10000^(-2i/D).
    """
    return torch.eye(width)


@misconception("shift_matrix", "shift-no-base")
def base_e(offset, width):
    """Your base is e: the logarithm of 10000 is missing from the exponent.

    Pair i turns by offset · 10000^(-2i/D), which is offset · exp(-2i · ln(10000) / D).
    """
    angles = offset * torch.exp(-torch.arange(0, width, 2, dtype=torch.get_default_dtype()) / width)
    matrix = torch.zeros(width, width)
    matrix[0::2, 0::2], matrix[1::2, 1::2] = angles.cos().diag(), angles.cos().diag()
    matrix[0::2, 1::2], matrix[1::2, 0::2] = angles.sin().diag(), -angles.sin().diag()
    return matrix


@misconception("shift_matrix", "shift-only-onwards")
def moves_on_always(offset, width):
    """You move on where the offset is below 0, too.

    Which way should the hands turn for an offset of -2? Look for an `abs`, or for a sign that is lost.
    """
    return shift_matrix(abs(offset), width)


@misconception("shift_matrix", "shift-never-back")
def stays_where_it_should_go_back(offset, width):
    """You do not move at all where the offset is below 0.

    Which way should the hands turn for an offset of -2? Look for a `max`, a `clamp` or a loop that never runs.
    """
    return shift_matrix(max(offset, 0), width)


@misconception("shift_matrix", "shift-entrywise-exp")
def shift_entrywise_exponential(offset, width):
    """You take the exponential of each entry: every 0 becomes a 1, and no entry is a sine or cosine.

    The exponential of a matrix is a series of its powers, which mixes rows and columns; here sines and cosines will do.
    """
    generator = torch.zeros(width, width, dtype=torch.float64)
    for column in range(0, width, 2):
        speed = 10000.0 ** (-column / width)
        generator[column, column + 1], generator[column + 1, column] = speed, -speed
    return torch.exp(offset * generator).to(torch.get_default_dtype())


@misconception("shift_matrix", "shift-exponent-rounded-down")
def exponents_rounded_down(offset, width):
    """Your exponents are whole numbers, 0 for the first pair and -1 for all others, which turn equally slowly.

    Print the exponents for D = 4: they should be 0 and -1/2. `//` rounds down, so -1/2 becomes -1; `/` keeps it.
    """
    angles = offset * 10000.0 ** (-torch.arange(0, width, 2) // width).to(torch.get_default_dtype())
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-rounded-logarithm")
def rounded_logarithm(offset, width):
    """You round the logarithm of 10000 to 9.2103, so all blocks but the first turn too far.

    A constant needs all of its digits: let `math.log` compute it, or take a power of 10000.
    """
    angles = offset * torch.exp(torch.arange(0, width, 2) * (-9.2103 / width))
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-whole-diagonals")
def sines_between_the_pairs(offset, width):
    """You put sines on the whole of the two diagonals beside the main one, also between one pair and the next.

    Hands do not mix: everything outside of the 2 × 2 blocks is 0. Which entries beside the main diagonal lie in none?
    """
    angles = (offset / 10000 ** (torch.arange(0, width, 2) / width)).repeat_interleave(2)
    sines = angles.sin()[:-1]
    return angles.cos().diag() + sines.diag(1) - sines.diag(-1)
