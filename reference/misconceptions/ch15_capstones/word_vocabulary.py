"""What goes wrong in `word_vocabulary`."""

import re
from collections import Counter

from reference.misconceptions import misconception


@misconception("word_vocabulary", "word-vocabulary-split")
def with_split(texts, size):
    """You cut the texts at their spaces, so punctuation sticks to the words.

    `film`, `film.` and `film!` would get three ids. Take what `re.findall(r"[a-z']+", text.lower())` finds.
    """
    counts = Counter(word for text in texts for word in text.lower().split())
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-capitals-cut")
def capitals_cut(texts, size):
    """You do not make the text lower case first, so capitals are cut off the words.

    `[a-z']+` finds only small letters: "Film" gives `ilm`. Search in `text.lower()`.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-capitals-kept")
def capitals_kept(texts, size):
    """You keep capitals, so "Film" and "film" become two words.

    The first word of a sentence would have an id of its own. Search in `text.lower()`.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[A-Za-z']+", text))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-no-apostrophe")
def no_apostrophe(texts, size):
    """You cut words at their apostrophes: "don't" becomes `don` and `t`.

    The apostrophe belongs to the word. It is inside the brackets: `[a-z']+`.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-word-characters")
def word_characters(texts, size):
    r"""You treat digits and underscores as letters, as `\w` does.

    Here a word has letters from a to z and apostrophes only: `[a-z']+`. A number separates words.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[\w']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-ties-as-they-come")
def ties_as_they_come(texts, size):
    """Words that occur equally often are in the order in which they first appear; `most_common` does so too.

    The ids would depend on the order of the texts. Sort by the pair (minus the count, the word).
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    return ["<pad>", "<unk>", *(word for word, _ in counts.most_common(size - 2))]


@misconception("word_vocabulary", "word-vocabulary-ties-reversed")
def ties_reversed(texts, size):
    """Words that occur equally often are in reverse alphabetical order.

    `reverse=True` reverses both parts of the key. Sort in ascending order, by (minus the count, the word).
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (counts[word], word), reverse=True)
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-rarest-first")
def rarest_first(texts, size):
    """Your list begins with the rarest words.

    `sorted` puts small numbers first. Sort by minus the count, so that the limit cuts off the rare words and not the
    frequent ones.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-alphabet-first")
def alphabet_first(texts, size):
    """All your words are in alphabetical order.

    The most frequent word comes first: the alphabet decides only between words that occur equally often.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *sorted(words[: size - 2])]


@misconception("word_vocabulary", "word-vocabulary-alphabet-before-the-cut")
def alphabet_before_the_cut(texts, size):
    """You cut off the end of the alphabet instead of the rarest words.

    The frequency of a word must decide whether it stays, and where. Count, then sort by the counts.
    """
    words = sorted({word for text in texts for word in re.findall(r"[a-z']+", text.lower())})
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-in-order-of-appearance")
def in_order_of_appearance(texts, size):
    """Your words are in the order of their first appearance.

    Count them, and let the most frequent one come first.
    """
    words = dict.fromkeys(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    return ["<pad>", "<unk>", *list(words)[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-size-without-special")
def size_without_special(texts, size):
    """You take `size` words, and add the two special entries.

    `size` is the length of the whole list: a table for the ids has that many rows. `size - 2` words fit.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[:size]]


@misconception("word_vocabulary", "word-vocabulary-no-special")
def no_special(texts, size):
    """The two special entries are missing: your list has words only.

    It begins with `"<pad>"` and `"<unk>"`, and `size` counts both.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    return sorted(counts, key=lambda word: (-counts[word], word))[:size]


@misconception("word_vocabulary", "word-vocabulary-special-last")
def special_last(texts, size):
    """Your special entries come last.

    At the front their ids are 0 and 1 with any texts and any size. At the end they would move.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return [*words[: size - 2], "<pad>", "<unk>"]


@misconception("word_vocabulary", "word-vocabulary-special-swapped")
def special_swapped(texts, size):
    """Your list begins with `"<unk>"`, and `"<pad>"` comes second.

    Padding has id 0 throughout the course, so `"<pad>"` comes first.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<unk>", "<pad>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-texts-counted")
def texts_counted(texts, size):
    """You count in how many texts a word occurs, not how often.

    A set keeps each word of a text once. Count every occurrence.
    """
    counts = Counter(word for text in texts for word in set(re.findall(r"[a-z']+", text.lower())))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-first-text-only")
def first_text_only(texts, size):
    """You count the words of one text only.

    All texts share one vocabulary: go through every one of them before you sort.
    """
    counts = Counter(word for text in texts[:1] for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-glued-texts")
def glued_texts(texts, size):
    """You join the texts with nothing between them: the last word of one runs into the first word of the next.

    Join with a space, or go through the texts one by one.
    """
    counts = Counter(re.findall(r"[a-z']+", "".join(texts).lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-characters")
def characters(texts, size):
    """Your entries are single characters: the pattern has no `+`, or `Counter.update` counts a word's letters.

    The pattern is `[a-z']+`, one letter or more. `update` counts whatever it goes through: is that a list of words?
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-split", "word-vocabulary-capitals-kept")
def split_and_capitals(texts, size):
    counts = Counter(word for text in texts for word in text.split())
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-split", "word-vocabulary-ties-as-they-come")
def split_and_ties(texts, size):
    counts = Counter(word for text in texts for word in text.lower().split())
    return ["<pad>", "<unk>", *(word for word, _ in counts.most_common(size - 2))]
