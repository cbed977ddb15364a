"""Texts put together wrongly, and masks about something else."""

import torch

from reference.ch09_language_model import summarization_example
from reference.misconceptions import misconception


@misconception("summarization_example", "summarization-no-separator")
def no_separator(article, summary, separator_id, eos_id):
    """The separator is missing between article and summary.

    Without it the model cannot know where the article ends and its own part begins.
    """
    ids = torch.cat([article, summary, article.new_tensor([eos_id])])
    return ids, torch.arange(len(ids), device=ids.device) >= len(article)


@misconception("summarization_example", "summarization-no-eos")
def no_eos(article, summary, separator_id, eos_id):
    """`eos_id` is missing at the end.

    Without it the model never learns to stop.
    """
    ids = torch.cat([article, article.new_tensor([separator_id]), summary])
    return ids, torch.arange(len(ids), device=ids.device) > len(article)


@misconception("summarization_example", "summarization-swapped-marks")
def swapped_marks(article, summary, separator_id, eos_id):
    """You have swapped `separator_id` and `eos_id`.

    `separator_id` comes between the texts, `eos_id` at the end.
    """
    return summarization_example(article, summary, eos_id, separator_id)


@misconception("summarization_example", "summarization-summary-first")
def summary_first(article, summary, separator_id, eos_id):
    """Your summary comes before the article.

    The model can only continue a text: first what is given, then what it must produce.
    """
    return summarization_example(summary, article, separator_id, eos_id)


@misconception("summarization_example", "summarization-eos-twice")
def eos_twice(article, summary, separator_id, eos_id):
    """You end the article with `eos_id` too.

    The only eos stands at the very end; after the article comes the separator.
    """
    end = article.new_tensor([eos_id])
    return summarization_example(torch.cat([article, end]), summary, separator_id, eos_id)


@misconception("summarization_example", "summarization-separator-counts")
def separator_counts(article, summary, separator_id, eos_id):
    """Your mask includes the separator.

    It is given to the model, which never has to say it: True begins with the first token of the summary.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.arange(len(ids), device=ids.device) >= len(article)


@misconception("summarization_example", "summarization-eos-does-not-count")
def eos_does_not_count(article, summary, separator_id, eos_id):
    """Your mask leaves out eos.

    Stopping is something the model has to learn too: the mask is True there.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    places = torch.arange(len(ids), device=ids.device)
    return ids, mask & (places < len(ids) - 1)


@misconception("summarization_example", "summarization-shifted-mask")
def shifted_mask(article, summary, separator_id, eos_id):
    """Your mask is shifted already: it is True one place too early, where the summary's tokens are predicted.

    It is about `ids`, not about logits or labels: True at the summary's own tokens and at eos.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, mask.roll(-1)


@misconception("summarization_example", "summarization-all-counts")
def all_counts(article, summary, separator_id, eos_id):
    """Your mask is True at the article as well.

    The article is given: only the summary and eos count.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.ones_like(mask)


@misconception("summarization_example", "summarization-mask-inverted")
def mask_inverted(article, summary, separator_id, eos_id):
    """Your mask is the wrong way round: True at the article.

    True marks what counts in the loss: the summary and eos.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, ~mask


@misconception("summarization_example", "summarization-number-mask")
def number_mask(article, summary, separator_id, eos_id):
    """Your mask holds 0 and 1 instead of False and True.

    As an index, numbers pick out rows 0 and 1. Make it boolean: `dtype=torch.bool`, or a comparison.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, mask.long()


@misconception("summarization_example", "summarization-one-short")
def one_short(article, summary, separator_id, eos_id):
    """Your mask is one shorter than `ids`, as if it were shifted already.

    It is about `ids` and just as long; the caller who shifts the labels shifts the mask too.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, mask[1:]


@misconception("summarization_example", "summarization-lists")
def lists(article, summary, separator_id, eos_id):
    """You return Python lists.

    Both are tensors, int64 and bool, on the device of the article.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids.tolist(), mask.tolist()


@misconception("summarization_example", "summarization-batch-axis")
def batch_axis(article, summary, separator_id, eos_id):
    """You return a batch of one text.

    One example has one axis, (A + S + 2,).
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids[None], mask[None]


@misconception("summarization_example", "summarization-searches")
def searches(article, summary, separator_id, eos_id):
    """You search `ids` for the separator to make the mask, and find the first token that looks like it.

    You know where it stands: after `len(article)` tokens, whatever these are.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    found = torch.cumsum(ids == separator_id, dim=0) > 0
    return ids, found & (ids != separator_id)


@misconception("summarization_example", "summarization-default-device")
def default_device(article, summary, separator_id, eos_id):
    """You make separator and eos on the default device instead of the one where the texts lie.

    Which of your arguments lies where the result must lie? It can make tensors that are like it.

    On a GPU they cannot be joined: `article.new_tensor([separator_id])`, or pass `device=article.device`.
    """
    ids = torch.cat([article, torch.tensor([separator_id]), summary, torch.tensor([eos_id])])
    return ids, torch.arange(len(ids), device=ids.device) > len(article)
