"""What goes wrong in `next_sentence_examples`."""

import itertools

import torch

from reference.ch10_bert import next_sentence_examples
from reference.misconceptions import misconception


@misconception("next_sentence_examples", "next-sentence-across-documents")
def across_documents(documents, swap, random_pick):
    """You run out of `swap`: your count goes on at the last sentence of a document, which begins no pair.

    How many pairs of neighbours does a document of three sentences have? Only these have a place in `swap`.
    """
    everything = [sentence for document in documents for sentence in document]
    pairs = []
    for number in range(len(everything) - 1):
        second = everything[random_pick[number]] if swap[number] else everything[number + 1]
        pairs.append((everything[number], second))
    return pairs, ~swap


@misconception("next_sentence_examples", "next-sentence-across-documents-cut")
def across_documents_cut(documents, swap, random_pick):
    """You pair sentences across the ends of documents, and the last real pairs find no `swap` any more.

    Look for neighbours within each document only: then there are as many as `swap` has entries.
    """
    everything = [sentence for document in documents for sentence in document]
    return next_sentence_examples([everything[: len(swap) + 1]], swap, random_pick.clamp(max=len(swap)))


@misconception("next_sentence_examples", "next-sentence-labels-inverted")
def labels_inverted(documents, swap, random_pick):
    """Your labels are inverted: True where the second sentence was replaced.

    True means that the second sentence really came next: the labels are `~swap`.
    """
    return next_sentence_examples(documents, swap, random_pick)[0], swap.clone()


@misconception("next_sentence_examples", "next-sentence-swap-inverted")
def swap_inverted(documents, swap, random_pick):
    """You replace the second sentence where `swap` is False, and keep it where it is True.

    `swap[i]` True means: another sentence takes second place in pair i.
    """
    return next_sentence_examples(documents, ~swap, random_pick)[0], ~swap


@misconception("next_sentence_examples", "next-sentence-all-inverted")
def all_inverted(documents, swap, random_pick):
    """You read `swap` the wrong way round, for the pairs and for the labels.

    `swap[i]` True means: another sentence takes second place in pair i, and its label is False.
    """
    return next_sentence_examples(documents, ~swap, random_pick)


@misconception("next_sentence_examples", "next-sentence-never-swapped")
def never_swapped(documents, swap, random_pick):
    """All your pairs are real neighbours, whatever `swap` says.

    Where `swap[i]` is True the second sentence of pair i is number `random_pick[i]` of all sentences.
    """
    return next_sentence_examples(documents, torch.zeros_like(swap), random_pick)[0], ~swap


@misconception("next_sentence_examples", "next-sentence-always-swapped")
def always_swapped(documents, swap, random_pick):
    """All your second sentences are picked at random, whatever `swap` says.

    Where `swap[i]` is False pair i stays as it was in the document.
    """
    return next_sentence_examples(documents, torch.ones_like(swap), random_pick)[0], ~swap


@misconception("next_sentence_examples", "next-sentence-replaces-first")
def replaces_first(documents, swap, random_pick):
    """You replace the first sentence of a pair instead of the second.

    The question is what comes next: the first one stays, the second one is replaced.
    """
    everything = [sentence for document in documents for sentence in document]
    neighbours = [document[place : place + 2] for document in documents for place in range(len(document) - 1)]
    pairs = [
        (everything[pick] if swapped else first, second)
        for (first, second), swapped, pick in zip(neighbours, swap.tolist(), random_pick.tolist(), strict=True)
    ]
    return pairs, ~swap


@misconception("next_sentence_examples", "next-sentence-within-the-document")
def within_the_document(documents, swap, random_pick):
    """You look up `random_pick` among the sentences of the pair's own document.

    It is a number among all sentences of all documents: make one flat list of them first.
    """
    pairs = []
    for document in documents:
        for place in range(len(document) - 1):
            number = len(pairs)
            second = document[random_pick[number]] if swap[number] else document[place + 1]
            pairs.append((document[place], second))
    return pairs, ~swap


