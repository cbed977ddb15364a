"""Ready-made: diagonals, masked arrays, a distribution's own entropy, multi_dot."""

import math

import numpy as np
import torch
from torch.distributions import Categorical


def _mean(values):
    return float(values.double().mean()) if values.numel() else 0.0


def pattern_scores(weights, tokens, sentences, special):
    names = np.array(tokens)
    same_word = torch.from_numpy(names[:, None] == names[None]).to(weights)
    numbers = torch.tensor(sentences, device=weights.device)
    same_sentence = numbers.unsqueeze(0).eq(numbers.unsqueeze(1)).to(weights.dtype)
    marked = np.flatnonzero(np.isin(names, list(special)))
    return {
        "next": _mean(torch.diagonal(weights, offset=1)),
        "previous": _mean(torch.diagonal(weights, offset=-1)),
        "same_word": _mean(torch.linalg.vecdot(weights, same_word)),
        "same_sentence": _mean(torch.linalg.vecdot(weights, same_sentence)),
        "special": math.fsum(_mean(weights[:, j]) for j in marked),
    }


def name_head(scores, threshold=0.5):
    order = {"next": None, "previous": None, "same_word": None, "special": "null", "same_sentence": None}
    reached = filter(lambda pattern: scores[pattern] >= threshold, order)
    first = next(reached, "mixed")
    return order.get(first) or first


def attention_entropy(weights):
    return Categorical(probs=weights).entropy()


def attention_rollout(layers):
    stacked = torch.stack(list(layers)).mean(1)  # (L, T, T)
    stacked = torch.lerp(stacked, torch.eye(stacked.shape[-1]).to(stacked), 0.5)
    if len(stacked) == 1:
        return stacked.squeeze(0)
    return torch.linalg.multi_dot(stacked.flip(0).unbind())
