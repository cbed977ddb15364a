"""What goes wrong in `pattern_scores`: which keys belong to a pattern."""

import torch

from reference.ch13_inspection import pattern_scores
from reference.misconceptions import misconception


@misconception("pattern_scores", "pattern-scores-next-previous-swapped")
def next_previous_swapped(weights, tokens, sentences, special):
    """You have `next` and `previous` the wrong way round.

    Row i, column i + 1 is what query i gives to the next token: the diagonal above the main one, `diagonal(1)`.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    return {**scores, "next": scores["previous"], "previous": scores["next"]}


@misconception("pattern_scores", "pattern-scores-columns-as-queries")
def columns_as_queries(weights, tokens, sentences, special):
    """You take columns for queries and rows for keys.

    Queries are rows: `weights[i, j]` is what query i gives to key j, and each row sums to 1.
    """
    return pattern_scores(weights.T, tokens, sentences, special)


@misconception("pattern_scores", "pattern-scores-keys-in-rows")
def keys_in_rows(weights, tokens, sentences, special):
    """Your score of `special` adds up the rows of special queries instead of the columns of special keys.

    A head has the null pattern where others look at `[SEP]`: it is the token of the key, j, that must be special.
    """
    rows = [i for i, token in enumerate(tokens) if token in special]
    score = float(weights[rows].sum() / len(tokens))
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-whole-rows")
def whole_rows(weights, tokens, sentences, special):
    """Your score of `special` averages whole rows of special queries, and each row sums to 1.

    A head has the null pattern where others look at `[SEP]`: it is the token of the key, j, that must be special.
    """
    rows = [i for i, token in enumerate(tokens) if token in special]
    score = float(weights[rows].sum(-1).mean()) if rows else 0.0
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-special-among-themselves")
def special_among_themselves(weights, tokens, sentences, special):
    """Your score of `special` averages over special queries only.

    Every query can look at a special key, so the average is over all T queries.
    """
    rows = [i for i, token in enumerate(tokens) if token in special]
    score = float(weights[rows][:, rows].sum() / max(len(rows), 1))
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-special-from-others")
def special_from_others(weights, tokens, sentences, special):
    """Your score of `special` averages over the queries that are not special themselves.

    Every query can look at a special key, a special one too: the average is over all T queries.
    """
    rows = [i for i, token in enumerate(tokens) if token not in special]
    keys = [j for j, token in enumerate(tokens) if token in special]
    score = float(weights[rows][:, keys].sum() / max(len(rows), 1))
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-special-by-position")
def special_by_position(weights, tokens, sentences, special):
    """You treat the first and the last token as the special ones.

    Special tokens are those in `special`, wherever they are: check `token in special`.
    """
    score = float(weights[:, 0].mean() + (weights[:, -1].mean() if len(tokens) > 1 else 0.0))
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-special-hard-coded")
def special_hard_coded(weights, tokens, sentences, special):
    """You look for `[CLS]` and `[SEP]` whatever `special` says.

    Other models have other special tokens; that is why they are an argument.
    """
    return pattern_scores(weights, tokens, sentences, ("[CLS]", "[SEP]"))


@misconception("pattern_scores", "pattern-scores-special-used-up")
def special_used_up(weights, tokens, sentences, special):
    """You can go through your special tokens only once, and the first token that you look for uses them up.

    `map`, `filter`, a generator and `iter` are used up by `in`. What can you ask for each token again?
    """
    names = iter(special)
    marked = [[token in names for token in tokens]] * len(tokens)
    score = float((weights.double() * torch.tensor(marked)).sum() / len(tokens))
    return {**pattern_scores(weights, tokens, sentences, special), "special": score}


@misconception("pattern_scores", "pattern-scores-special-skipped")
def special_skipped(weights, tokens, sentences, special):
    """You leave special tokens out as queries.

    They are tokens like any other: they have a next and a previous one, a word, a sentence. Keep their rows.
    """
    words = torch.tensor([[float(token not in special)] for token in tokens], dtype=weights.dtype)
    place = torch.arange(len(tokens))
    tables = {
        "next": place - place[:, None] == 1,
        "previous": place[:, None] - place == 1,
        "same_word": torch.tensor([[a == b for b in tokens] for a in tokens]),
        "same_sentence": torch.tensor([[a == b for b in sentences] for a in sentences]),
        "special": torch.tensor([[key in special for key in tokens] for _ in tokens]),
    }
    return {
        name: float((weights * table * words).sum() / (table.any(-1) * words[:, 0]).sum().clamp(min=1))
        for name, table in tables.items()
    }


@misconception("pattern_scores", "pattern-scores-without-itself")
def without_itself(weights, tokens, sentences, special):
    """You leave out what a query gives to itself, in `same_word` and in `same_sentence`.

    A token is the same word as itself and is in its own sentence: the diagonal counts in both.
    """
    scores, size = pattern_scores(weights, tokens, sentences, special), len(tokens)
    for name, values in (("same_word", tokens), ("same_sentence", sentences)):
        spent = [[float(weights[i, j]) for j in range(size) if j != i and values[i] == values[j]] for i in range(size)]
        spent = [sum(row) for row in spent if row]
        scores[name] = sum(spent) / len(spent) if spent else 0.0
    return scores


@misconception("pattern_scores", "pattern-scores-word-without-itself")
def word_without_itself(weights, tokens, sentences, special):
    """You leave out what a query gives to itself in `same_word`.

    A token is the same word as itself: the diagonal counts, and no query is without such a key.
    """
    size, spent = len(tokens), []
    for i in range(size):
        row = [float(weights[i, j]) for j in range(size) if j != i and tokens[i] == tokens[j]]
        spent += [sum(row)] if row else []
    return {
        **pattern_scores(weights, tokens, sentences, special),
        "same_word": sum(spent) / len(spent) if spent else 0.0,
    }


@misconception("pattern_scores", "pattern-scores-sentence-without-itself")
def sentence_without_itself(weights, tokens, sentences, special):
    """You leave out what a query gives to itself in `same_sentence`.

    A token is in its own sentence: the diagonal counts, and no query is without such a key.
    """
    size, spent = len(tokens), []
    for i in range(size):
        row = [float(weights[i, j]) for j in range(size) if j != i and sentences[i] == sentences[j]]
        spent += [sum(row)] if row else []
    return {
        **pattern_scores(weights, tokens, sentences, special),
        "same_sentence": sum(spent) / len(spent) if spent else 0.0,
    }


@misconception("pattern_scores", "pattern-scores-repeated-words-only")
def repeated_words_only(weights, tokens, sentences, special):
    """Your score of `same_word` averages only over words that are there more than once.

    Every query has a key with its own word, namely itself, so the average is over all T queries.
    """
    rows = [i for i, token in enumerate(tokens) if tokens.count(token) > 1]
    spent = [sum(float(weights[i, j]) for j in range(len(tokens)) if tokens[i] == tokens[j]) for i in rows]
    score = sum(spent) / len(spent) if spent else 0.0
    return {**pattern_scores(weights, tokens, sentences, special), "same_word": score}


@misconception("pattern_scores", "pattern-scores-first-occurrence")
def first_occurrence(weights, tokens, sentences, special):
    """You count only the first key that has the query's word, as `tokens.index` finds it.

    A word may be there three times: go through all keys and add up the weights of all that are equal.
    """
    score = float(sum(weights[i, tokens.index(token)] for i, token in enumerate(tokens)) / len(tokens))
    return {**pattern_scores(weights, tokens, sentences, special), "same_word": score}


@misconception("pattern_scores", "pattern-scores-capitals-ignored")
def capitals_ignored(weights, tokens, sentences, special):
    """You treat words with and without a capital letter as the same.

    Tokens are compared as they are: "The" and "the" are two tokens, each with an embedding of its own.
    """
    score = pattern_scores(weights, [token.lower() for token in tokens], sentences, special)["same_word"]
    return {**pattern_scores(weights, tokens, sentences, special), "same_word": score}


@misconception("pattern_scores", "pattern-scores-sentence-against-token")
def sentence_against_token(weights, tokens, sentences, special):
    """Your score of `same_sentence` is always 0.0, as when sentence numbers are compared with tokens.

    Compare `sentences[i]` with `sentences[j]`; tokens do not matter here, and a number is never equal to a string.
    """
    return {**pattern_scores(weights, tokens, sentences, special), "same_sentence": 0.0}


@misconception("pattern_scores", "pattern-scores-sentences-as-runs")
def sentences_as_runs(weights, tokens, sentences, special):
    """You count where the sentence number changes, so a sentence that comes back is taken for a new one.

    Two tokens are in the same sentence if their numbers are equal: compare `sentences[i]` with `sentences[j]`.
    """
    numbers = torch.tensor(sentences)
    runs = (numbers != numbers.roll(1)).cumsum(dim=0).tolist()
    return pattern_scores(weights, tokens, runs, special)


@misconception("pattern_scores", "pattern-scores-sentence-of-neighbours")
def neighbours_within_a_sentence(weights, tokens, sentences, special):
    """You do not count a next or previous token that belongs to another sentence.

    Both go by position alone: the first token of a sentence comes next after the last one of the sentence before.
    """
    scores = pattern_scores(weights, tokens, sentences, special)
    inside = [i for i in range(len(tokens) - 1) if sentences[i] == sentences[i + 1]]
    scores["next"] = sum(float(weights[i, i + 1]) for i in inside) / max(len(inside), 1)
    scores["previous"] = sum(float(weights[i + 1, i]) for i in inside) / max(len(inside), 1)
    return scores


@misconception("pattern_scores", "pattern-scores-all-later")
def all_later(weights, tokens, sentences, special):
    """You count all later keys as next and all earlier ones as previous.

    Next is one key only, the one right after the query: `weights.diagonal(1)`, not `weights.triu(1)`.
    """
    scores, others = pattern_scores(weights, tokens, sentences, special), max(len(tokens) - 1, 1)
    return {
        **scores,
        "next": float(weights.triu(1).sum() / others),
        "previous": float(weights.tril(-1).sum() / others),
    }


@misconception("pattern_scores", "pattern-scores-around-the-corner")
def around_the_corner(weights, tokens, sentences, special):
    """You let the text wrap around: the last token's next one is the first.

    `roll`, `% T` and the index -1 do that. The last token has no next one and the first no previous one.
    """
    size = len(tokens)
    place = torch.arange(size)
    return {
        **pattern_scores(weights, tokens, sentences, special),
        "next": float(weights[place, (place + 1) % size].mean()),
        "previous": float(weights[place, place - 1].mean()),
    }


@misconception("pattern_scores", "pattern-scores-same-object")
def same_object(weights, tokens, sentences, special):
    """You ask whether two sentence numbers are one object, with `is`; equal large numbers need not be.

    Python keeps one object only for small numbers. Which comparison asks for the value?
    """
    apart = [number if number <= 256 else (place, number) for place, number in enumerate(sentences)]
    return pattern_scores(weights, tokens, apart, special)
