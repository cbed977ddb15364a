"""What goes wrong in `apply_merges`: texts, edges and the caller's list."""

from reference.ch15_capstones import apply_merges, merge_pair
from reference.misconceptions import misconception


@misconception("apply_merges", "apply-merges-text-replaced")
def text_replaced(word, merges):
    """You merge by `replace` or `re.sub` in a text with spaces, which finds the ends of longer symbols, too.

    In `ca b` it finds `a b`. Compare whole symbols, as `merge_pair` does.
    """
    text = " ".join(word)
    for left, right in merges:
        text = text.replace(f"{left} {right}", left + right)
    return text.split()


@misconception("apply_merges", "apply-merges-empty-piece")
def empty_piece(word, merges):
    """For an empty word you return a piece without letters.

    An empty word has no pieces: `[]`.
    """
    return apply_merges(word, merges) or [""]


@misconception("apply_merges", "apply-merges-list-emptied")
def list_emptied(word, merges):
    """You take the merges out of the caller's list.

    `pop` changes a list that is not yours: the next word would find it empty. Go through it with `for`.
    """
    pieces = apply_merges(word, merges)
    merges.clear()
    return pieces


@misconception("apply_merges", "apply-merges-end-of-word")
def end_of_word(word, merges):
    """You put a mark such as `</w>` after the word.

    The paper does so; here a word is only its letters, and the pieces make it up.
    """
    symbols = (*word, "</w>")
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return list(symbols)


@misconception("apply_merges", "apply-merges-last-merge-skipped")
def last_merge_skipped(word, merges):
    """You leave out the last merge.

    Apply all of them, to the end of the list.
    """
    return apply_merges(word, merges[:-1])


@misconception("apply_merges", "apply-merges-first-merge-only")
def first_merge_only(word, merges):
    """You apply the first merge only.

    The `return` comes after the loop, not inside it.
    """
    return apply_merges(word, merges[:1])


@misconception("apply_merges", "apply-merges-word-returned")
def word_returned(word, merges):
    """For a word of no or one letter you return the word itself, not a list.

    Begin with `tuple(word)` and return a list in every case.
    """
    return word if len(word) < 2 else apply_merges(word, merges)


@misconception("apply_merges", "apply-merges-lower-case")
def lower_case(word, merges):
    """You make the word lower case.

    The pieces make up the word as it is given: "A" and "a" are two letters.
    """
    return apply_merges(word.lower(), merges)


@misconception("apply_merges", "apply-merges-no-merges")
def no_merges(word, merges):
    """You return the letters: nothing is merged.

    `merge_pair` does not change the word that it is given. Where does its result go?

    Keep what it returns: `symbols = merge_pair(symbols, pair)`.
    """
    return list(word)


@misconception("apply_merges", "apply-merges-once-per-word")
def each_piece_once(word, merges):
    """You return each piece once, though it occurs several times in the word.

    The pieces make up the word: keep repetitions, and their order.
    """
    return list(dict.fromkeys(apply_merges(word, merges)))
