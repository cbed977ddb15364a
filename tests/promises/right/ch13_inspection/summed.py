"""Summed: a dict of masks, torch.where where a logarithm has no value, heads by tensordot, names as an enumeration."""

from collections import OrderedDict, defaultdict
from enum import StrEnum

import torch


class Name(StrEnum):
    NEXT = "next"
    PREVIOUS = "previous"
    SAME_WORD = "same_word"
    NULL = "null"
    SAME_SENTENCE = "same_sentence"
    MIXED = "mixed"


def pattern_scores(weights, tokens, sentences, special):
    length = len(tokens)
    places = torch.arange(length)
    known = defaultdict(lambda: len(known))
    words = torch.tensor([known[token] for token in tokens])
    numbers = torch.as_tensor(sentences)
    keys = torch.tensor([token in special for token in tokens])
    masks = {
        "next": places[None] - places[:, None] == 1,
        "previous": places[:, None] - places[None] == 1,
        "same_word": torch.eq(words[:, None], words),
        "same_sentence": torch.eq(numbers[:, None], numbers),
        "special": keys.expand(length, length),
    }
    scores = OrderedDict()
    for name, mask in masks.items():
        mask = mask.to(weights.device)
        able = mask.any(dim=1)
        if not able.any():
            scores[name] = 0.0
            continue
        scores[name] = torch.where(mask, weights, 0).sum(dim=1)[able].mean().item()
    return scores


def name_head(scores, threshold=0.5):
    if (best := scores.get("next")) >= threshold:
        return Name.NEXT
    order = [("previous", Name.PREVIOUS), ("same_word", Name.SAME_WORD), ("special", Name.NULL)]
    for key, name in [*order, ("same_sentence", Name.SAME_SENTENCE)]:
        if max(best, scores[key]) >= threshold:
            return name
    return Name.MIXED


def attention_entropy(weights):
    some = weights > 0
    surprise = torch.where(some, weights, 1.0).log().neg()
    return torch.linalg.vecdot(weights, surprise, dim=-1)


def attention_rollout(layers):
    identity = torch.diag(layers[0].new_ones(layers[0].shape[-1]))
    result = identity
    for weights in reversed(layers):
        heads = torch.tensordot(weights, weights.new_full((len(weights),), 1 / len(weights)), dims=([0], [0]))
        result = torch.addmm(result, result, heads).mul_(0.5)
    return result