@misconception("next_sentence_examples", "next-sentence-pick-among-seconds")
def pick_among_seconds(documents, swap, random_pick):
    """You look up `random_pick` among the second sentences of the pairs.

    It is a number among all sentences, those included that begin a document.
    """
    seconds = [sentence for document in documents for sentence in document[1:]]
    everything = [sentence for document in documents for sentence in document]
    moved = [everything.index(seconds[pick % len(seconds)]) for pick in random_pick.tolist()]
    return next_sentence_examples(documents, swap, torch.tensor(moved, dtype=torch.int64))


@misconception("next_sentence_examples", "next-sentence-from-one")
def from_one(documents, swap, random_pick):
    """You number the sentences from 1.

    Number 0 is the first sentence of the first document.
    """
    return next_sentence_examples(documents, swap, random_pick - 1)


@misconception("next_sentence_examples", "next-sentence-number-restarts")
def number_restarts(documents, swap, random_pick):
    """You start counting pairs again in every document, and so use the first entries of `swap` again and again.

    `swap` and `random_pick` have one entry for each pair of all documents: let one number run through them all.
    """
    places = [place for document in documents for place in range(len(document) - 1)]
    numbers = torch.tensor(places, dtype=torch.int64)
    pairs, _ = next_sentence_examples(documents, swap[numbers], random_pick[numbers])
    return pairs, ~swap


@misconception("next_sentence_examples", "next-sentence-label-of-outcome")
def label_of_outcome(documents, swap, random_pick):
    """You label a pair True if chance has picked the very sentence that came next.

    A label is False exactly where `swap` is True: it says what was done, not what the result was.
    """
    pairs, _ = next_sentence_examples(documents, swap, random_pick)
    true, _ = next_sentence_examples(documents, torch.zeros_like(swap), random_pick)
    return pairs, torch.tensor([one == other for one, other in zip(pairs, true, strict=True)], dtype=torch.bool)


@misconception("next_sentence_examples", "next-sentence-every-other")
def every_other(documents, swap, random_pick):
    """You move on by two sentences: a sentence that was second is never first.

    Use all neighbours: a document of n sentences has n - 1 pairs.
    """
    split = [document[place : place + 2] for document in documents for place in range(0, len(document) - 1, 2)]
    everything = [sentence for document in documents for sentence in document]
    pairs = [
        (first, everything[pick] if swapped else second)
        for (first, second), swapped, pick in zip(split, swap.tolist(), random_pick.tolist(), strict=False)
    ]
    return pairs, ~swap[: len(pairs)]


@misconception("next_sentence_examples", "next-sentence-both-kinds")
def both_kinds(documents, swap, random_pick):
    """You keep the true pair and add the swapped one to it, so there are more than N pairs.

    Where `swap[i]` is True the second sentence is replaced: one pair for each two neighbours.
    """
    true, _ = next_sentence_examples(documents, torch.zeros_like(swap), random_pick)
    pairs, _ = next_sentence_examples(documents, swap, random_pick)
    both = [kind for one, other in zip(true, pairs, strict=True) for kind in dict.fromkeys([one, other])]
    return both, torch.tensor([pair in true for pair in both], dtype=torch.bool)


@misconception("next_sentence_examples", "next-sentence-turned-round")
def turned_round(documents, swap, random_pick):
    """Your pairs are (second, first).

    The first sentence comes first: (first, what follows it).
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return [(second, first) for first, second in pairs], labels


@misconception("next_sentence_examples", "next-sentence-lists")
def lists(documents, swap, random_pick):
    """Your pairs are lists.

    Return a list of tuples: `(first, second)`.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return [list(pair) for pair in pairs], labels


