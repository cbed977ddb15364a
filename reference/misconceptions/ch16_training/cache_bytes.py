"""What goes wrong in `cache_bytes`."""

import numpy as np

from reference.misconceptions import misconception


@misconception("cache_bytes", "cache-bytes-keys-alone")
def keys_alone(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count the keys alone; the values take as much again.

    What does attention do with its weights once it has them?
    """
    return num_blocks * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-one-block")
def one_block(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count one block; each block has a cache of its own.

    Its keys are made from its own input, which is another in each block.
    """
    return 2 * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-one-head")
def one_head(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count one head; each key head has keys and values of its own.

    The width that you are given is that of a single head.
    """
    return 2 * num_blocks * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-one-text")
def one_text(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count one text; each text of the batch has a cache of its own.

    Texts written at once share the parameters, and nothing else.
    """
    return 2 * num_blocks * kv_heads * head_width * length * bytes_each


@misconception("cache_bytes", "cache-bytes-numbers")
def numbers(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count numbers, not bytes.

    A number takes several bytes; how many, the last argument says.
    """
    return 2 * num_blocks * kv_heads * head_width * length * batch


@misconception("cache_bytes", "cache-bytes-bits")
def bits(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You multiply by eight: these are bits.

    `bytes_each` counts bytes already.
    """
    return 16 * num_blocks * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-scores")
def scores(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You multiply by the length twice, as for scores, one for each pair of tokens; but no cache keeps scores.

    A token leaves one key and one value for each head. So the bytes grow evenly with the length.
    """
    return 2 * num_blocks * kv_heads * head_width * length * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-queries-too")
def queries_too(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You count queries as well; no query is needed again.

    Only keys and values of old tokens are asked by new ones.
    """
    return 3 * num_blocks * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-float")
def as_float(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You return a floating-point number.

    Bytes are whole. Multiply whole numbers, and do not divide with `/`.
    """
    return 2.0 * num_blocks * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-overflow")
def overflow(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """Your product does not fit into 64 bits, and wraps around.

    NumPy and torch count up to about 9 · 10^18. Python's own whole numbers have no largest one.
    """
    with np.errstate(all="ignore"):
        return int(np.prod(np.array([2, num_blocks, kv_heads, head_width, length, batch, bytes_each], dtype=np.int64)))


@misconception("cache_bytes", "cache-bytes-decimal")
def decimal(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """Your product keeps its first digits and loses the others, as that of a `Decimal` does after 28.

    It is nearer than a float, and still rounded. Python's own whole numbers have no largest one.
    """
    from decimal import Decimal

    return int(Decimal(2) * num_blocks * kv_heads * head_width * length * batch * bytes_each)


@misconception("cache_bytes", "cache-bytes-steps-added")
def steps_added(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You add up the lengths of all steps, 1 + 2 + … + length; the cache of a step contains those before it.

    A new token adds its own key and value to what is there. How many tokens are in the cache at the end?
    """
    return num_blocks * kv_heads * head_width * length * (length + 1) * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-pages")
def pages(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """You round the length up to a multiple of 16, as if the cache came in pages.

    Some programs reserve it so. Here only the tokens that a text has count: how many are there?
    """
    length = -(-length // 16) * 16
    return 2 * num_blocks * kv_heads * head_width * length * batch * bytes_each


@misconception("cache_bytes", "cache-bytes-overflow-before-bytes")
def overflow_before_bytes(num_blocks, kv_heads, head_width, length, batch, bytes_each):
    """Your count of numbers does not fit into 64 bits and wraps around, before you multiply it by the bytes.

    NumPy and torch count up to about 9 · 10^18. Python's own whole numbers have no largest one.
    """
    with np.errstate(all="ignore"):
        return int(np.prod(np.array([2, num_blocks, kv_heads, head_width, length, batch]))) * bytes_each
