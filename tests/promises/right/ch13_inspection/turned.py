"""Turned: keys in rows, products from the left or transposed, results that are views; NumPy's floats."""

import numpy as np
import torch


def pattern_scores(weights, tokens, sentences, special):
    keys = weights.detach().cpu().double().numpy().T  # (key, query)
    _, words = np.unique(tokens, return_inverse=True)
    sentences = np.asarray(sentences)
    tables = np.stack(
        [
            np.eye(len(tokens), k=-1),
            np.eye(len(tokens), k=1),
            words[:, None] == words,
            sentences[:, None] == sentences,
            np.repeat([[token in special] for token in tokens], len(tokens), axis=1),
        ]
    )
    spent = np.einsum("pkq,kq->p", tables, keys)
    queries = tables.any(axis=1).sum(axis=1)
    scores = np.divide(spent, queries, out=np.zeros(5), where=queries > 0)
    return dict(zip(("next", "previous", "same_word", "same_sentence", "special"), scores, strict=True))


def name_head(scores, threshold=0.5):
    name = "mixed"
    for pattern in ["same_sentence", "special", "same_word", "previous", "next"]:  # from the last to the first
        if not scores[pattern] < threshold:
            name = pattern
    return name.replace("special", "null")


def attention_entropy(weights):
    down = weights.movedim(-1, 0)  # (Tk, ..., Tq)
    logs = down.log().clamp(min=torch.finfo(weights.dtype).min)
    return (down * logs).sum(0).neg()


def attention_rollout(layers):
    turned = torch.eye(layers[0].size(-1), dtype=layers[0].dtype, device=layers[0].device)
    product = turned.clone()
    for weights in layers:
        assert torch.allclose(weights.sum(-1), torch.ones_like(weights.sum(-1)))
        moved = (torch.einsum("hij->ji", weights) / weights.size(0)).add(turned).div(2)
        product = product @ moved  # (A B)ᵀ = Bᵀ Aᵀ
    return product.T
