"""Loops: plain Python lists and counters, NumPy only where a result is handed back."""

import numpy as np


def vocabulary(sentences):
    words = []
    for sentence in sentences:
        for word in sentence:
            if word not in words:
                words.append(word)
    words.sort()
    return words


def one_hot(tokens, vocab):
    rows = []
    for token in tokens:
        if token not in vocab:
            raise KeyError(f"I have never seen the word {token!r}")
        row = [0.0] * len(vocab)
        row[vocab.index(token)] = 1.0
        rows.append(row)
    return np.array(rows)


def lookup(one_hots, table):
    result = np.zeros((one_hots.shape[0], table.shape[1]))
    for t in range(one_hots.shape[0]):
        for d in range(table.shape[1]):
            for v in range(table.shape[0]):
                result[t, d] += one_hots[t, v] * table[v, d]
    return result


def similarity(a, b):
    result = np.empty((len(a), len(b)))
    for t in range(len(a)):
        for s in range(len(b)):
            result[t, s] = sum(a[t] * b[s])
    return result


def transition_matrix(sentences, vocab):
    size = len(vocab)
    counts = [[0] * size for _ in range(size)]
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            counts[vocab.index(sentence[t])][vocab.index(sentence[t + 1])] += 1
    for row in counts:
        total = sum(row)
        if total > 0:
            for j in range(size):
                row[j] = row[j] / total
    return np.array(counts, dtype=float)


def next_word(word, transitions, vocab):
    shares = []
    for j in range(len(vocab)):
        shares.append(transitions[vocab.index(word)][j])
    return np.array(shares)


def second_order_matrix(sentences, vocab):
    size = len(vocab)
    shares = np.zeros((size, size, size))
    for sentence in sentences:
        for t in range(len(sentence)):
            if t >= 2:
                p, c, n = vocab.index(sentence[t - 2]), vocab.index(sentence[t - 1]), vocab.index(sentence[t])
                shares[p][c][n] += 1
    for p in range(size):
        for c in range(size):
            if shares[p, c].sum() != 0:
                shares[p, c] /= shares[p, c].sum()
    return shares


def skip_matrix(sentences, vocab):
    size = len(vocab)
    shares = np.zeros((size, size, size))
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            seen = []
            for s in range(t):
                if sentence[s] not in seen:
                    seen.append(sentence[s])
                    e, c, n = vocab.index(sentence[s]), vocab.index(sentence[t]), vocab.index(sentence[t + 1])
                    shares[e, c, n] = shares[e, c, n] + 1
    for e in range(size):
        for c in range(size):
            total = shares[e, c].sum()
            if total:
                shares[e, c] = shares[e, c] / total
    return shares


def skip_features(context, vocab):
    features = np.zeros(len(vocab))
    for i in range(len(context) - 1):
        features[vocab.index(context[i])] = 1
    return features


def vote(context, skips, vocab):
    features = skip_features(context, vocab)
    votes = np.zeros(len(vocab))
    for e in range(len(vocab)):
        for n in range(len(vocab)):
            votes[n] += features[e] * skips[e, vocab.index(context[-1]), n]
    return votes


def selective_vote(context, skips, mask, vocab):
    features = skip_features(context, vocab)
    votes = np.zeros(len(vocab))
    for e in range(len(vocab)):
        for n in range(len(vocab)):
            votes[n] += mask[e] * features[e] * skips[e, vocab.index(context[-1]), n]
    return votes


def mask_for(context, masks, vocab):
    query = one_hot([context[-1]], vocab)[0]
    mask = np.zeros(len(vocab))
    for i in range(len(vocab)):
        mask += query[i] * masks[i]
    return mask


def complete(prompt, skips, masks, vocab, steps):
    text = [word for word in prompt]  # noqa: C416 -- as a beginner copies a list
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        best = None
        for i in range(len(vocab)):
            if votes[i] != 0 and (best is None or votes[i] > votes[best]):
                best = i
        if best is None:
            return text
        text.append(vocab[best])
    return text
