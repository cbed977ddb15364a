"""Right answers to `cache_bytes`."""

import math
from functools import reduce


# %% per_token
def cache_bytes(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    one_vector = head_width * bytes_each
    token = 2 * kv_heads * one_vector * num_blocks
    return token * length * batch


# %% product
def cache_bytes(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    return math.prod((2, num_blocks, kv_heads, head_width, length, batch, bytes_each))


# %% any_number
def cache_bytes(*sizes):
    return reduce(lambda one, other: one * other, sizes) << 1


# %% keys_and_values
def cache_bytes(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    keys = num_blocks * (batch * kv_heads * length * head_width) * bytes_each
    values = keys
    return keys + values