@misconception("next_sentence_examples", "next-sentence-labels-as-numbers")
def labels_as_numbers(documents, swap, random_pick):
    """Your labels are 0 and 1 as whole numbers.

    Return a boolean tensor: `~swap` is one.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return pairs, labels.long()


@misconception("next_sentence_examples", "next-sentence-labels-as-floats")
def labels_as_floats(documents, swap, random_pick):
    """Your labels are floating-point numbers.

    Return a boolean tensor: `~swap` is one.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return pairs, labels.to(torch.get_default_dtype())


@misconception("next_sentence_examples", "next-sentence-labels-as-list")
def labels_as_list(documents, swap, random_pick):
    """Your labels are a list.

    Return a boolean tensor: `~swap` is one, and `torch.tensor` makes one of a list of True and False.
    """
    pairs, labels = next_sentence_examples(documents, swap, random_pick)
    return pairs, labels.tolist()


@misconception("next_sentence_examples", "next-sentence-numbers-without-repeats")
def numbers_without_repeats(documents, swap, random_pick):
    """You number each sentence once, even if it occurs again.

    `random_pick` counts places: make a flat list of all sentences, and do not drop what comes twice.
    """
    everything = list(dict.fromkeys(sentence for document in documents for sentence in document))
    pairs, _ = next_sentence_examples(documents, torch.zeros_like(swap), random_pick)
    swapped = [
        (first, everything[pick] if swapped else second)
        for (first, second), swapped, pick in zip(pairs, swap.tolist(), random_pick.tolist(), strict=True)
    ]
    return swapped, ~swap


@misconception("next_sentence_examples", "next-sentence-looked-up")
def looked_up(documents, swap, random_pick):
    """You look for the place of a sentence by `index`, and find the first of two equal ones.

    Count along: `itertools.pairwise(document)`, or `document[t]` and `document[t + 1]`.
    """
    everything = [sentence for document in documents for sentence in document]
    pairs = []
    for document in documents:
        for sentence in document[:-1]:
            second = document[document.index(sentence) + 1]
            number = len(pairs)
            pairs.append((sentence, everything[random_pick[number]] if swap[number] else second))
    return pairs, ~swap


@misconception("next_sentence_examples", "next-sentence-skips-equal")
def skips_equal(documents, swap, random_pick):
    """You leave out a pair whose sentences are equal.

    A text may say the same thing twice: all neighbours within a document are pairs.
    """
    everything = [sentence for document in documents for sentence in document]
    pairs = []
    for document in documents:
        for first, second in itertools.pairwise(document):
            number = len(pairs)
            if first != second:
                pairs.append((first, everything[random_pick[number]] if swap[number] else second))
    return pairs, ~swap[: len(pairs)]


@misconception("next_sentence_examples", "next-sentence-never-the-true-one")
def never_the_true_one(documents, swap, random_pick):
    """Where chance picks the very sentence that came next, you take another one.

    The second sentence is number `random_pick[i]`, whichever that is; the label is still False.
    """
    everything = [sentence for document in documents for sentence in document]
    pairs, _ = next_sentence_examples(documents, torch.zeros_like(swap), random_pick)
    picks = [
        (pick + 1) % len(everything) if everything[pick] == second else pick
        for (_, second), pick in zip(pairs, random_pick.tolist(), strict=True)
    ]
    return next_sentence_examples(documents, swap, torch.tensor(picks, dtype=torch.int64))


@misconception("next_sentence_examples", "next-sentence-replacement-stays")
def replacement_stays(documents, swap, random_pick):
    """A replaced sentence stays: the next pair begins with it, not with the sentence of the document.

    Only the second sentence of a pair is replaced. The next pair begins with what really stands in the document.
    """
    everything = [sentence for document in documents for sentence in document]
    pairs = []
    for document in documents:
        first = document[0] if document else ""
        for second in document[1:]:
            number = len(pairs)
            pairs.append((first, everything[int(random_pick[number])] if swap[number] else second))
            first = pairs[-1][1]
    return pairs, ~swap
