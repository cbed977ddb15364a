"""What goes wrong in `embed`."""

import math

import torch
from torch import nn

from reference.ch02_embeddings import embed
from reference.misconceptions import misconception


@misconception("embed", "embed-transposed")
def picks_rows_of_the_transpose(ids, table):
    """You look the words up in the transposed table.

    The table is (V, D): its rows are the words already, so leave out the transpose.
    """
    return table.T[ids]


@misconception("embed", "embed-columns")
def picks_columns(ids, table):
    """You pick columns of the table: your ids index its second axis.

    A word is a row of the table, (V, D). Which of its axes do your ids index, and which one counts the words?

    Index the first axis, `table[ids]`, and the D numbers come last.
    """
    return table[:, ids]


@misconception("embed", "embed-one-hot-float32")
def one_hot_in_float32(ids, table):
    """Your one-hot vectors are float32 whatever the table is, and a float64 table cannot be multiplied with them.

    Convert them with `.to(table.dtype)`, or index the table, which needs none.
    """
    return nn.functional.one_hot(ids, table.shape[0]).float() @ table


@misconception("embed", "embed-one-hot-integers")
def one_hot_in_integers(ids, table):
    """Your one-hot vectors are integers, and a table of floats cannot be multiplied with them.

    Convert them with `.to(table.dtype)`, or index the table, which needs none.
    """
    return nn.functional.one_hot(ids, table.shape[0]) @ table


@misconception("embed", "embed-one-hot-classes")
def one_hot_of_the_words_seen(ids, table):
    """Your one-hot vectors are only as long as the largest id needs, not as long as the vocabulary.

    Pass the size of the vocabulary, `one_hot(ids, table.shape[0])`, or index the table, which needs no one-hot vectors.
    """
    return nn.functional.one_hot(ids).to(table.dtype) @ table


@misconception("embed", "embed-from-one")
def ids_begin_at_one(ids, table):
    """You count the ids from 1: every word gets the row before its own, and id 0 the last one.

    Ids begin at 0, as indices do: id 0 is the first row.
    """
    return table[ids - 1]


@misconception("embed", "embed-scaled")
def scaled_by_root_of_width(ids, table):
    """You multiply the vectors by √D here.

    A lookup returns the rows as they are; the scaling belongs to `add_positions`.
    """
    return table[ids] * math.sqrt(table.shape[1])


@misconception("embed", "embed-flat")
def loses_the_axes_of_the_ids(ids, table):
    """You return one long list of vectors: the axes of the ids are gone.

    For ids (..., T) the result is (..., T, D). `table[ids]` keeps the axes; after a flatten, `unflatten` restores them.
    """
    return table[ids.flatten()]


@misconception("embed", "embed-mean")
def averages_the_words(ids, table):
    """You average the vectors of a sentence, as an `EmbeddingBag` does.

    Leave out the mean: every word keeps its own vector here, and later layers decide what to make of them.
    """
    return table[ids].mean(-2)


