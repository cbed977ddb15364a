"""What goes wrong in `apply_merges`."""

from itertools import pairwise

from reference.ch15_capstones import merge_pair
from reference.misconceptions import misconception


@misconception("apply_merges", "apply-merges-longest-match")
def longest_match(word, merges):
    """You cut the word from the left into the longest pieces that were ever learned.

    The merges have an order. Apply one after the other, the first one first.
    """
    known, pieces, place = {"".join(pair) for pair in merges}, [], 0
    while place < len(word):
        size = max(n for n in range(1, len(word) - place + 1) if n == 1 or word[place : place + n] in known)
        pieces.append(word[place : place + size])
        place += size
    return pieces


@misconception("apply_merges", "apply-merges-last-first")
def last_first(word, merges):
    """You do not apply the merges one after the other from first to last, but in reverse, or all in one pass.

    With (b, c) learned before (a, b), what becomes of "abc"? A later merge joins what earlier ones have made.
    """
    symbols = tuple(word)
    for pair in reversed(merges):
        symbols = merge_pair(symbols, pair)
    return list(symbols)


@misconception("apply_merges", "apply-merges-sorted")
def in_sorted_order(word, merges):
    """You apply the merges in sorted order.

    They are given in the order in which they were learned, and that order counts. Leave the list as it is.
    """
    symbols = tuple(word)
    for pair in sorted(merges):
        symbols = merge_pair(symbols, pair)
    return list(symbols)


@misconception("apply_merges", "apply-merges-first-in-the-word")
def first_in_the_word(word, merges):
    """You join whatever pair comes first in the word, instead of the one that was learned first.

    Go through the merges, not through the word: each is applied to the whole word before the next one.
    """
    symbols, known = list(word), set(merges)
    while place := next((n for n, pair in enumerate(pairwise(symbols), 1) if pair in known), 0):
        symbols[place - 1 : place + 1] = ["".join(symbols[place - 1 : place + 1])]
    return symbols


@misconception("apply_merges", "apply-merges-until-nothing-fits")
def until_nothing_fits(word, merges):
    """You go on until no merge fits, and so try some again whose turn has passed.

    One pass is enough, as in learning: a merge whose turn has passed is not tried again.
    """
    symbols, before = tuple(word), None
    while symbols != before:
        before = symbols
        for pair in merges:
            symbols = merge_pair(symbols, pair)
    return list(symbols)


@misconception("apply_merges", "apply-merges-first-that-fits")
def first_that_fits(word, merges):
    """You return after the first merge that fits.

    Pass its result on to the next merge; the `return` comes after the loop.
    """
    for pair in merges:
        symbols = merge_pair(tuple(word), pair)
        if len(symbols) < len(word):
            return list(symbols)
    return list(word)


@misconception("apply_merges", "apply-merges-each-on-the-letters")
def each_on_the_letters(word, merges):
    """You apply every merge to the letters of the word, and forget what the merges before it made.

    After the merge (a, b) the word has a symbol `ab`. Does your next merge see it?

    Keep the result and pass it on: `symbols = merge_pair(symbols, pair)`.
    """
    symbols = tuple(word)
    for pair in merges:
        symbols = merge_pair(tuple(word), pair)
    return list(symbols)


@misconception("apply_merges", "apply-merges-once-each")
def once_each(word, merges):
    """Every merge joins one pair of the word only.

    A pair can occur in the word more than once: `merge_pair` joins it wherever it occurs.
    """
    symbols = list(word)
    for pair in merges:
        for place in range(len(symbols) - 1):
            if tuple(symbols[place : place + 2]) == pair:
                symbols[place : place + 2] = ["".join(pair)]
                break
    return symbols


@misconception("apply_merges", "apply-merges-stops-early")
def stops_early(word, merges):
    """You stop at the first merge that does not fit the word.

    A word needs only some of the merges. Pass over what does not fit and go on.
    """
    symbols = tuple(word)
    for pair in merges:
        merged = merge_pair(symbols, pair)
        if merged == symbols:
            break
        symbols = merged
    return list(symbols)


@misconception("apply_merges", "apply-merges-replaced")
def by_spelling(word, merges):
    """You join symbols that spell the pair, or look for its letters, instead of comparing the two symbols.

    With the merge (ab, cd), the letters `a b c d` are no pair yet. Use `merge_pair` on the symbols.
    """
    symbols = tuple(word)
    for pair in merges:
        whole, merged, place = "".join(pair), [], 0
        while place < len(symbols):
            size = next(
                (n for n in range(2, len(symbols) - place + 1) if "".join(symbols[place : place + n]) == whole), 1
            )
            merged.append("".join(symbols[place : place + size]))
            place += size
        symbols = tuple(merged)
    return list(symbols)


@misconception("apply_merges", "apply-merges-tuple")
def a_tuple(word, merges):
    """You return a tuple instead of a list.

    The symbols are a tuple while you merge. Which type does the task want at the end?

    Return `list(symbols)`.
    """
    symbols = tuple(word)
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return symbols


@misconception("apply_merges", "apply-merges-text")
def a_text(word, merges):
    """You return one text with spaces instead of the list of the pieces.

    The caller wants to count the pieces and look them up one by one. Which step at the end is too much?

    Return `list(symbols)`, without joining.
    """
    symbols = tuple(word)
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return " ".join(symbols)


@misconception("apply_merges", "apply-merges-whole-word")
def begins_with_the_word(word, merges):
    """You begin with the whole word as one symbol, so that no merge fits.

    A merge compares neighbours. How many symbols does your word begin with, and how many letters has it?

    Begin with the letters: `tuple(word)`, not `(word,)`.
    """
    symbols = (word,)
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return list(symbols)
