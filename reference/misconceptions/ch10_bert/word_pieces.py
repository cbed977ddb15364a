"""What goes wrong in `word_pieces`."""

from reference.ch10_bert import word_pieces
from reference.misconceptions import misconception


@misconception("word_pieces", "word-pieces-shortest-first")
def shortest_first(word, vocabulary):
    """You take the shortest piece that fits, not the longest.

    With *a* and *ab* in the vocabulary, *ab...* begins with *ab*. In which order do you try the ends?
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(start + 1, len(word) + 1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-looked-up-bare")
def looked_up_bare(word, vocabulary):
    """You look up the later pieces without `##`, and put it in front of what you found.

    *flow* and *##flow* are two entries, and each may be there without the other: look up what you will return.
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocabulary:
                pieces.append(("##" if start else "") + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-no-marks")
def no_marks(word, vocabulary):
    """Your later pieces come back without `##`.

    You look for the right entries. They are returned as they stand in the vocabulary, which has their ids.
    """
    return [piece.removeprefix("##") for piece in word_pieces(word, vocabulary)]


@misconception("word_pieces", "word-pieces-never-marked")
def never_marked(word, vocabulary):
    """You look for the same pieces inside a word as at its beginning, without `##`.

    A piece that continues a word is an entry of its own: `##flow`, not `flow`.
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocabulary:
                pieces.append(word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-all-marked")
def all_marked(word, vocabulary):
    """You look for `##` in front of the first piece, too.

    `##` says that a piece continues a word. The first one begins it and is looked up without.
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if "##" + word[start:end] in vocabulary:
                pieces.append("##" + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-keeps-the-beginning")
def keeps_the_beginning(word, vocabulary):
    """Where no piece fits, you keep the pieces found before and put `[UNK]` behind them.

    A word is known as a whole or not at all: then the result is `[UNK]` alone.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            return [*pieces, "[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-stops-short")
def stops_short(word, vocabulary):
    """Where no piece fits, you return the pieces found before, and lose the rest of the word.

    Such a word is unknown: return `[UNK]` alone, in a list.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            return pieces
    return pieces


@misconception("word_pieces", "word-pieces-skips-a-letter")
def skips_a_letter(word, vocabulary):
    """Where no piece fits, you put `[UNK]` for one letter and go on behind it.

    One place where nothing fits makes the whole word unknown: return `[UNK]` alone.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            pieces.append("[UNK]")
            start += 1
    return pieces


@misconception("word_pieces", "word-pieces-from-the-right")
def from_the_right(word, vocabulary):
    """You cut from the right: the longest ending comes first.

    The longest *beginning* is taken first, and the rest is cut after it.
    """
    pieces, end = [], len(word)
    while end:
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.insert(0, piece)
                end = start
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-takes-back")
def takes_back(word, vocabulary):
    """Where the rest cannot be cut, you take a piece back and try a shorter one.

    The rule takes nothing back: the longest piece stays, and the word is `[UNK]` if nothing fits behind it.
    """

    def cut(start):
        if start == len(word):
            return []
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary and (rest := cut(end)) is not None:
                return [mark + word[start:end], *rest]
        return None

    return cut(0) or ["[UNK]"]


@misconception("word_pieces", "word-pieces-fewest")
def fewest(word, vocabulary):
    """You look for as few pieces as possible.

    The rule looks at one piece at a time: the longest that fits here, whatever that means for the rest.
    """
    ways = {0: []}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if start in ways and piece in vocabulary and len(ways.get(end, word)) > len(ways[start]) + 1:
                ways[end] = [*ways[start], piece]
    return ways.get(len(word)) or ["[UNK]"]


@misconception("word_pieces", "word-pieces-id-zero")
def id_zero(word, vocabulary):
    """You take a piece with the id 0 for one that is missing.

    It is in the vocabulary like any other, but `if` takes 0 for False: ask with `in`.
    """
    return word_pieces(word, {piece: number for piece, number in vocabulary.items() if number})


@misconception("word_pieces", "word-pieces-ids")
def ids(word, vocabulary):
    """You return ids.

    Return the pieces themselves, as strings; the caller looks up their ids.
    """
    return [vocabulary.get(piece, 0) for piece in word_pieces(word, vocabulary)]


@misconception("word_pieces", "word-pieces-text-for-unknown")
def text_for_unknown(word, vocabulary):
    """An unknown word gives the text `"[UNK]"`, not a list.

    The result is always a list of pieces: `["[UNK]"]`.
    """
    pieces = word_pieces(word, vocabulary)
    return "[UNK]" if pieces == ["[UNK]"] else pieces


@misconception("word_pieces", "word-pieces-nothing-for-unknown")
def nothing_for_unknown(word, vocabulary):
    """An unknown word gives an empty list, so the sentence loses it.

    The model must see that a word was there: return `["[UNK]"]`.
    """
    pieces = word_pieces(word, vocabulary)
    return [] if pieces == ["[UNK]"] else pieces


@misconception("word_pieces", "word-pieces-word-for-unknown")
def word_for_unknown(word, vocabulary):
    """An unknown word comes back as it is.

    The vocabulary has no id for it: return `["[UNK]"]`.
    """
    pieces = word_pieces(word, vocabulary)
    return [word] if pieces == ["[UNK]"] else pieces


@misconception("word_pieces", "word-pieces-only-if-listed")
def only_if_listed(word, vocabulary):
    """A word with an entry of its own is found, and any other is `[UNK]`: nothing is cut.

    If the whole word is not there, try its beginnings, the longest first, and go on with the rest.
    """
    return [word] if word in vocabulary else ["[UNK]"]


@misconception("word_pieces", "word-pieces-no-single-letters")
def no_single_letters(word, vocabulary):
    """You never try a single letter.

    A piece may be one letter long. Where does your range of ends stop?
    """
    return word_pieces(word, {piece: place for piece, place in vocabulary.items() if len(piece.removeprefix("##")) > 1})


@misconception("word_pieces", "word-pieces-never-the-rest")
def never_the_rest(word, vocabulary):
    """You never try all that is left of the word, only shorter pieces, unless a single letter is left.

    The longest candidate is the whole rest, and at first the whole word. Where does your range of ends begin?
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(max(len(word) - 1, start + 1), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-mark-counted")
def mark_counted(word, vocabulary):
    """You go on two letters too far behind every later piece: `##` counts as letters of the word.

    `##flow` covers four letters. Count without the mark.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start += len(pieces[-1])
                break
        else:
            return ["[UNK]"]
    return pieces


@misconception("word_pieces", "word-pieces-lower-case")
def lower_case(word, vocabulary):
    """You make the word lower-case.

    It is looked up as it is: a vocabulary may have capitals, and the caller knows whether it has.
    """
    return word_pieces(word.lower(), vocabulary)


@misconception("word_pieces", "word-pieces-joined")
def joined(word, vocabulary):
    """You join the pieces to one string.

    Return a list, one string for each piece.
    """
    return " ".join(word_pieces(word, vocabulary))


@misconception("word_pieces", "word-pieces-hundred-letters")
def a_hundred_letters_at_most(word, vocabulary):
    """A word of more than 100 letters is unknown to you without a look at its pieces.

    BERT's own code has such a limit. Here a word may be as long as it likes.
    """
    return ["[UNK]"] if len(word) > 100 else word_pieces(word, vocabulary)


@misconception("word_pieces", "word-pieces-smallest-id")
def smallest_id(word, vocabulary):
    """Of the pieces that fit you take the one with the smallest id, not the longest.

    Ids say nothing of lengths: they only number the pieces.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        fitting = [mark + word[start:end] for end in range(start + 1, len(word) + 1)]
        fitting = [piece for piece in fitting if piece in vocabulary]
        if not fitting:
            return ["[UNK]"]
        pieces.append(min(fitting, key=vocabulary.get))
        start += len(pieces[-1]) - len(mark)
    return pieces
