"""What goes wrong in `encode_text`: unknown words and the form of the answer."""

import re

import torch

from reference.misconceptions import misconception


@misconception("encode_text", "encode-text-unknown-is-two")
def unknown_is_two(text, vocabulary):
    """An unknown word becomes 2, the id of the most frequent word.

    Ids 0 and 1 are the special entries: an unknown word has the id of `"<unk>"`, 1.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, 2) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-is-text")
def unknown_is_text(text, vocabulary):
    """An unknown word becomes the text `"<unk>"`, not its id.

    Look the entry up as well: `number["<unk>"]`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, "<unk>") for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-unknown-is-none")
def unknown_is_none(text, vocabulary):
    """An unknown word becomes None.

    `get` needs a default: `number.get(word, number["<unk>"])`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-vocabulary-grows")
def vocabulary_grows(text, vocabulary):
    """You add unknown words to the vocabulary.

    The list is the caller's, and a model has no row for new ids. An unknown word has the id of `"<unk>"`.
    """
    for word in re.findall(r"[a-z']+", text.lower()):
        if word not in vocabulary:
            vocabulary.append(word)
    return [vocabulary.index(word) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-tensor")
def as_a_tensor(text, vocabulary):
    """You return a tensor instead of a list.

    Ids are a list of `int` here. `torch.tensor` comes later, when texts are put into a batch.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return torch.tensor([number.get(word, 1) for word in re.findall(r"[a-z']+", text.lower())])


@misconception("encode_text", "encode-text-words")
def words_returned(text, vocabulary):
    """You return the words, not their ids.

    Look each word up: its place in the vocabulary is its id.
    """
    return re.findall(r"[a-z']+", text.lower())


@misconception("encode_text", "encode-text-part-of-a-word")
def part_of_a_word(text, vocabulary):
    """You find a word where it is only a part of another: you compare with `in` on texts.

    `"art" in "party"` is True. Compare whole entries: `word == entry`.
    """
    return [
        next((n for n, entry in enumerate(vocabulary) if word in entry), 1)
        for word in re.findall(r"[a-z']+", text.lower())
    ]


@misconception("encode_text", "encode-text-empty-words")
def empty_words(text, vocabulary):
    """You count empty words where the text is split: at its beginning, or at its end.

    `re.split` gives empty texts there. Use `re.findall`, which finds words only.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, 1) for word in re.split(r"[^a-z']+", text.lower())]


@misconception("encode_text", "encode-text-empty-is-unknown")
def empty_is_unknown(text, vocabulary):
    """An empty text has an id in your answer.

    Where there is no word there is no id: return `[]`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, 1) for word in re.findall(r"[a-z']+", text.lower()) or ["?"]]


@misconception("encode_text", "encode-text-letters")
def letters(text, vocabulary):
    """Your ids are those of single letters: without the `+` the pattern finds one letter at a time.

    A word is one or more letters: `[a-z']+`.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(letter, 1) for letter in re.findall(r"[a-z']", text.lower())]


@misconception("encode_text", "encode-text-punctuation-deleted")
def punctuation_deleted(text, vocabulary):
    """You delete punctuation and split at spaces, so a hyphen joins two words, and an apostrophe is gone from its word.

    `well-made` has two words and `don't` is one, apostrophe included: find the words, as for the vocabulary, instead of
    deleting what is between them.
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, 1) for word in re.sub(r"[^a-z0-9\s]", "", text.lower()).split()]


@misconception("encode_text", "encode-text-all-letters")
def all_letters(text, vocabulary):
    """You take letters of other alphabets and letters with accents for letters, as `isalpha` does.

    In this chapter a word has the letters from a to z and apostrophes, and nothing else. What does "café" give then?
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"(?:[^\W\d_]|')+", text.lower())]
