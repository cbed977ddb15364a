"""What goes wrong in `decode_ids`."""

from reference.misconceptions import misconception


@misconception("decode_ids", "decode-ids-padding-kept")
def padding_kept(ids, vocabulary):
    """You keep `"<pad>"` in the text.

    Padding was never said: leave it out before you join the words.
    """
    return " ".join(vocabulary[number] for number in ids)


@misconception("decode_ids", "decode-ids-unknown-dropped")
def unknown_dropped(ids, vocabulary):
    """You leave `"<unk>"` out as well.

    There was a word, and the reader should see that the model did not know it. Leave out `"<pad>"` only.
    """
    return " ".join(vocabulary[number] for number in ids if number > 1)


@misconception("decode_ids", "decode-ids-unknown-dropped-padding-kept")
def wrong_special(ids, vocabulary):
    """You leave out `"<unk>"` instead of `"<pad>"`.

    `"<pad>"` is at place 0 and `"<unk>"` at place 1: padding goes, an unknown word stays.
    """
    return " ".join(vocabulary[number] for number in ids if number != 1)


@misconception("decode_ids", "decode-ids-stops-at-padding")
def stops_at_padding(ids, vocabulary):
    """Your text ends with the first padding.

    Chapter 7 pads in front: the words come after it. Leave padding out and go on.
    """
    end = ids.index(0) if 0 in ids else len(ids)
    return " ".join(vocabulary[number] for number in ids[:end])


@misconception("decode_ids", "decode-ids-padding-at-the-ends")
def padding_at_the_ends(ids, vocabulary):
    """You remove padding only at the ends; inside the text it stays.

    Leave `"<pad>"` out wherever it is: check each word before you join.
    """
    words = [vocabulary[number] for number in ids]
    while words and words[0] == "<pad>":
        words = words[1:]
    while words and words[-1] == "<pad>":
        words = words[:-1]
    return " ".join(words)


@misconception("decode_ids", "decode-ids-padding-leaves-spaces")
def padding_leaves_spaces(ids, vocabulary):
    """You empty `"<pad>"`, before or after joining, but do not leave it out: its spaces stay behind.

    Leave it out of the list of words first; then `" ".join` puts one space between two words.
    """
    return " ".join(vocabulary[number] for number in ids).replace("<pad>", "")


@misconception("decode_ids", "decode-ids-glued")
def glued(ids, vocabulary):
    """There are no spaces between your words.

    Join with a space: `" ".join(words)`.
    """
    return "".join(vocabulary[number] for number in ids if number)


@misconception("decode_ids", "decode-ids-space-at-the-end")
def space_at_the_end(ids, vocabulary):
    """A space is left at the end of your text.

    A loop that adds a word and a space adds one space too many. `" ".join(words)` puts spaces between the words only.
    """
    return "".join(vocabulary[number] + " " for number in ids if number)


@misconception("decode_ids", "decode-ids-space-at-the-front")
def space_at_the_front(ids, vocabulary):
    """A space is left at the front of your text.

    `" ".join(words)` puts spaces between the words only.
    """
    return "".join(" " + vocabulary[number] for number in ids if number)


@misconception("decode_ids", "decode-ids-list")
def a_list(ids, vocabulary):
    """You return the list of the words instead of one text.

    Join them: `" ".join(words)`.
    """
    return [vocabulary[number] for number in ids if number]


@misconception("decode_ids", "decode-ids-counted-from-one")
def counted_from_one(ids, vocabulary):
    """You read each word one place too early, as if ids were counted from 1.

    An id is a place in the list, and the first place is 0.
    """
    return " ".join(vocabulary[number - 1] for number in ids if number)


@misconception("decode_ids", "decode-ids-offset-of-three")
def offset_of_three(ids, vocabulary):
    """You subtract 3 from every id, as the reviews of chapter 7 need it.

    Your vocabulary has its special entries in the list itself: an id is a place, with nothing subtracted.
    """
    return " ".join(vocabulary[number - 3] for number in ids if number)


@misconception("decode_ids", "decode-ids-special-forgotten")
def special_forgotten(ids, vocabulary):
    """You subtract the 2 special entries from the ids of words, but they are already in the list.

    An id is a place in `vocabulary`, with nothing subtracted.
    """
    return " ".join(vocabulary[number] if number == 1 else vocabulary[number - 2] for number in ids if number)


@misconception("decode_ids", "decode-ids-each-word-once")
def each_word_once(ids, vocabulary):
    """A word that occurs twice is in your text only once.

    Go through the ids one by one; a set or a dictionary would forget repetitions.
    """
    return " ".join(vocabulary[number] for number in dict.fromkeys(ids) if number)
