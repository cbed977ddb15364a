"""What goes wrong in `pattern_scores`: how weights are summed and averaged, and what is returned."""

import torch

from reference.ch13_inspection import pattern_scores
from reference.misconceptions import misconception


@misconception("pattern_scores", "pattern-scores-over-all-queries")
def over_all_queries(weights, tokens, sentences, special):
    """You average `next` and `previous` over all T queries.

    The last token has no next one: divide by T - 1, so that a perfect head scores 1 in short texts too.
    """
    scores, share = pattern_scores(weights, tokens, sentences, special), (len(tokens) - 1) / len(tokens)
    return {**scores, "next": scores["next"] * share, "previous": scores["previous"] * share}


@misconception("pattern_scores", "pattern-scores-per-key")
def per_key(weights, tokens, sentences, special):
    """You average over all pairs of query and key of the pattern: your score is the mean weight of such a key.

    First add up the weights on such keys for each query; only then take the mean over queries.
    """
    size, place = len(tokens), torch.arange(len(tokens))
    tables = {
        "next": place - place[:, None] == 1,
        "previous": place[:, None] - place == 1,
        "same_word": torch.tensor([[a == b for b in tokens] for a in tokens]),
        "same_sentence": torch.tensor([[a == b for b in sentences] for a in sentences]),
        "special": torch.tensor([[key in special for key in tokens] for _ in range(size)]),
    }
    return {name: float(weights[table].mean()) if table.any() else 0.0 for name, table in tables.items()}


@misconception("pattern_scores", "pattern-scores-where-weight")
def where_weight(weights, tokens, sentences, special):
    """You average only over queries that do look at such a key, and leave out those whose weight on it is 0.

    The average is over all queries that have such a key; one that does not look at it counts too, with 0.
    """
    place = torch.arange(len(tokens))
    tables = {
        "next": place - place[:, None] == 1,
        "previous": place[:, None] - place == 1,
        "same_word": torch.tensor([[a == b for b in tokens] for a in tokens]),
        "same_sentence": torch.tensor([[a == b for b in sentences] for a in sentences]),
        "special": torch.tensor([[key in special for key in tokens] for _ in tokens]),
    }
    spent = {name: (weights * table).sum(-1) for name, table in tables.items()}
    return {name: float(rows.sum() / (rows > 0).sum().clamp(min=1)) for name, rows in spent.items()}


@misconception("pattern_scores", "pattern-scores-not-averaged")
def not_averaged(weights, tokens, sentences, special):
    """You add up over the queries and do not divide by their number.

    A score is a share between 0 and 1: divide by the number of queries that have such a key.
    """
    size = len(tokens)
    numbers = {"next": size - 1, "previous": size - 1}
    scores = pattern_scores(weights, tokens, sentences, special)
    return {name: score * numbers.get(name, size) for name, score in scores.items()}


@misconception("pattern_scores", "pattern-scores-largest-weight")
def largest_weight(weights, tokens, sentences, special):
    """You take the largest weight among the keys of a pattern instead of their sum.

    A head may share its attention among three equal words; their sum is the weight of the pattern.
    """

    def largest(table):
        return float((weights * torch.tensor(table)).amax(dim=-1).mean())

    return {
        **pattern_scores(weights, tokens, sentences, special),
        "same_word": largest([[a == b for b in tokens] for a in tokens]),
        "same_sentence": largest([[a == b for b in sentences] for a in sentences]),
        "special": largest([[key in special for key in tokens] for _ in tokens]),
    }


@misconception("pattern_scores", "pattern-scores-strongest-key")
def strongest_key(weights, tokens, sentences, special):
    """You count how often a query's strongest key belongs to the pattern, not how much weight goes there.

    The strongest key may get .3 or .9, and you do not see which: add up the weights themselves.
    """
    winner = weights.argmax(dim=-1, keepdim=True)
    return pattern_scores(torch.zeros_like(weights).scatter(-1, winner, 1.0), tokens, sentences, special)


@misconception("pattern_scores", "pattern-scores-tensors")
def tensors(weights, tokens, sentences, special):
    """Your scores are tensors.

    Return Python floats, which can be sorted, printed and stored: use `float(...)` or `.item()`.
    """
    return {name: torch.tensor(score) for name, score in pattern_scores(weights, tokens, sentences, special).items()}


@misconception("pattern_scores", "pattern-scores-called-null")
def called_null(weights, tokens, sentences, special):
    """Your dict has a key `null` where it needs `special`.

    The score is called `special`, after its keys; null is what `name_head` calls the head.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    return {("null" if name == "special" else name): score for name, score in scores.items()}


@misconception("pattern_scores", "pattern-scores-key-left-out")
def key_left_out(weights, tokens, sentences, special):
    """You leave a score out of the dict where no query has such a key.

    The dict always has five keys; such a score is 0.0.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    absent = [] if any(token in special for token in tokens) else ["special"]
    absent += ["next", "previous"] if len(tokens) == 1 else []
    return {name: score for name, score in scores.items() if name not in absent}


