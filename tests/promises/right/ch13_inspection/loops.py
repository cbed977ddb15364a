"""Loops: one weight after the other, sums in lists, a chain of ifs, and a matrix product by hand."""

import torch


def counts(name, i, j, tokens, sentences, special):
    if name == "next":
        return j - i == 1
    if name == "previous":
        return i - j == 1
    if name == "same_word":
        return tokens[i] == tokens[j]
    if name == "same_sentence":
        return sentences[i] == sentences[j]
    return tokens[j] in list(special)


def pattern_scores(weights, tokens, sentences, special):
    n = len(tokens)
    result = {}
    for name in ["special", "same_sentence", "same_word", "previous", "next"]:
        total = 0.0
        queries = 0
        for i in range(n):
            found = False
            for j in range(n):
                if counts(name, i, j, tokens, sentences, special):
                    total += weights[i][j].item()
                    found = True
            if found:
                queries += 1
        if queries == 0:
            result[name] = 0.0
        else:
            result[name] = total / queries
    return result


def name_head(scores, threshold=0.5):
    if scores["next"] >= threshold:
        return "next"
    if scores["previous"] >= threshold:
        return "previous"
    if scores["same_word"] >= threshold:
        return "same_word"
    if scores["special"] >= threshold:
        return "null"
    if scores["same_sentence"] >= threshold:
        return "same_sentence"
    return "mixed"


def attention_entropy(weights):
    total = 0
    for k in range(weights.shape[-1]):
        w = weights[..., k]
        some, term = w > 0, torch.zeros_like(w)
        term[some] = -w[some] * torch.log(w[some])
        total = total + term
    return total


def attention_rollout(layers):
    result = None
    for weights in layers:
        heads, n, _ = weights.shape
        rows = []
        for i in range(n):
            row = 0
            for h in range(heads):
                row = row + weights[h, i] / heads
            here = torch.zeros_like(row)
            here[i] = 1
            moved = (row + here) / 2
            if result is not None:
                moved = sum(moved[k] * result[k] for k in range(n))
            rows.append(moved)
        result = torch.stack(rows)
    return result
