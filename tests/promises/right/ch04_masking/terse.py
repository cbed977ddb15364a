"""Terse: one expression each, lambdas among them, attention through einsum and logsumexp."""
# ruff: noqa: E731 -- a function may be a lambda with a name

from functools import reduce
from operator import and_

from torch import Tensor, einsum, exp, inf, ones, ones_like, where, zeros

padding_mask = lambda ids, pad_id: (ids != pad_id)[:, None, None, :]
causal_mask = lambda length, past=0: ones(length, past + length).tril(past).bool()
combine_masks = lambda *masks: reduce(and_, there) if (there := [m for m in masks if m is not None]) else None
additive_mask = lambda mask, dtype: zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -inf)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    s = scores.masked_fill(~mask, -inf)
    return where(mask, exp(s - s.logsumexp(-1, keepdim=True).clamp(min=-1e7)), 0)


def masked_attention(q, k, v, mask=None):
    s = einsum("...qd,...kd->...qk", q, k).div(q.shape[-1] ** 0.5)
    w = masked_softmax(s, ones_like(s, dtype=bool) if mask is None else mask)
    return einsum("...qk,...ke->...qe", w, v), w


def test_the_first_query_sees_one_key():
    assert causal_mask(4)[0].sum() == 1


if __name__ == "__main__":
    test_the_first_query_sees_one_key()
