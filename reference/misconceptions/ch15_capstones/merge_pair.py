"""What goes wrong in `merge_pair`."""

from reference.misconceptions import misconception


@misconception("merge_pair", "merge-pair-overlapping")
def overlapping(symbols, pair):
    """You use a symbol twice: where pairs overlap, its letters are in the word twice afterwards.

    After a pair go on *after* it, two places further. `a a a` with (a, a) is `aa a`.
    """
    merged, last = [], False
    for place in range(len(symbols)):
        if symbols[place : place + 2] == pair:
            merged.append("".join(pair))
            last = True
        elif last:
            last = False
        else:
            merged.append(symbols[place])
    return tuple(merged)


@misconception("merge_pair", "merge-pair-second-kept")
def second_kept(symbols, pair):
    """After joining a pair you go one place further, so its second symbol stays there as well.

    A pair takes two places: go on two places further.
    """
    return tuple(
        "".join(pair) if symbols[place : place + 2] == pair else symbols[place] for place in range(len(symbols))
    )


@misconception("merge_pair", "merge-pair-from-the-right")
def from_the_right(symbols, pair):
    """You join from the right: of three equal symbols the last two are joined instead of the first two.

    Go through the word from left to right.
    """
    merged, place = [], len(symbols)
    while place > 0:
        taken = 2 if place > 1 and symbols[place - 2 : place] == pair else 1
        merged.insert(0, "".join(symbols[place - taken : place]))
        place -= taken
    return tuple(merged)


@misconception("merge_pair", "merge-pair-first-only")
def first_only(symbols, pair):
    """You join the first pair only.

    A word can have the pair several times: go on after the first until the word ends.
    """
    for place in range(len(symbols) - 1):
        if symbols[place : place + 2] == pair:
            return (*symbols[:place], "".join(pair), *symbols[place + 2 :])
    return symbols


@misconception("merge_pair", "merge-pair-any-order")
def any_order(symbols, pair):
    """You join the two symbols in either order: (a, b) and (b, a) are two different pairs.

    Compare the left symbol with the first of the pair, and the right one with the second.
    """
    merged, place = [], 0
    while place < len(symbols):
        taken = 2 if symbols[place : place + 2] in (pair, pair[::-1]) else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)


@misconception("merge_pair", "merge-pair-by-spelling")
def by_spelling(symbols, pair):
    """You join any two symbols that spell the same letters together, or search the joined word for them.

    With (a, bc), the neighbours `ab c` are no pair, though they spell `abc` too. Compare the symbols one by one.
    """
    merged, place = [], 0
    while place < len(symbols):
        two = symbols[place : place + 2]
        taken = 2 if len(two) == 2 and "".join(two) == "".join(pair) else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)


@misconception("merge_pair", "merge-pair-again-and-again")
def again_and_again(symbols, pair):
    """You join a symbol that has just been joined once more.

    One pass from left to right is all: the result of a merge is not joined again.
    """
    merged = []
    for symbol in symbols:
        if merged and merged[-1].endswith(pair[0]) and symbol == pair[1]:
            merged[-1] += symbol
        else:
            merged.append(symbol)
    return tuple(merged)


@misconception("merge_pair", "merge-pair-last-symbol-lost")
def last_symbol_lost(symbols, pair):
    """The last symbol is lost if it is not the end of a pair.

    A loop over pairs of neighbours ends one symbol early. Go on while there is a symbol left.
    """
    merged, place = [], 0
    while place < len(symbols) - 1:
        taken = 2 if symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)


@misconception("merge_pair", "merge-pair-last-pair-missed")
def last_pair_missed(symbols, pair):
    """You do not look at the last two symbols of the word.

    `range(len(symbols) - 1)` reaches all pairs of neighbours; one less misses the last.
    """
    merged, place = [], 0
    while place < len(symbols):
        taken = 2 if place < len(symbols) - 2 and symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)


@misconception("merge_pair", "merge-pair-removed")
def removed(symbols, pair):
    """You take the pair out and put nothing in its place.

    When (a, b) is joined in `a b c`, no letter gets lost. What should stand where the pair was?

    The two symbols become one that has the letters of both: append `pair[0] + pair[1]`.
    """
    merged, place = [], 0
    while place < len(symbols):
        if symbols[place : place + 2] == pair:
            place += 2
        else:
            merged.append(symbols[place])
            place += 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-nested")
def nested(symbols, pair):
    """You put the pair itself, a tuple, into the word instead of one joined symbol.

    A symbol is a text. How do you make one text of two?

    Append `"".join(pair)`.
    """
    merged, place = [], 0
    while place < len(symbols):
        found = symbols[place : place + 2] == pair
        merged.append(pair if found else symbols[place])
        place += 2 if found else 1
    return tuple(merged)


@misconception("merge_pair", "merge-pair-text-replaced")
def text_replaced(symbols, pair):
    """You merge by `replace` or `re.sub` in a text with spaces, which finds the ends of longer symbols, too.

    In `ca b` it finds `a b`, and makes `cab` of two symbols that are no pair. Compare whole symbols.
    """
    return tuple(" ".join(symbols).replace(" ".join(pair), "".join(pair)).split())


@misconception("merge_pair", "merge-pair-list")
def a_list(symbols, pair):
    """You return a list instead of a tuple.

    A tuple can be the key of a dictionary, which `learn_merges` needs. What turns your list into one at the end?

    Return `tuple(merged)`.
    """
    merged, place = [], 0
    while place < len(symbols):
        taken = 2 if symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return merged
