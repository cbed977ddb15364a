"""What goes wrong in `merge_pair`: the loop and what it makes."""

from itertools import pairwise

from reference.ch15_capstones import merge_pair
from reference.misconceptions import misconception


@misconception("merge_pair", "merge-pair-shrinking-list")
def shrinking_list(symbols, pair):
    """You shorten the list while a loop goes over its old length: at the end there is an error.

    `range(len(symbols))` is fixed before the loop. Use `while place < len(symbols)`.
    """
    merged = list(symbols)
    for place in range(len(merged) - 1):
        if merged[place] == pair[0] and merged[place + 1] == pair[1]:
            merged[place : place + 2] = [pair[0] + pair[1]]
    return tuple(merged)


@misconception("merge_pair", "merge-pair-beyond-the-end")
def beyond_the_end(symbols, pair):
    """You look at the symbol after the last one, which raises an error.

    The last symbol has no right neighbour: check `place + 1 < len(symbols)` first.
    """
    merged, place = [], 0
    while place < len(symbols):
        if symbols[place] == pair[0] and symbols[place + 1] == pair[1]:
            merged.append(pair[0] + pair[1])
            place += 2
        else:
            merged.append(symbols[place])
            place += 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-no-symbols")
def no_symbols(symbols, pair):
    """You take the first symbol of a word that has none, which raises an error.

    A word may be empty: `()` stays `()`.
    """
    merged, free = [symbols[0]], True
    for symbol in symbols[1:]:
        if free and (merged[-1], symbol) == pair:
            merged[-1] += symbol
            free = False
        else:
            merged.append(symbol)
            free = True
    return tuple(merged)


@misconception("merge_pair", "merge-pair-last-kept-twice")
def last_kept_twice(symbols, pair):
    """You always append the last symbol, also if a pair has just taken it.

    Append it only if the last pair did not.
    """
    merged, place = [], 0
    while place < len(symbols) - 1:
        taken = 2 if symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return (*merged, *symbols[-1:])


@misconception("merge_pair", "merge-pair-letters-swapped")
def letters_swapped(symbols, pair):
    """You join the two symbols in the wrong order.

    Joining (a, b) in `c a b` must leave the letters of the word as they were. Which symbol comes first?

    The left one comes first: `pair[0] + pair[1]`.
    """
    merged, place = [], 0
    while place < len(symbols):
        if symbols[place : place + 2] == pair:
            merged.append(pair[1] + pair[0])
            place += 2
        else:
            merged.append(symbols[place])
            place += 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-steps-of-two")
def steps_of_two(symbols, pair):
    """You go through the word in steps of two and miss pairs that begin at an odd place.

    After a symbol that is not joined, go on one place further.
    """
    merged = []
    for place in range(0, len(symbols), 2):
        two = symbols[place : place + 2]
        merged.extend([pair[0] + pair[1]] if two == pair else two)
    return tuple(merged)


@misconception("merge_pair", "merge-pair-three-taken")
def three_taken(symbols, pair):
    """After joining a pair you skip the symbol that follows it.

    A pair takes two places: go on two places further, not three.
    """
    merged, place = [], 0
    while place < len(symbols):
        if symbols[place : place + 2] == pair:
            merged.append(pair[0] + pair[1])
            place += 3
        else:
            merged.append(symbols[place])
            place += 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-text")
def a_text(symbols, pair):
    """You return one text instead of a tuple of symbols.

    A text with spaces is no longer a row of symbols. Which type does the task want back?

    Return `tuple(merged)`, without joining the symbols.
    """
    return " ".join(merge_pair(symbols, pair))


@misconception("merge_pair", "merge-pair-with-a-space")
def with_a_space(symbols, pair):
    """You put something between the two symbols when you join them.

    Write the word's symbols one after the other, before and after the merge. Both must spell the same word.

    The new symbol has their letters and nothing else: `pair[0] + pair[1]`.
    """
    merged, place = [], 0
    while place < len(symbols):
        if symbols[place : place + 2] == pair:
            merged.append(" ".join(pair))
            place += 2
        else:
            merged.append(symbols[place])
            place += 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-pair-in-front")
def only_neighbours_of_the_first(symbols, pair):
    """You join only a pair with which the word begins.

    Look at every place of the word, not only at the first.
    """
    if symbols[:2] == pair:
        return (pair[0] + pair[1], *symbols[2:])
    return symbols


@misconception("merge_pair", "merge-pair-text-cut")
def text_cut(symbols, pair):
    """You replace the pair in a text and cut that at each space, so a word without symbols gets an empty symbol.

    `replace` also finds the ends of longer symbols: in `ca b` it finds `a b`. And what does `"".split(" ")` give?
    """
    return tuple(" ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" "))


@misconception("merge_pair", "merge-pair-tail-lost")
def tail_lost(symbols, pair):
    """Where the left symbol does not come any more, your loop ends, and the rest of the word is lost.

    What comes after the last left symbol belongs to the word as well. Where does it go when there is nothing to find?
    """
    merged, place = [], 0
    while pair[0] in symbols[place:]:
        found = symbols.index(pair[0], place)
        merged += symbols[place:found]
        if symbols[found : found + 2] == pair:
            merged.append(pair[0] + pair[1])
            place = found + 2
        else:
            merged.append(symbols[found])
            place = found + 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-places-not-shifted")
def places_not_shifted(symbols, pair):
    """You note all places first and then join: each join makes the list shorter, so later places are too far right.

    After a join all that follows it is one place further left. From which end can you join without moving what remains?
    """
    places = []
    for place, neighbours in enumerate(pairwise(symbols)):
        if neighbours == pair and place - 1 not in places:
            places.append(place)
    merged = list(symbols)
    for place in places:
        merged[place : place + 2] = [pair[0] + pair[1]]
    return tuple(merged)
