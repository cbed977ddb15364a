"""What goes wrong in `word_vocabulary`: which words stay, and the form of the answer."""

import re
from collections import Counter

from reference.ch15_capstones import word_vocabulary
from reference.misconceptions import misconception


@misconception("word_vocabulary", "word-vocabulary-filled-up")
def filled_up(texts, size):
    """You fill the list up to `size` entries where there are fewer words.

    Return fewer: no entry occurs twice.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    entries = ["<pad>", "<unk>", *words[: size - 2]]
    return entries + ["<pad>"] * (size - len(entries))


@misconception("word_vocabulary", "word-vocabulary-short-words-dropped")
def short_words_dropped(texts, size):
    """You leave out words of a single letter.

    "a" and "i" are words, and so is whatever else `re.findall` finds.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *[word for word in words if len(word) > 1][: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-once-dropped")
def once_dropped(texts, size):
    """You leave out words that occur only once.

    Only `size` limits the list; a word that occurs once stays if there is room.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *[word for word in words if counts[word] > 1][: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-tuple")
def a_tuple(texts, size):
    """You return a tuple instead of a list.

    Return a list: `["<pad>", "<unk>", *words]`.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ("<pad>", "<unk>", *words[: size - 2])


@misconception("word_vocabulary", "word-vocabulary-apostrophes-stripped")
def apostrophes_stripped(texts, size):
    """You take off apostrophes at the ends of words.

    An apostrophe belongs to the word wherever it is. Take what `re.findall` finds.
    """
    counts = Counter(word.strip("'") for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-texts-overwritten")
def texts_overwritten(texts, size):
    """You change the caller's list of texts.

    `texts[i] = ...` writes into a list that is not yours. Use a new name.
    """
    entries = word_vocabulary(texts, size)
    texts[:] = [text.lower() for text in texts]
    return entries


@misconception("word_vocabulary", "word-vocabulary-size-two")
def all_for_size_two(texts, size):
    """With a `size` of 2 your list has words too.

    `size` counts the special entries: 2 leaves room for none. `words[: size - 2]` gives none then.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *(words[: size - 2] if size > 2 else words)]


@misconception("word_vocabulary", "word-vocabulary-dictionary")
def a_dictionary(texts, size):
    """You return a dictionary instead of a list.

    An id is a place in the list; the numbers need not be written down.
    """
    return {word: place for place, word in enumerate(word_vocabulary(texts, size))}


@misconception("word_vocabulary", "word-vocabulary-counts")
def with_counts(texts, size):
    """You return the words together with their counts.

    Keep the word of each pair: `[word for word, count in pairs]`.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *[(word, counts[word]) for word in words[: size - 2]]]


@misconception("word_vocabulary", "word-vocabulary-one-more")
def one_word_more(texts, size):
    """Your list has one entry too many, as if only one of the two special entries counted.

    `"<pad>"` and `"<unk>"` both count: `size - 2` words fit.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 1]]


@misconception("word_vocabulary", "word-vocabulary-one-fewer")
def one_word_fewer(texts, size):
    """Your list has one entry too few.

    `size - 2` words fit beside the two special entries.
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: max(size - 3, 0)]]


@misconception("word_vocabulary", "word-vocabulary-all-letters")
def all_letters(texts, size):
    """You take letters of other alphabets and letters with accents for letters, as `isalpha` does.

    In this chapter a word has the letters from a to z and apostrophes, and nothing else. What does "café" give then?
    """
    counts = Counter(word for text in texts for word in re.findall(r"(?:[^\W\d_]|')+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-accents-dropped")
def accents_dropped(texts, size):
    """You take the accents off first, so a letter with an accent becomes part of a word.

    Only letters from a to z belong to a word, and all others separate words. What does "café" give then?
    """
    letters = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy")
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower().translate(letters)))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-casefold")
def with_casefold(texts, size):
    """You use `casefold` in the place of `lower`: it makes letters from a to z of others, such as ss of ß.

    A letter that is not from a to z separates words. Which of the two changes nothing but capitals?
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.casefold()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-capitals-ignored")
def capitals_ignored(texts, size):
    """You look for words while capitals are ignored, not in `text.lower()`: so [a-z] finds İ and ſ as well.

    To Python İ is a kind of i, and ſ a kind of s. What is left of both where only letters from a to z count?
    """
    found = [re.findall(r"[a-z']+", text, re.IGNORECASE) for text in texts]
    counts = Counter(word.lower() for each in found for word in each)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-counts-as-text")
def counts_as_text(texts, size):
    """You compare counts as texts, and there 9 is larger than 10.

    Counts are compared as numbers as long as they stay such. What can `sorted` compare beside texts?
    """
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(sorted(counts), key=lambda word: str(counts[word]), reverse=True)
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-ascii-alone")
def ascii_alone(texts, size):
    """You throw away all that is not ASCII before you look for words, so what stands on both sides becomes one word.

    Whatever is no letter from a to z and no apostrophe separates words. What does "bed–room" give then?
    """
    plain = [text.lower().encode("ascii", "ignore").decode() for text in texts]
    counts = Counter(word for text in plain for word in re.findall(r"[a-z']+", text))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]


@misconception("word_vocabulary", "word-vocabulary-ascii-without-accents")
def ascii_without_accents(texts, size):
    """You take the accents off and throw away all that is still not ASCII, so words come out that no text has.

    Whatever is no letter from a to z and no apostrophe separates words. What does "café–bar" give then?
    """
    letters = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy")
    plain = [text.lower().translate(letters).encode("ascii", "ignore").decode() for text in texts]
    counts = Counter(word for text in plain for word in re.findall(r"[a-z']+", text))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]
