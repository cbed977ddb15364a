"""What goes wrong in `fourier_mixing`."""

import torch

from reference.ch12_mixing import fourier_mixing
from reference.misconceptions import misconception


@misconception("fourier_mixing", "fourier-complex")
def complex_numbers(x):
    """You return complex numbers.

    Only the real part goes on to the next layer: end with `.real`.
    """
    return torch.fft.fft2(x)


@misconception("fourier_mixing", "fourier-magnitude")
def magnitude(x):
    """You return magnitudes instead of the real part.

    `abs()` is the length of a complex number; its real part, which may be negative, is `.real`.
    """
    return torch.fft.fft2(x).abs()


@misconception("fourier_mixing", "fourier-imaginary")
def imaginary(x):
    """You return the imaginary part instead of the real one.

    The imaginary part is what FNet drops: take `.real` at the very end.
    """
    return torch.fft.fft2(x).imag


@misconception("fourier_mixing", "fourier-real-plus-imaginary")
def real_plus_imaginary(x):
    """You add the imaginary part to the real one.

    The imaginary part is dropped: take `.real` and nothing else.
    """
    mixed = torch.fft.fft2(x)
    return mixed.real + mixed.imag


@misconception("fourier_mixing", "fourier-positions-only")
def positions_only(x):
    """You transform along the positions only.

    The transform has two dimensions: along the features, `dim=2`, and along the positions, `dim=1`.
    """
    return torch.fft.fft(x, dim=1).real


@misconception("fourier_mixing", "fourier-features-only")
def features_only(x):
    """You transform along the features only, and no position learns of any other.

    `torch.fft.fft` takes the last axis unless you name one. Transform along the positions too, `dim=1`.
    """
    return torch.fft.fft(x).real


@misconception("fourier_mixing", "fourier-batch-too")
def batch_too(x):
    """You transform over the batch as well, which mixes the texts with each other.

    `fftn` takes all axes unless you name some: `dim=(1, 2)`, or `fft2`, which takes the last two.
    """
    return torch.fft.fftn(x).real


@misconception("fourier_mixing", "fourier-batch-and-positions")
def batch_and_positions(x):
    """You transform over the batch and the positions; the axes should be 1 and 2.

    In (B, T, D) the batch is axis 0 and stays alone: positions are axis 1, features axis 2.
    """
    return torch.fft.fft2(x, dim=(0, 1)).real


@misconception("fourier_mixing", "fourier-batch-and-features")
def batch_and_features(x):
    """You transform over the batch and the features; the axes should be 1 and 2.

    In (B, T, D) the batch is axis 0 and stays alone: positions are axis 1, features axis 2.
    """
    return torch.fft.fft2(x, dim=(0, 2)).real


@misconception("fourier_mixing", "fourier-real-too-early")
def real_too_early(x):
    """You take the real part after each step, so that the sine parts are lost.

    Sine times sine is real again. Transform the complex numbers along the second axis, then take the real part once.
    """
    return torch.fft.fft(torch.fft.fft(x, dim=2).real, dim=1).real


@misconception("fourier_mixing", "fourier-twice-along-features")
def twice_along_features(x):
    """You transform twice along the features.

    `torch.fft.fft` takes the last axis unless you name one: the second time it should be `dim=1`, the positions.
    """
    return torch.fft.fft(torch.fft.fft(x)).real


@misconception("fourier_mixing", "fourier-orthonormal")
def orthonormal(x):
    """You divide by √(T·D): that is `norm="ortho"`.

    There is no factor in front of the sums; call the transform without `norm`.
    """
    return torch.fft.fft2(x, norm="ortho").real


@misconception("fourier_mixing", "fourier-inverse")
def inverse(x):
    """You divide by T·D, as the inverse transform (or `norm="forward"`) does.

    There is no factor in front of the sums: `torch.fft.fft2(x).real`. The other sign of the exponent makes no
    difference to the real part.
    """
    return torch.fft.ifft2(x).real


@misconception("fourier_mixing", "fourier-half")
def half(x):
    """You keep only half of the features: `rfft` leaves out those that can be inferred.

    The result has the shape of x; take `fft` or `fft2` for real numbers too.
    """
    return torch.fft.rfft2(x).real


@misconception("fourier_mixing", "fourier-shifted")
def shifted(x):
    """You put position 0 into the middle: that is `fftshift`.

    It is good for looking at pictures; here the order stays as the transform gives it.
    """
    return torch.fft.fftshift(torch.fft.fft2(x), dim=(1, 2)).real


