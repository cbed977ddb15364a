"""Ways to cut a word: two loops, patterns, a walk through a tree of letters, slices of the rest."""

import re
from collections import deque
from functools import cache
from itertools import accumulate


# %% for and else
def word_pieces(word, vocabulary):
    output, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            part = word[start:end]
            if start > 0:
                part = "##" + part
            if part in vocabulary:
                output.append(part)
                start = end
                break
        else:
            return ["[UNK]"]
    return output


# %% one pattern for beginnings, one for the rest
def word_pieces(word, vocabulary):
    def pattern(pieces):
        return re.compile("|".join(map(re.escape, sorted(pieces, key=len, reverse=True))) or r"(?!)")

    first = pattern(each for each in vocabulary if not each.startswith("##"))
    later = pattern(each[2:] for each in vocabulary if each.startswith("##") and len(each) > 2)
    found, place = [], 0
    while place < len(word):
        match = (later if place else first).match(word, place)
        if match is None:
            return ["[UNK]"]
        found.append("##" * bool(place) + match[0])
        place = match.end()
    return found


# %% a tree of letters
def word_pieces(word, vocabulary):
    tree = {}
    for piece in vocabulary:
        node = tree
        for letter in piece:
            node = node.setdefault(letter, {})
        node[None] = piece

    def longest(letters):
        node, best = tree, None
        for letter in letters:
            node = node.get(letter)
            if node is None:
                break
            best = node.get(None, best)
        return best

    pieces = []
    letters = word
    while letters:
        piece = longest(letters)
        if piece is None or (pieces and len(piece) <= 2):
            return ["[UNK]"]
        pieces.append(piece)
        rest = letters[len(piece) :]
        letters = "##" + rest if rest else ""
    return pieces


# %% recursive and remembered
def word_pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    @cache
    def after(place: int) -> tuple[str, ...] | None:
        if place == len(word):
            return ()
        beginnings = [*accumulate(word[place:], initial="##" if place else "")][1:]
        fits = [each for each in beginnings if vocabulary.get(each) is not None]
        if not fits:
            return None
        best = fits[-1]
        tail = after(place + len(best) - (2 if place else 0))
        return None if tail is None else (best, *tail)

    pieces = after(0)
    return ["[UNK]"] if pieces is None else list(pieces)


# %% with an exception
def word_pieces(word, vocabulary):
    known = set(vocabulary)

    def pieces(rest, mark=""):
        while rest:
            size = max(n for n in range(1, len(rest) + 1) if mark + rest[:n] in known)
            yield mark + rest[:size]
            rest, mark = rest[size:], "##"

    try:
        return [*pieces(word)]
    except ValueError:
        return ["[UNK]"]


# %% what is cut off waits in a queue
def word_pieces(word, vocabulary):
    waiting, done = deque(), []
    piece = word
    while piece:
        bare = piece[2:] if done else piece
        if not bare:
            return ["[UNK]"]
        if piece in vocabulary:
            done += [piece]
            piece = "##" + "".join(waiting) if waiting else ""
            waiting.clear()
        else:
            waiting.appendleft(piece[-1])
            piece = piece[:-1]
    return done or ["[UNK]"]