@misconception("pattern_scores", "pattern-scores-nan")
def nan(weights, tokens, sentences, special):
    """A score is NaN where no query has such a key: you divide 0 by 0, or take the mean of nothing.

    A single token has no next one, and some texts have no special token. Such a score is 0.0.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    if not any(token in special for token in tokens):
        scores["special"] = float("nan")
    if len(tokens) == 1:
        scores["next"] = scores["previous"] = float("nan")
    return scores


@misconception("pattern_scores", "pattern-scores-zero-division")
def zero_division(weights, tokens, sentences, special):
    """You divide by the number of queries that have such a key even where there are none.

    A single token has no next one, and some texts have no special token. Such a score is 0.0.
    """
    rows, size = weights.tolist(), len(tokens)
    belongs = {
        "next": [[j == i + 1 for j in range(size)] for i in range(size)],
        "previous": [[j == i - 1 for j in range(size)] for i in range(size)],
        "same_word": [[a == b for b in tokens] for a in tokens],
        "same_sentence": [[a == b for b in sentences] for a in sentences],
        "special": [[key in special for key in tokens] for _ in range(size)],
    }
    scores = {}
    for name, table in belongs.items():
        spent = [sum(w for w, inside in zip(*pair, strict=True) if inside) for pair in zip(rows, table, strict=True)]
        scores[name] = sum(spent) / sum(map(any, table))
    return scores


@misconception("pattern_scores", "pattern-scores-rounded")
def rounded(weights, tokens, sentences, special):
    """You round the scores.

    Round when you print; what a function returns should be exact, or thresholds are reached by mistake.
    """
    return {name: round(score, 2) for name, score in pattern_scores(weights, tokens, sentences, special).items()}


@misconception("pattern_scores", "pattern-scores-softmax-again")
def softmax_again(weights, tokens, sentences, special):
    """You put the weights through a softmax once more.

    They are weights already, each row sums to 1; a second softmax makes them nearly equal.
    """
    return pattern_scores(weights.softmax(-1), tokens, sentences, special)


@misconception("pattern_scores", "pattern-scores-overwrites")
def overwrites(weights, tokens, sentences, special):
    """You change the weights in place, and the caller's weights are gone.

    `weights * table` makes a new tensor; leave out `*=`, assignments to `weights[...]` and methods that end in `_`.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    weights *= torch.tensor([[key in special for key in tokens] for _ in tokens])
    return scores


@misconception("pattern_scores", "pattern-scores-per-key-nan")
def per_key_nan(weights, tokens, sentences, special):
    """You average over all pairs of query and key of the pattern: your score is the mean weight of such a key.

    First add up the weights on such keys for each query; only then take the mean over the queries that have one.
    """
    size, place = len(tokens), torch.arange(len(tokens))
    tables = {
        "next": place - place[:, None] == 1,
        "previous": place[:, None] - place == 1,
        "same_word": torch.tensor([[a == b for b in tokens] for a in tokens]),
        "same_sentence": torch.tensor([[a == b for b in sentences] for a in sentences]),
        "special": torch.tensor([[key in special for key in tokens] for _ in range(size)]),
    }
    return {name: weights[table].mean().item() for name, table in tables.items()}


@misconception("pattern_scores", "pattern-scores-special-one")
def special_one(weights, tokens, sentences, special):
    """Your score of `special` counts tokens that are only a part of a special one, as "CLS" is of "[CLS]".

    `token in "[CLS][SEP]"` is True for "CLS" too. Ask `token in special`, with the collection as it is.
    """
    whole = "".join(special)
    return pattern_scores(weights, tokens, sentences, [token for token in tokens if token in whole])


@misconception("pattern_scores", "pattern-scores-stripped")
def stripped(weights, tokens, sentences, special):
    """You take off spaces before you compare the tokens.

    Tokens are compared as they are: " the" and "the" are two different ones.
    """
    return pattern_scores(weights, [token.strip() for token in tokens], sentences, special)


@misconception("pattern_scores", "pattern-scores-percent")
def percent(weights, tokens, sentences, special):
    """Your scores are percentages: 100 times too large.

    A perfect head scores 1.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    return {name: 100 * score for name, score in scores.items()}


@misconception("pattern_scores", "pattern-scores-nan-without-neighbours")
def nan_without_neighbours(weights, tokens, sentences, special):
    """Your scores of `next` and `previous` are NaN where there is a single token: the mean of nothing.

    It has no next one and no previous one, so no query can have such a key. Such a score is 0.0.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    return {**scores, "next": weights.diagonal(1).mean().item(), "previous": weights.diagonal(-1).mean().item()}


@misconception("pattern_scores", "pattern-scores-one-list")
def one_list(weights, tokens, sentences, special):
    """All your scores are the same number, as if the sums of all five patterns were in one list.

    `dict.fromkeys(names, [])` gives every name the same list, and `[[]] * 5` is one list five times.
    """
    size, rows = len(tokens), weights.tolist()
    found = [
        sum(rows[i][j] for j in keys)
        for i in range(size)
        for keys in (
            [j for j in range(size) if j == i + 1],
            [j for j in range(size) if j == i - 1],
            [j for j in range(size) if tokens[j] == tokens[i]],
            [j for j in range(size) if sentences[j] == sentences[i]],
            [j for j in range(size) if tokens[j] in special],
        )
        if keys
    ]
    return dict.fromkeys(("next", "previous", "same_word", "same_sentence", "special"), sum(found) / len(found))


@misconception("pattern_scores", "pattern-scores-last-as-previous")
def last_as_previous(weights, tokens, sentences, special):
    """Your `previous` adds in what the first query gives to the last key: the index 0 - 1 is the last one.

    The first token has no previous one. At which query must the sum begin?
    """
    scores, steps = pattern_scores(weights, tokens, sentences, special), len(tokens) - 1
    return {**scores, "previous": scores["previous"] + float(weights[0, -1]) / steps if steps else 0.0}


@misconception("pattern_scores", "pattern-scores-previous-around")
def previous_around(weights, tokens, sentences, special):
    """Your `previous` takes the last key for the first query's, as the index 0 - 1 does, and averages over all T.

    The first token has no previous one: leave it out of the sum and of the average.
    """
    place = torch.arange(len(tokens), device=weights.device)
    return {
        **pattern_scores(weights, tokens, sentences, special),
        "previous": float(weights[place, place - 1].mean()),
    }
