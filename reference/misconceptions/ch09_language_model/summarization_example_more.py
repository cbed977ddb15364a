"""Masks by value instead of by length, and parts that do not fit together."""

import torch

from reference.ch09_language_model import summarization_example
from reference.misconceptions import misconception


@misconception("summarization_example", "summarization-after-first-separator")
def after_first_separator(article, summary, separator_id, eos_id):
    """Your mask begins after the first token equal to `separator_id`, which may be one of the article's.

    Both parts may hold any ids: the mask begins at `len(article) + 1`, whatever stands there.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    start = int((ids == separator_id).nonzero()[0, 0])
    return ids, torch.arange(len(ids), device=ids.device) > start


@misconception("summarization_example", "summarization-after-last-separator")
def after_last_separator(article, summary, separator_id, eos_id):
    """Your mask begins after the last token equal to `separator_id`, which may be one of the summary's.

    Both parts may hold any ids: the mask begins at `len(article) + 1`, whatever stands there.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    start = int((ids == separator_id).nonzero()[-1, 0])
    return ids, torch.arange(len(ids), device=ids.device) > start


@misconception("summarization_example", "summarization-ends-at-first-eos")
def ends_at_first_eos(article, summary, separator_id, eos_id):
    """Your mask ends at the first `eos_id`, which may be one of the summary's tokens.

    The summary may hold any ids: it ends after `len(summary)` tokens, and eos stands behind it.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    ends = ((ids == eos_id) & mask).long()
    return ids, mask & (ends.cumsum(0) - ends == 0)


@misconception("summarization_example", "summarization-special-ids-do-not-count")
def special_ids_do_not_count(article, summary, separator_id, eos_id):
    """Your mask leaves out tokens of the summary that look like a special one.

    Go by the lengths: all tokens of the summary count, whatever their ids are.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    special = (ids == separator_id) | (ids == eos_id)
    special[-1] = False
    return ids, mask & ~special


@misconception("summarization_example", "summarization-article-as-summary")
def lengths_exchanged(article, summary, separator_id, eos_id):
    """You take the length of the summary for that of the article, so your mask begins at the wrong place.

    The mask is False at the article's tokens and at the separator: `len(article) + 1` of them.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.arange(len(ids), device=ids.device) > len(summary)


@misconception("summarization_example", "summarization-two-too-late")
def one_too_late(article, summary, separator_id, eos_id):
    """Your mask begins one place too late: the first token of the summary is left out.

    True begins at `len(article) + 1`, right after the separator.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.arange(len(ids), device=ids.device) > len(article) + 1


@misconception("summarization_example", "summarization-float-mask")
def float_mask(article, summary, separator_id, eos_id):
    """Your mask holds floating-point numbers instead of False and True.

    Make it boolean: `dtype=torch.bool`, or a comparison.
    """
    ids, mask = summarization_example(article, summary, separator_id, eos_id)
    return ids, mask.to(torch.get_default_dtype())


@misconception("summarization_example", "summarization-bare-numbers")
def bare_numbers(article, summary, separator_id, eos_id):
    """You hand `torch.cat` bare numbers: `separator_id` and `eos_id` are ints, not tensors.

    `torch.cat` joins tensors of one axis. How do you make one of a single number, where the article lies?

    Make tensors of one token: `article.new_tensor([separator_id])`.
    """
    ids = torch.cat([article, separator_id, summary, eos_id])
    return ids, torch.arange(len(ids), device=ids.device) > len(article)


@misconception("summarization_example", "summarization-no-axis")
def no_axis(article, summary, separator_id, eos_id):
    """You join tensors without an axis: `torch.tensor(separator_id)` has none, and `torch.cat` refuses it.

    `torch.cat` joins tensors that have an axis. How many axes does a tensor of one *list* of one number have?

    One token is a tensor of length 1: `article.new_tensor([separator_id])`, with brackets.
    """
    sep, eos = article.new_tensor(separator_id), article.new_tensor(eos_id)
    ids = torch.cat([article, sep, summary, eos])
    return ids, torch.arange(len(ids), device=ids.device) > len(article)


@misconception("summarization_example", "summarization-mask-device")
def mask_device(article, summary, separator_id, eos_id):
    """You make the mask on the default device instead of the one where the texts lie.

    Which tensor lies where the mask must lie? There are functions that make another one like it.

    Pass `device=ids.device`, or begin with `torch.zeros_like(ids, dtype=torch.bool)`.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.arange(len(ids)) > len(article)


@misconception("summarization_example", "summarization-by-value")
def by_value(article, summary, separator_id, eos_id):
    """Your mask is True wherever an id of the summary or `eos_id` stands, in the article too.

    Both parts may hold any ids: go by their lengths.
    """
    ids, _ = summarization_example(article, summary, separator_id, eos_id)
    return ids, torch.isin(ids, torch.cat([summary, ids[-1:]]))


@misconception("summarization_example", "summarization-zeros-dropped")
def zeros_dropped(article, summary, separator_id, eos_id):
    """You leave out tokens with the id 0, as if they were padding.

    Both texts may hold any ids, and 0 is one of them.
    """
    return summarization_example(article[article != 0], summary[summary != 0], separator_id, eos_id)


@misconception("summarization_example", "summarization-marks-once")
def marks_once(article, summary, separator_id, eos_id):
    """Where a text ends with a special id already, you do not add another one.

    Both texts may hold any ids. The two marks are added whatever stands before them.
    """
    if article[-1] == separator_id:
        article = article[:-1]
    if summary[-1] == eos_id:
        summary = summary[:-1]
    return summarization_example(article, summary, separator_id, eos_id)


@misconception("summarization_example", "summarization-as-many-separators")
def as_many_separators(article, summary, separator_id, eos_id):
    """You put as many separators as the article has tokens, as `full_like` makes them; one is asked for.

    How many entries must the tensor of the separator have, however long the article is?
    """
    separators, eos = torch.full_like(article, separator_id), summary.new_tensor([eos_id])
    ids = torch.cat([article, separators, summary, eos])
    return ids, torch.arange(len(ids), device=ids.device) >= 2 * len(article)


@misconception("summarization_example", "summarization-as-many-eos")
def as_many_eos(article, summary, separator_id, eos_id):
    """You put `eos_id` as many times as the summary has tokens, as `full_like` makes it; it is asked for once.

    How many entries must the tensor of the end have, however long the summary is?
    """
    separator, ends = article.new_tensor([separator_id]), torch.full_like(summary, eos_id)
    ids = torch.cat([article, separator, summary, ends])
    return ids, torch.arange(len(ids), device=ids.device) > len(article)