@misconception("embed", "embed-squeezed")
def squeezes(ids, table):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """
    return table[ids].squeeze()


@misconception("embed", "embed-padding")
def row_zero_is_padding(ids, table):
    """You treat id 0 as padding, so the first row of the table never gets a gradient.

    This exercise has no padding: leave out `padding_idx`, and row 0 learns like any other.
    """
    return nn.functional.embedding(ids, table, padding_idx=0)


@misconception("embed", "embed-float32")
def result_in_float32(ids, table):
    """Your result is float32, whatever the table is.

    Rows keep the dtype of their table: leave out `.float()`, and build no new tensor from the numbers.
    """
    return table[ids].float()


@misconception("embed", "embed-detached")
def detached(ids, table):
    """No gradient reaches the table: it is cut off (detach, .data, no_grad or NumPy), or put into a module.

    The table is what training fills; index it as it is. A new `nn.Embedding` learns a parameter of its own instead.
    """
    return embed(ids, table.detach())


@misconception("embed", "embed-summed")
def words_added(ids, table):
    """You add the vectors of a sentence up.

    Every id keeps a vector of its own: (..., T, D).
    """
    return embed(ids, table).sum(dim=-2)


@misconception("embed", "embed-row-after")
def row_after(ids, table):
    """Every word gets the row after its own.

    Ids count from 0: id i belongs to row i.
    """
    return embed((ids + 1) % len(table), table)


@misconception("embed", "embed-normalised")
def unit_length(ids, table):
    """You divide the vectors by their lengths.

    Return the rows of the table as they are.
    """
    return embed(ids, table / table.norm(dim=-1, keepdim=True))


@misconception("embed", "embed-one-hot")
def one_hot_vectors(ids, table):
    """You return the one-hot vectors without multiplying them by the table.

    Each one-hot vector picks a row: multiply by the table, or index it with the ids.
    """
    return torch.eye(len(table), dtype=table.dtype, device=table.device)[ids]


@misconception("embed", "embed-sorted")
def sorted_ids(ids, table):
    """Your vectors are in the order of the ids, not of the words.

    Place t holds the vector of ids[..., t].
    """
    return embed(ids.sort(dim=-1).values, table)


@misconception("embed", "embed-first-sentence")
def first_sentence(ids, table):
    """You look up the first sentence only.

    An index may have any shape, that of a whole batch as well. Where do the other sentences get lost?

    `table[ids]` takes ids of any shape.
    """
    return embed(ids[:1], table)


@misconception("embed", "embed-in-order")
def rows_in_order(ids, table):
    """You take the first T rows of the table, whatever the ids are.

    Which rows belong to a sentence with the ids 3, 3, 0, and which does your answer return?

    Index the table with the ids: `table[ids]`.
    """
    return table[: ids.shape[-1]].expand(*ids.shape, table.shape[1])


@misconception("embed", "embed-classes-from-width")
def classes_from_the_width(ids, table):
    """Your one-hot vectors are as long as a word's vector, not as long as the vocabulary.

    The table is (V, D). Which of the two sizes counts the words?
    """
    hot = (ids.unsqueeze(-1) == torch.arange(table.shape[1], device=ids.device)).to(table.dtype)
    return hot @ table


@misconception("embed", "embed-half-lost")
def half_precision_lost(ids, table):
    """In half precision your result is float32.

    The result has the dtype of the table, whichever that is: which of your lines asks for another one?
    """
    return embed(ids, table) if table.dtype == torch.float64 else embed(ids, table).float()


@misconception("embed", "embed-stride")
def embed_by_wrong_stride(ids, table):
    """You step through the flat table by V numbers for each id, but a row is D numbers long.

    The table is (V, D), read row by row. At which place of the long list does row 1 begin?
    """
    columns = torch.arange(table.shape[1], device=ids.device)
    return torch.take(table, ids.unsqueeze(-1) * table.shape[0] + columns)


@misconception("embed", "embed-gradient-overwritten")
def embed_gradient_overwritten(ids, table):
    """A word that occurs several times gets the gradient of one place only: your backward overwrites, and does not add.

    Each place of a word says how its row should change, and these add up. Indexing the table does that by itself.
    """

    class Rows(torch.autograd.Function):
        @staticmethod
        def forward(ctx, ids, table):
            ctx.save_for_backward(ids)
            ctx.size = table.shape
            return table[ids]

        @staticmethod
        def backward(ctx, grad):
            (ids,) = ctx.saved_tensors
            whole = grad.new_zeros(ctx.size)
            whole[ids] = grad
            return None, whole

    return Rows.apply(ids, table)


@misconception("embed", "embed-ids-rounded")
def embed_ids_rounded(ids, table):
    """You compare the ids in the table's dtype; in bfloat16 ids above 256 are rounded, and several rows are added up.

    bfloat16 has eight bits for the digits of a number. Compare ids as whole numbers, and convert what comes out.
    """
    words = torch.arange(table.shape[0], device=table.device).to(table.dtype)
    return (ids.unsqueeze(-1).to(table.dtype) == words).to(table.dtype) @ table
