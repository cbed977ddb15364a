"""What goes wrong in `filter_matrix`: numbers in the wrong place."""

import torch

from reference.ch12_mixing import filter_matrix
from reference.misconceptions import misconception


@misconception("filter_matrix", "filter-matrix-negative-places")
def negative_places(filters, length):
    """Left of the band there are numbers: a negative place counts from the end of the filter.

    Only places from 0 to K − 1 exist. Check both ends: `(place >= 0) & (place < K)`.
    """
    steps = torch.arange(length, device=filters.device)
    size = filters.shape[1]
    place = steps - steps[:, None] + size // 2
    return filters[:, place.clamp(max=size - 1)] * (place < size)


@misconception("filter_matrix", "filter-matrix-numbers-beyond-the-right")
def numbers_beyond_the_right(filters, length):
    """Right of the band you repeat the last number of the filter.

    Only places from 0 to K − 1 exist. Check both ends: `(place >= 0) & (place < K)`.
    """
    steps = torch.arange(length, device=filters.device)
    size = filters.shape[1]
    place = steps - steps[:, None] + size // 2
    return filters[:, place.clamp(0, size - 1)] * (place >= 0)


@misconception("filter_matrix", "filter-matrix-beyond-the-corner")
def beyond_the_corner(filters, length):
    """You write whole diagonals, and one that lies beyond the corner of the matrix has a negative length.

    A filter may be longer than the text: leave out offsets whose size is `length` or more.
    """
    width, size = filters.shape
    matrix = filters.new_zeros(width, length, length)
    for k in range(size):
        offset = k - size // 2
        diagonal = filters[:, k : k + 1].expand(width, length - abs(offset))
        matrix = matrix + torch.diag_embed(diagonal, offset)
    return matrix


@misconception("filter_matrix", "filter-matrix-ones-beyond-the-corner")
def ones_beyond_the_corner(filters, length):
    """You make diagonals of `length - |offset|` numbers, and that is negative beyond the corner of the matrix.

    A filter may be longer than the text: leave out offsets whose size is `length` or more.
    """
    size = filters.shape[1]
    matrix = 0.0
    for k in range(size):
        offset = k - size // 2
        ones = torch.ones(length - abs(offset), dtype=filters.dtype, device=filters.device)
        matrix = matrix + filters[:, k, None, None] * torch.diag(ones, offset)
    return matrix


@misconception("filter_matrix", "filter-matrix-one-place-off")
def one_place_off(filters, length):
    """Your band lies one place too far to the right.

    The number in the middle, at (K − 1) / 2, belongs on the diagonal. `K // 2` is that, for every odd K.
    """
    steps = torch.arange(length, device=filters.device)
    size = filters.shape[1]
    place = steps - steps[:, None] + size // 2 - 1
    found = filters[:, place.clamp(0, size - 1)]
    return torch.where((place >= 0) & (place < size), found, torch.zeros_like(found))


@misconception("filter_matrix", "filter-matrix-one-place-left")
def one_place_left(filters, length):
    """Your band lies one place too far to the left.

    The number in the middle, at (K − 1) / 2, belongs on the diagonal; `(K + 1) // 2` is one too many.
    """
    steps = torch.arange(length, device=filters.device)
    size = filters.shape[1]
    place = steps - steps[:, None] + size // 2 + 1
    found = filters[:, place.clamp(0, size - 1)]
    return torch.where((place >= 0) & (place < size), found, torch.zeros_like(found))


@misconception("filter_matrix", "filter-matrix-size-of-the-filter")
def size_of_the_filter(filters, length):
    """Your matrices are K × K: the length is not used.

    They mix the positions of a text: T × T, with T = `length`.
    """
    return filter_matrix(filters, filters.shape[1])


@misconception("filter_matrix", "filter-matrix-places-in-the-dtype")
def places_in_the_dtype(filters, length):
    """You count positions in the dtype of the filters, and in bfloat16 there are no odd numbers above 256.

    Places are whole numbers, whatever the filters are. Which dtype does `torch.arange` give without being told?
    """
    places = torch.arange(length, dtype=filters.dtype, device=filters.device)
    number = (places - places[:, None]).long() + filters.shape[1] // 2
    inside = (number >= 0) & (number < filters.shape[1])
    return filters[:, number.clamp(0, filters.shape[1] - 1)] * inside
