"""What goes wrong in `vocabulary`."""

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
