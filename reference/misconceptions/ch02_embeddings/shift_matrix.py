"""What goes wrong in `shift_matrix`."""

import torch

from reference.ch02_embeddings import shift_matrix
from reference.misconceptions import misconception


@misconception("shift_matrix", "shift-transposed")
def minus_above_the_diagonal(offset, width):
    """Your matrix leads from position p to p - offset, not to p + offset: each block has its minus in the first row.

    M stands on the left of (sin, cos) as a column, and cos(a + b) = cos a · cos b - sin a · sin b:
    the minus belongs in the second row.
    """
    return shift_matrix(offset, width).T


@misconception("shift_matrix", "shift-no-minus")
def no_minus(offset, width):
    """The minus is missing: your blocks are [[cos, sin], [sin, cos]].

    cos(a + b) = cos a · cos b - sin a · sin b: the second row of each block begins with -sin.
    """
    even = torch.arange(0, width, 2)
    angles = offset / 10000 ** (even / width)
    matrix = torch.diag(angles.cos().repeat_interleave(2))
    matrix[even, even + 1] = matrix[even + 1, even] = angles.sin()
    return matrix


@misconception("shift_matrix", "shift-sine-on-diagonal")
def sine_and_cosine_exchanged(offset, width):
    """Sine and cosine are swapped within your blocks: the sines stand on the diagonal.

    An offset of 0 must change nothing, so the diagonal holds what is 1 there: the cosines.
    """
    even = torch.arange(0, width, 2)
    angles = offset / 10000 ** (even / width)
    matrix = torch.diag(angles.sin().repeat_interleave(2))
    matrix[even, even + 1] = angles.cos()
    matrix[even + 1, even] = -angles.cos()
    return matrix


@misconception("shift_matrix", "shift-halves")
def sines_before_cosines(offset, width):
    """Your matrix expects all sines first and all cosines behind them: it pairs column i with i + D/2.

    The columns of a pair are neighbours, 2i and 2i + 1, so the blocks of 2 × 2 lie along the diagonal.
    """
    angles = offset / 10000 ** (torch.arange(0, width, 2) / width)
    cos, sin = torch.diag(angles.cos()), torch.diag(angles.sin())
    return torch.cat([torch.cat([cos, sin], dim=1), torch.cat([-sin, cos], dim=1)])


@misconception("shift_matrix", "shift-doubled-exponent")
def exponent_is_doubled(offset, width):
    """Your exponent is doubled: you multiply 0, 2, 4, … by 2 once more, or divide them by D/2 instead of D.

    Take D = 4 and write down the exponent of the second pair. It should be 2/4; which of your numbers is 2 already?

    With `torch.arange(0, width, 2)` for the even columns the exponent is `even / width`, without another factor.
    """
    angles = offset / 10000 ** (2 * torch.arange(0, width, 2) / width)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-halved-exponent")
def exponent_is_halved(offset, width):
    """Your exponent is i / D with i = 0, 1, 2, …: half of what it should be.

    The exponent of pair i is 2i / D, as in `sinusoidal_positions`.
    """
    angles = offset / 10000 ** (torch.arange(width // 2) / width)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-one-speed")
def all_hands_turn_alike(offset, width):
    """All your blocks turn by the same angle.

    Every pair has its own speed: block i turns by offset / 10000^(2i/D).
    """
    angles = offset + torch.zeros(width // 2)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-inverted")
def hands_become_faster(offset, width):
    """Your hands get faster from pair to pair: you multiply the offset by 10000^(2i/D).

    Divide by it, or make the exponent negative.
    """
    angles = offset * 10000 ** (torch.arange(0, width, 2) / width)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-one-more")
def one_position_too_far(offset, width):
    """Your matrix moves one position too far.

    An offset of 0 must give the identity; if you read the angles off a table of positions, take the row `offset`.
    """
    return shift_matrix(offset + 1, width)


@misconception("shift_matrix", "shift-diagonal")
def only_the_diagonal(offset, width):
    """Your matrix has cosines on the diagonal and nothing beside them.

    The new sine needs the old cosine too, and the new cosine the old sine: each block has four entries.
    """
    angles = offset / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.diag(angles.cos().repeat_interleave(2))


@misconception("shift_matrix", "shift-permutation")
def moves_the_columns(offset, width):
    """Your matrix moves the columns of a row to other columns, as a roll does.

    What moves is the position, and the columns stay where they are: each pair is turned within itself.
    """
    return torch.eye(width).roll(offset, dims=0)


@misconception("shift_matrix", "shift-float32-angles")
def angles_in_float32(offset, width):
    """You compute the angles in float32, so the matrix has no more than about seven digits, even in float64.

    Leave out `.float()` and `dtype=torch.float32`: with the default dtype everything is as precise as it can be.
    """
    angles = offset / 10000 ** (torch.arange(0, width, 2).float() / width)
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2))
    return torch.block_diag(*blocks).to(torch.get_default_dtype())


@misconception("shift_matrix", "shift-float32")
def matrix_in_float32(offset, width):
    """Your matrix is float32, whatever torch's default dtype is.

    Leave out `.float()` and `dtype=torch.float32`; tensors then come in the default dtype by themselves.
    """
    return shift_matrix(offset, width).float()


@misconception("shift_matrix", "shift-float64")
def matrix_in_float64(offset, width):
    """Your matrix is float64, whatever torch's default dtype is; NumPy's numbers are float64 too.

    Convert what you return to `torch.get_default_dtype()`, or compute with torch and name no dtype.
    """
    angles = offset / 10000 ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))


@misconception("shift_matrix", "shift-device")
def matrix_on_the_cpu(offset, width):
    """Your matrix is on the CPU, whatever torch's default device is.

    Name no device and take no detour through NumPy; what torch makes is then on the right one.
    """
    angles = offset / 10000 ** (torch.arange(0, width, 2, device="cpu") / width)
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([cos, sin, -sin, cos], dim=-1).unflatten(-1, (2, 2)))
