"""Wrong ways to put the heads side by side again."""

import torch

from reference.misconceptions import misconception


@misconception("merge_heads", "merge-heads-not-exchanged")
def joined_without_exchanging(x):
    """You reshape (B, H, T, d) straight to (B, T, D), so that every row mixes several words.

    A reshape joins only neighbours: bring H next to d first, (B, T, H, d), then join the last two axes.
    """
    batch, num_heads, length, key_width = x.shape
    return x.reshape(batch, length, num_heads * key_width)


@misconception("merge_heads", "merge-heads-view")
def viewed_after_exchanging(x):
    """You swap the axes and then call `view`, which cannot join axes that are not laid out side by side.

    Take `reshape` or `flatten`, which copy where they must, or call `.contiguous()` before `view`.
    """
    batch, num_heads, length, key_width = x.shape
    return x.transpose(1, 2).view(batch, length, num_heads * key_width)


@misconception("merge_heads", "merge-heads-interleaved")
def columns_in_turns(x):
    """Your heads take turns at the columns: first column 0 of every head, then column 1 of every head.

    Head 0 comes with all its columns, then head 1: join (H, d) in this order, not (d, H).
    """
    batch, num_heads, length, key_width = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, length, num_heads * key_width)


@misconception("merge_heads", "merge-heads-not-joined")
def exchanged_but_not_joined(x):
    """You swap H and T, but H and d are still two axes: (B, T, H, d).

    Join the last two into D = H·d, for instance by `.flatten(2)`.
    """
    return x.transpose(1, 2)


@misconception("merge_heads", "merge-heads-mean")
def averaged(x):
    """You average the heads instead of putting them side by side.

    Every head keeps its own d columns; together they are D = H·d again.
    """
    return x.mean(dim=1)


@misconception("merge_heads", "merge-heads-sum")
def added(x):
    """You add the heads up instead of putting them side by side.

    Every head keeps its own d columns; together they are D = H·d again.
    """
    return x.sum(dim=1)


@misconception("merge_heads", "merge-heads-along-positions")
def joined_along_positions(x):
    """You put the heads one after the other along the positions: (B, H·T, d).

    Each position stays one row and gets longer: join the heads along the columns, `dim=-1`.
    """
    return torch.cat(x.unbind(1), dim=1)


@misconception("merge_heads", "merge-heads-batch")
def joined_along_the_batch(x):
    """You put the sentences of the batch side by side instead of the heads.

    A loop over x walks through its first axis, the batch; the heads are axis 1, `x.unbind(1)`.
    """
    return torch.cat(list(x), dim=-1)


@misconception("merge_heads", "merge-heads-other-axes")
def other_axes_exchanged(x):
    """You swap T and d instead of H and T.

    What must come together is H and d, in this order: swap axes 1 and 2.
    """
    batch, num_heads, length, key_width = x.shape
    return x.transpose(2, 3).reshape(batch, length, num_heads * key_width)


@misconception("merge_heads", "merge-heads-in-place")
def exchanged_in_place(x):
    """You swap the axes of the caller's tensor itself: `transpose_` works in place.

    Without the underscore, `transpose` gives a new view and leaves x as it was.
    """
    return x.transpose_(1, 2).flatten(2)


@misconception("merge_heads", "merge-heads-squeezed")
def without_axes_of_size_one(x):
    """You drop axes of size 1.

    A batch of one or a single word is a real axis; leave out `squeeze()`.
    """
    return x.transpose(1, 2).flatten(2).squeeze()


@misconception("merge_heads", "merge-heads-detached")
def cut_off_from_gradients(x):
    """No gradient reaches x: the result is cut off from it (detach, .data, no_grad or NumPy).

    `transpose` and `reshape` let gradients through; copy nothing by hand.
    """
    return x.detach().transpose(1, 2).flatten(2)


@misconception("merge_heads", "merge-heads-positions-joined")
def positions_and_columns_joined(x):
    """You join T and d without swapping axes first: (B, H, T·d).

    The heads must come next to their columns: (B, T, H, d) first, then join the last two axes.
    """
    return x.flatten(2)


@misconception("merge_heads", "merge-heads-sizes-misread")
def sizes_read_in_the_wrong_order(x):
    """Your result has a row for each head: you take the size of axis 1, the heads, for that of the positions.

    In which order does the task name the four axes of x? And whose axes do you read, those of x or those after a swap?

    x comes as (B, H, T, d): `batch, num_heads, length, key_width = x.shape`, and the result is (B, T, H·d).
    """
    batch, length, heads, columns = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * columns)


@misconception("merge_heads", "merge-heads-first")
def first_head_only(x):
    """You return the first head alone.

    All heads stand side by side: D = H·d columns.
    """
    return x[:, 0]


@misconception("merge_heads", "merge-heads-one-row")
def everything_in_one_row(x):
    """You join positions, heads and columns into one long row for each sentence.

    Every position keeps its row: (B, T, H·d); join the last two axes only.
    """
    return x.transpose(1, 2).flatten(1)


@misconception("merge_heads", "merge-heads-positions-first")
def positions_before_the_batch(x):
    """Your positions come before the batch: (T, B, D).

    The batch stays first: (B, T, D).
    """
    return x.permute(2, 0, 1, 3).flatten(2)


@misconception("merge_heads", "merge-heads-along-batch")
def heads_one_after_the_other(x):
    """Your heads come before the batch when you reshape, so that rows mix sentences: you call `torch.cat` without
    `dim`, or swap the wrong axes.

    Which two axes must be neighbours before a reshape may join them? Which ones are neighbours in what you reshape?

    Join the heads with `torch.cat(..., dim=-1)`, without a reshape, or swap axes 1 and 2 and not 0 and 1.
    """
    return torch.cat(list(x.unbind(1))).reshape(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])
