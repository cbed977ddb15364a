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
    """You find a word where it is only a part of another, as `in`, `find` and `index` of a text do.

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


@misconception("encode_text", "encode-text-as-the-reviews")
def as_the_reviews(text, vocabulary):
    """Your ids are those of the reviews of chapter 7: a word's rank plus 3, and 2 for an unknown word.

    That list begins otherwise: with padding, the beginning of a review, unknown words, and a place that is not used.
    What is the place of the most frequent word in *this* list?
    """
    number = {word: rank + 3 for rank, word in enumerate(vocabulary[2:], 1)}
    return [number.get(word, 2) for word in re.findall(r"[a-z']+", text.lower())]


@misconception("encode_text", "encode-text-bisection")
def bisection(text, vocabulary):
    """You search by bisection, which needs a sorted list, but a vocabulary begins with the most frequent words.

    So known words are taken for unknown ones. Which kind of table finds a word whatever the order is?
    """
    ids = []
    for word in re.findall(r"[a-z']+", text.lower()):
        low, high = 0, len(vocabulary)
        while low < high:
            middle = (low + high) // 2
            if vocabulary[middle] < word:
                low = middle + 1
            else:
                high = middle
        found = low < len(vocabulary) and vocabulary[low] == word
        ids.append(low if found else vocabulary.index("<unk>"))
    return ids


@misconception("encode_text", "encode-text-accents-dropped")
def accents_dropped(text, vocabulary):
    """You take the accents off first, so a letter with an accent becomes part of a word.

    Only letters from a to z belong to a word, and all others separate words. What does "café" give then?
    """
    letters = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy")
    number = {word: place for place, word in enumerate(vocabulary)}
    words = re.findall(r"[a-z']+", text.lower().translate(letters))
    return [number.get(word, number["<unk>"]) for word in words]


@misconception("encode_text", "encode-text-casefold")
def with_casefold(text, vocabulary):
    """You use `casefold` in the place of `lower`: it makes letters from a to z of others, such as ss of ß.

    A letter that is not from a to z separates words. Which of the two changes nothing but capitals?
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text.casefold())]


@misconception("encode_text", "encode-text-capitals-ignored")
def capitals_ignored(text, vocabulary):
    """You look for words while capitals are ignored, not in `text.lower()`: so [a-z] finds İ and ſ as well.

    To Python İ is a kind of i, and ſ a kind of s. What is left of both where only letters from a to z count?
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    words = re.findall(r"[a-z']+", text, re.IGNORECASE)
    return [number.get(word.lower(), number["<unk>"]) for word in words]


@misconception("encode_text", "encode-text-ascii-alone")
def ascii_alone(text, vocabulary):
    """You throw away all that is not ASCII before you look for words, so what stands on both sides becomes one word.

    Whatever is no letter from a to z and no apostrophe separates words. What does "bed–room" give then?
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    words = re.findall(r"[a-z']+", text.lower().encode("ascii", "ignore").decode())
    return [number.get(word, number["<unk>"]) for word in words]


@misconception("encode_text", "encode-text-bisection-of-words")
def bisection_of_words(text, vocabulary):
    """You search the words by bisection, as if they were in alphabetical order, but the most frequent ones come first.

    So known words are taken for unknown ones. Which kind of table finds a word whatever the order is?
    """
    from bisect import bisect_left

    ids = []
    for word in re.findall(r"[a-z']+", text.lower()):
        place = bisect_left(vocabulary, word, lo=2)
        found = place < len(vocabulary) and vocabulary[place] == word
        ids.append(place if found else vocabulary.index("<unk>"))
    return ids
