"""Pairs, picks and labels that are counted wrongly."""

import itertools

import torch

from reference.ch10_bert import next_sentence_examples
from reference.misconceptions import misconception


@misconception("next_sentence_examples", "next-sentence-all-restart")
def all_restart(documents, swap, random_pick):
    """You start counting pairs again in every document, for the pairs and for the labels.

    `swap` and `random_pick` have one entry for each pair of all documents: let one number run through them all.
    """
    places = [place for document in documents for place in range(len(document) - 1)]
    numbers = torch.tensor(places, dtype=torch.int64)
    return next_sentence_examples(documents, swap[numbers], random_pick[numbers])


@misconception("next_sentence_examples", "next-sentence-across-documents-stopped")
def across_documents_stopped(documents, swap, random_pick):
    """You pair the last sentence of a document with the first one of the next, and stop when `swap` is used up.

    They did not follow each other in any text. Look for neighbours within each document only.
    """
    everything = [sentence for document in documents for sentence in document]
    neighbours = itertools.pairwise(everything)
    chosen = zip(neighbours, swap.tolist(), random_pick.tolist(), strict=False)
    return [(first, everything[pick] if swapped else second) for (first, second), swapped, pick in chosen], ~swap


@misconception("next_sentence_examples", "next-sentence-swapped-left-out")
def swapped_left_out(documents, swap, random_pick):
    """You leave out the pairs that are swapped.

    A swapped pair is an example too: its second sentence is replaced and its label is False.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return [pair for pair, label in zip(pairs, labels.tolist(), strict=True) if label], labels[labels]


@misconception("next_sentence_examples", "next-sentence-one-label")
def all_true(documents, swap, random_pick):
    """All your labels are True.

    A label is False where `swap` is True.
    """
    return next_sentence_examples(documents, swap, random_pick)[0], torch.ones_like(swap)


@misconception("next_sentence_examples", "next-sentence-next-of-pick")
def next_of_pick(documents, swap, random_pick):
    """You take the sentence after number `random_pick[i]`.

    The second sentence is number `random_pick[i]` itself, counted from 0.
    """
    everything = [sentence for document in documents for sentence in document]
    return next_sentence_examples(documents, swap, (random_pick + 1) % len(everything))


@misconception("next_sentence_examples", "next-sentence-as-triples")
def as_triples(documents, swap, random_pick):
    """You return triples with the label inside.

    Return two things: a list of pairs, and a tensor of labels.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return [(*pair, label) for pair, label in zip(pairs, labels.tolist(), strict=True)], labels


@misconception("next_sentence_examples", "next-sentence-pairs-only")
def pairs_only(documents, swap, random_pick):
    """You return the pairs without the labels.

    Return both: `return pairs, labels`.
    """
    return next_sentence_examples(documents, swap, random_pick)[0]


@misconception("next_sentence_examples", "next-sentence-document-as-pool")
def other_document(documents, swap, random_pick):
    """You look up `random_pick` among the first sentences of the pairs.

    It is a number among all sentences, those included that end a document.
    """
    firsts = [sentence for document in documents for sentence in document[:-1]]
    everything = [sentence for document in documents for sentence in document]
    moved = [everything.index(firsts[pick % len(firsts)]) for pick in random_pick.tolist()]
    return next_sentence_examples(documents, swap, torch.tensor(moved, dtype=torch.int64))


@misconception("next_sentence_examples", "next-sentence-picks-in-turn")
def picks_in_turn(documents, swap, random_pick):
    """You use up `random_pick` only where there is a swap: its first entry goes to the first swapped pair.

    There is one entry for each pair: pair i takes `random_pick[i]`, or nothing.
    """
    numbers = (swap.long().cumsum(0) - 1).clamp(min=0)
    return next_sentence_examples(documents, swap, random_pick[numbers])


@misconception("next_sentence_examples", "next-sentence-labels-of-document")
def last_pair_missing(documents, swap, random_pick):
    """The last pair of each document is missing.

    A document of n sentences has n - 1 pairs: `range(len(document) - 1)`.
    """
    everything, pairs = [sentence for document in documents for sentence in document], []
    for document in documents:
        for first, second in itertools.pairwise(document[:-1]):
            number = len(pairs)
            pairs.append((first, everything[int(random_pick[number])] if swap[number] else second))
    return pairs, ~swap[: len(pairs)]


@misconception("next_sentence_examples", "next-sentence-labels-guessed")
def labels_guessed(documents, swap, random_pick):
    """Where there is no pair at all, your labels are not bool: torch guesses a dtype for an empty list.

    A list without entries becomes float32. Compute the labels from `swap`, or name the dtype.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return pairs, torch.tensor(labels.tolist())


@misconception("next_sentence_examples", "next-sentence-pairs-apart")
def pairs_apart(documents, swap, random_pick):
    """You cut a document into pairs that do not overlap, so every second pair of neighbours is missing.

    How many pairs of neighbours do four sentences have? A sentence that ends one pair begins the next one too.
    """
    everything, pairs = [sentence for document in documents for sentence in document], []
    for document in documents:
        each = iter(document)
        for first, second in zip(each, each):  # noqa: B905
            number = len(pairs)
            pairs.append((first, everything[int(random_pick[number])] if swap[number] else second))
    return pairs, ~swap
