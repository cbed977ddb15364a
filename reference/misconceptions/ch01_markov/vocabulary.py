"""What goes wrong in `vocabulary`."""

from reference.ch01_markov import (
    vocabulary,
)
from reference.misconceptions import misconception


@misconception("vocabulary", "vocabulary-first-seen")
def in_order_of_appearance(sentences):
    """Your words are in the order of their first appearance, not sorted.

    Sort the distinct words at the end: then a word's number does not depend on which sentence comes first.
    """
    return list(dict.fromkeys(word for sentence in sentences for word in sentence))


@misconception("vocabulary", "vocabulary-duplicates")
def with_duplicates(sentences):
    """Your vocabulary lists a word as often as it occurs.

    Collect the words in a set before sorting: a word needs one number, and V counts distinct words.
    """
    return sorted(word for sentence in sentences for word in sentence)


@misconception("vocabulary", "vocabulary-by-frequency")
def by_frequency(sentences):
    """Your words are sorted by how often they occur, not alphabetically.

    Give the words themselves to `sorted`. By frequency, the numbers would change with every sentence you add.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(dict.fromkeys(words), key=lambda word: -words.count(word))


@misconception("vocabulary", "vocabulary-lower-case")
def lower_case(sentences):
    """You made all words lower case.

    Keep the words as they are: "Ran" and "ran" are two words, and `one_hot` will look for both.
    """
    return sorted({word.lower() for sentence in sentences for word in sentence})


@misconception("vocabulary", "vocabulary-sorted-without-case")
def sorted_without_case(sentences):
    """Your words are sorted as if capitals were small letters.

    Use `sorted` without a key: Python's own order puts all capitals before the small letters.
    """
    return sorted({word for sentence in sentences for word in sentence}, key=lambda word: (word.lower(), word))


@misconception("vocabulary", "vocabulary-first-seen", "vocabulary-duplicates")
def every_word_as_it_comes(sentences):
    return [word for sentence in sentences for word in sentence]


@misconception("vocabulary", "vocabulary-unsorted")
def in_no_order(sentences):
    """Your words come in the order of a set, which differs from run to run.

    Sort the set, `sorted(words)`: a word's number should be the same in every run.
    """
    return list({word for sentence in sentences for word in sentence})


@misconception("vocabulary", "vocabulary-distinct-per-sentence")
def distinct_per_sentence(sentences):
    """Your vocabulary lists a word once for each sentence that holds it.

    Collect the words of all sentences in one set; a set per sentence does not know the others.
    """
    return sorted(word for sentence in sentences for word in set(sentence))


@misconception("vocabulary", "vocabulary-sorted-per-sentence")
def sorted_per_sentence(sentences):
    """You sorted the words of each sentence by themselves, not the whole vocabulary.

    Collect the words of all sentences first, and sort once at the end.
    """
    return list(dict.fromkeys(word for sentence in sentences for word in sorted(sentence)))


@misconception("vocabulary", "vocabulary-last-sentence-only")
def last_sentence_only(sentences):
    """Your vocabulary holds the words of the last sentence alone.

    Make the set once, before the loop over the sentences, and add to it in the loop.
    """
    return vocabulary(sentences[-1:])


@misconception("vocabulary", "vocabulary-first-sentence-only")
def first_sentence_only(sentences):
    """Your vocabulary holds the words of the first sentence alone.

    Collect from all sentences before you return: `return` belongs after the loop.
    """
    return vocabulary(sentences[:1])


@misconception("vocabulary", "vocabulary-letters")
def letters(sentences):
    """Your vocabulary holds letters, not words.

    A sentence is a list of words already: add the words themselves; a loop over a word runs over its letters.
    """
    return sorted({letter for sentence in sentences for word in sentence for letter in word})


@misconception("vocabulary", "vocabulary-reversed")
def reversed_order(sentences):
    """Your words are in reverse order.

    Sort from small to large: `sorted(words)`, without `reverse`.
    """
    return vocabulary(sentences)[::-1]


@misconception("vocabulary", "vocabulary-by-length")
def by_length(sentences):
    """Your words are sorted by their length first.

    Give the words themselves to `sorted`, without a key.
    """
    return sorted(vocabulary(sentences), key=len)


@misconception("vocabulary", "vocabulary-repeated-words-only")
def repeated_words_only(sentences):
    """You left out the words that occur only once.

    Every word that occurs needs a number, however rare it is.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted({word for word in words if words.count(word) > 1})


@misconception("vocabulary", "vocabulary-rare-words-only")
def words_that_occur_once(sentences):
    """You kept only the words that occur once.

    Distinct means each word once in the list, not words that occur once in the text.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted({word for word in words if words.count(word) == 1})


@misconception("vocabulary", "vocabulary-common-words-only")
def words_of_every_sentence(sentences):
    """You kept only the words that all sentences have in common.

    Unite the sentences' words, `|`; `&` keeps what each of them holds.
    """
    return sorted(set.intersection(*map(set, sentences)))


@misconception("vocabulary", "vocabulary-special-words")
def with_a_special_word(sentences):
    """You added a word for unknown words that no sentence holds.

    The vocabulary here is the words of the sentences and nothing else.
    """
    return ["<unk>", *vocabulary(sentences)]


@misconception("vocabulary", "vocabulary-last-words-lost")
def last_words_lost(sentences):
    """You left out the last word of each sentence.

    Take all words: `for word in sentence`.
    """
    return vocabulary([sentence[:-1] for sentence in sentences])


@misconception("vocabulary", "vocabulary-first-sentence-empty")
def fails_on_an_empty_sentence(sentences):
    """Your code fails on a sentence without words.

    A sentence may be empty: ask no sentence for its first or last word.
    """
    return sorted({sentence[0] for sentence in sentences} | {word for sentence in sentences for word in sentence})


@misconception("vocabulary", "vocabulary-letters-only")
def letters_only(sentences):
    """You left out words that hold something other than letters, such as "don't" and "7".

    A word is whatever stands in the list. Which of your lines judges what a word looks like?
    """
    return vocabulary([[word for word in sentence if word.isalpha()] for sentence in sentences])


@misconception("vocabulary", "vocabulary-without-marks")
def without_marks(sentences):
    """You removed marks such as ' and - from the words.

    A word is whatever stands in the list: leave each one as it is.
    """
    return vocabulary([["".join(filter(str.isalnum, word)) for word in sentence] for sentence in sentences])


@misconception("vocabulary", "vocabulary-split-at-spaces")
def split_at_spaces(sentences):
    """You split words at spaces, so a word that holds a space becomes two.

    The words are in lists already, and a word may be any text. What does splitting them gain?
    """
    return sorted(set(" ".join(" ".join(sentence) for sentence in sentences).split()))


@misconception("vocabulary", "vocabulary-composed")
def in_composed_form(sentences):
    """You bring the words into Unicode's composed form, so that different texts that look alike become one word.

    A word may be any text, and it comes back as it is: its form was decided when the text was split into words.
    """
    import unicodedata

    return sorted({unicodedata.normalize("NFC", word) for sentence in sentences for word in sentence})
