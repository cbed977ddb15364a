"""Vocabularies in another order by frequency than the plain one."""

from reference.misconceptions import misconception


@misconception("vocabulary", "vocabulary-by-frequency-then-alphabet")
def by_frequency_then_alphabet(sentences):
    """Your most frequent words come first, and only equally frequent ones are in the order of the alphabet.

    How often a word occurs plays no part here: compare the words themselves, and nothing else.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(set(words), key=lambda word: (-words.count(word), word))


@misconception("vocabulary", "vocabulary-rarest-first")
def rarest_first(sentences):
    """Your rarest words come first.

    How often a word occurs plays no part here: compare the words themselves, and nothing else.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(dict.fromkeys(words), key=words.count)


@misconception("vocabulary", "vocabulary-rarest-first-then-alphabet")
def rarest_first_then_alphabet(sentences):
    """Your rarest words come first, and only equally frequent ones are in the order of the alphabet.

    How often a word occurs plays no part here: compare the words themselves, and nothing else.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(set(words), key=lambda word: (words.count(word), word))


@misconception("vocabulary", "vocabulary-by-frequency-backwards")
def by_frequency_backwards(sentences):
    """Your most frequent words come first, and equally frequent ones in the reverse order of the alphabet.

    `reverse=True` turns both round. How often a word occurs plays no part here: compare the words themselves.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(set(words), key=lambda word: (words.count(word), word), reverse=True)


@misconception("vocabulary", "vocabulary-neighbours-only")
def only_neighbouring_repeats_dropped(sentences):
    """A word that occurs at places apart stays in your list several times: only neighbouring repeats are dropped.

    `groupby` joins neighbours alone. Are equal words neighbours before you sort, or after?
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(word for place, word in enumerate(words) if place == 0 or word != words[place - 1])
