"""What goes wrong in `encode_text`."""

import re

from reference.misconceptions import misconception


@misconception("encode_text", "encode-text-unknown-dropped")
def unknown_dropped(text, vocabulary):
    """You leave out the words that the vocabulary does not have.

    Their places would close up, and "not a masterpiece" would become "not a". An unknown word has the id of `"<unk>"`.
    """
    return [vocabulary.index(word) for word in re.findall(r"[a-z']+", text.lower()) if word in vocabulary]


@misconception("encode_text", "encode-text-unknown-is-padding")
def unknown_is_padding(text, vocabulary):
    """An unknown word becomes 0, the id of `"<pad>"`.

    Padding is masked out or left out: the model would never know that there was a word. Take the id of `"<unk>"`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, 0) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-raises")
def unknown_raises(text, vocabulary):
    """You look every word up as if it had to be there, so an unknown word raises an error.

    Look it up with a default: `number.get(word, number["<unk>"])`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number[word] for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-list-raises")
def unknown_list_raises(text, vocabulary):
    """You search the list for every word as if it had to be there: `vocabulary.index` raises for an unknown word.

    Check `word in vocabulary` first, or look the word up in a dictionary with `get`.
    """
    return [vocabulary.index(word) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-is-last")
def unknown_is_last(text, vocabulary):
    """An unknown word becomes `len(vocabulary)`, the number after the last id.

    A table has no row of that number. Which entry of the vocabulary stands for every word that is not in it?
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, len(vocabulary)) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-is-minus-one")
def unknown_is_minus_one(text, vocabulary):
    """An unknown word becomes -1, as `str.find` would have it.

    A table has no row of that number, or takes its last one. An unknown word has the id of `"<unk>"`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, -1) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-counted-from-one")
def counted_from_one(text, vocabulary):
    """Your ids are one too large: you count the entries from 1.

    A word's id is its place in the list, and the first place is 0, the padding's.
    """
    number = {word: place for place, word in enumerate(vocabulary, 1)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-special-forgotten")
def special_forgotten(text, vocabulary):
    """Your ids of words begin with 0, as if the two special entries were not in the list.

    They are: the first word has id 2. Take places in `vocabulary` as it is.
    """
    number = {word: place for place, word in enumerate(vocabulary[2:])}
    return [number.get(word, 1) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-special-added-twice")
def special_added_twice(text, vocabulary):
    """Your ids of known words are two too large: you make room for the special entries, which are already in the list.

    `vocabulary` begins with them, so a word's id is its place, with nothing added.
    """
    number = {word: place + 2 for place, word in enumerate(vocabulary)}
    return [number.get(word, 1) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-split")
def with_split(text, vocabulary):
    """You cut the text at its spaces, so a word with punctuation is unknown.

    Cut it exactly as for the vocabulary: `re.findall(r"[a-z']+", text.lower())`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in text.lower().split()]


@misconception("encode_text", "encode-text-capitals-cut")
def capitals_cut(text, vocabulary):
    """You do not make the text lower case first, so capitals are cut off the words.

    `[a-z']+` finds only small letters: "Film" gives `ilm`, which is unknown. Search in `text.lower()`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text)]


@misconception("encode_text", "encode-text-capitals-kept")
def capitals_kept(text, vocabulary):
    """You keep capitals, so a word at the beginning of a sentence is unknown.

    The vocabulary has small letters only. Search in `text.lower()`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[A-Za-z']+", text)]


@misconception("encode_text", "encode-text-no-apostrophe")
def no_apostrophe(text, vocabulary):
    """You cut words at their apostrophes: "don't" becomes `don` and `t`.

    The vocabulary has `don't` as one word. The apostrophe is inside the brackets: `[a-z']+`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z]+", text.lower())]


@misconception("encode_text", "encode-text-word-characters")
def word_characters(text, vocabulary):
    r"""You treat digits as letters, as `\w` and `isalnum` do.

    Cut the text exactly as for the vocabulary: `re.findall(r"[a-z']+", text.lower())`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[\w']+", text.lower())]


@misconception("encode_text", "encode-text-one-hot-order")
def each_word_once(text, vocabulary):
    """Your ids are those of the distinct words, each of them once.

    A text is a sequence: a word that occurs twice has its id twice, in the order of the text.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    words = dict.fromkeys(re.findall(r"[a-z']+", text.lower()))
    return [number.get(word, number["<unk>"]) for word in words]


@misconception("encode_text", "encode-text-sorted")
def in_sorted_order(text, vocabulary):
    """Your ids are sorted: they have lost the order of the words.

    That is a bag of words. Go through the text from left to right and keep that order.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return sorted(number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text.lower()))


@misconception("encode_text", "encode-text-split", "encode-text-capitals-kept")
def split_and_capitals(text, vocabulary):
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in text.split()]