@misconception("fourier_mixing", "fourier-flattened")
def flattened(x):
    """You flatten a text to T·D numbers and transform these, in one dimension.

    Two axes, two transforms: along the features and along the positions.
    """
    return torch.fft.fft(x.flatten(1)).real.view(x.shape)


@misconception("fourier_mixing", "fourier-turned")
def turned(x):
    """Your result is (B, D, T): positions and features are swapped.

    A transform leaves the axes where they are; if you swap them in between, swap them back.
    """
    return torch.fft.fft2(x).real.transpose(1, 2)


@misconception("fourier_mixing", "fourier-residual")
def residual(x):
    """You add x to the result.

    The residual belongs to the block around it; return only the mixing.
    """
    return x + fourier_mixing(x)


@misconception("fourier_mixing", "fourier-squeezed")
def squeezed(x):
    """You squeeze the result, so an axis of size 1 is gone: that of a single text, position or feature.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """
    return torch.fft.fft2(x).real.squeeze()


@misconception("fourier_mixing", "fourier-float32")
def float32(x):
    """You return float32 whatever x is: `float()` or a complex64 matrix does that.

    `.real` has the dtype of x by itself; matrices of your own need x's dtype and device.
    """
    return torch.fft.fft2(x).real.float()


@misconception("fourier_mixing", "fourier-detached")
def detached(x):
    """No gradient comes back through your result: it is detached, or went through NumPy.

    There is nothing to learn here, but there is in the layers before; use `torch.fft`.
    """
    return fourier_mixing(x.detach())


@misconception("fourier_mixing", "fourier-sines-added")
def sines_added(x):
    """You add the product of the two sine parts, but it has a minus: i times i is −1.

    The real part is cos · cos − sin · sin. With a plus one of the axes runs backwards.
    """
    return torch.fft.fft(torch.fft.fft(x).conj(), dim=1).real


@misconception("fourier_mixing", "fourier-by-length")
def by_length(x):
    """You divide by the number of positions, T.

    No factor stands in front of the sums: leave `norm` out of both transforms.
    """
    return torch.fft.fft2(x).real / x.shape[1]


@misconception("fourier_mixing", "fourier-by-width")
def by_width(x):
    """You divide by the number of features, D.

    No factor stands in front of the sums: leave `norm` out of both transforms.
    """
    return torch.fft.fft2(x).real / x.shape[2]


@misconception("fourier_mixing", "fourier-by-root-of-width")
def by_root_of_width(x):
    """You divide by √D, as `norm="ortho"` does along the features.

    No factor stands in front of the sums: leave `norm` out of both transforms.
    """
    return torch.fft.fft2(x).real / x.shape[2] ** 0.5


@misconception("fourier_mixing", "fourier-by-root-of-length")
def by_root_of_length(x):
    """You divide by √T, as `norm="ortho"` does along the positions.

    No factor stands in front of the sums: leave `norm` out of both transforms.
    """
    return torch.fft.fft2(x).real / x.shape[1] ** 0.5


@misconception("fourier_mixing", "fourier-one-inverse")
def one_inverse(x):
    """You transform along the features and transform back along the positions.

    Both are the same forward transform: `fft`, not `ifft`.
    """
    return torch.fft.ifft(torch.fft.fft(x), dim=1).real


@misconception("fourier_mixing", "fourier-twice-along-positions")
def twice_along_positions(x):
    """You transform twice along the positions.

    Once along the features, `dim=-1`, and once along the positions, `dim=1`.
    """
    return torch.fft.fft(torch.fft.fft(x, dim=1), dim=1).real


@misconception("fourier_mixing", "fourier-absolute-square")
def absolute_square(x):
    """You return squared magnitudes, a power spectrum.

    FNet takes the real part: `.real`.
    """
    return torch.fft.fft2(x).abs() ** 2


@misconception("fourier_mixing", "fourier-half-mirrored")
def half_mirrored(x):
    """You compute half of the features and mirror them along the features alone; the positions run backwards there too.

    The result at [t, D - d] is that at [-t, d]. `fft2` computes all of it, without any mirror.
    """
    half = torch.fft.rfft2(x).real
    return torch.cat([half, half[..., 1 : (x.shape[-1] + 1) // 2].flip(-1)], dim=-1)
