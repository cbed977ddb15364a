"""What goes wrong in `decode_ids`: padding, order and form."""

from reference.misconceptions import misconception


@misconception("decode_ids", "decode-ids-last-padding-left")
def last_padding_left(ids, vocabulary):
    """You remove `"<pad> "` with the space after it from the text, so padding at the very end stays.

    Leave padding out of the list of words, wherever it is, before you join them.
    """
    return " ".join(vocabulary[number] for number in ids).replace("<pad> ", "")


@misconception("decode_ids", "decode-ids-first-padding-left")
def first_padding_left(ids, vocabulary):
    """You remove `" <pad>"` with the space before it from the text, so padding at the very front stays.

    Leave padding out of the list of words, wherever it is, before you join them.
    """
    return " ".join(vocabulary[number] for number in ids).replace(" <pad>", "")


@misconception("decode_ids", "decode-ids-inner-spaces")
def inner_spaces(ids, vocabulary):
    """You empty `"<pad>"`, before or after joining, but do not leave it out: inside the text two spaces stay behind.

    Leave padding out of the list of words, wherever it is, before you join them.
    """
    return " ".join(vocabulary[number] for number in ids).replace("<pad>", "").strip()


@misconception("decode_ids", "decode-ids-padding-in-front-only")
def padding_in_front_only(ids, vocabulary):
    """You remove padding only in front; inside the text and at its end it stays.

    Leave padding out of the list of words, wherever it is, before you join them.
    """
    start = next((place for place, number in enumerate(ids) if number), len(ids))
    return " ".join(vocabulary[number] for number in ids[start:])


@misconception("decode_ids", "decode-ids-padding-behind-only")
def padding_behind_only(ids, vocabulary):
    """You remove padding only at the end; in front and inside the text it stays.

    Leave padding out of the list of words, wherever it is, before you join them.
    """
    end = len(ids)
    while end and not ids[end - 1]:
        end -= 1
    return " ".join(vocabulary[number] for number in ids[:end])


@misconception("decode_ids", "decode-ids-one-padding")
def one_padding(ids, vocabulary):
    """You remove only the first padding.

    `list.remove` takes out one. Leave out every id that is padding.
    """
    ids = list(ids)
    if 0 in ids:
        ids.remove(0)
    return " ".join(vocabulary[number] for number in ids)


@misconception("decode_ids", "decode-ids-overwrites")
def overwrites(ids, vocabulary):
    """You take the padding out of the caller's list.

    `remove` and `pop` change a list that is not yours. Make a new one.
    """
    while 0 in ids:
        ids.remove(0)
    return " ".join(vocabulary[number] for number in ids)


@misconception("decode_ids", "decode-ids-reversed")
def in_reverse(ids, vocabulary):
    """Your words are in reverse order.

    Go through the ids from first to last.
    """
    return " ".join(vocabulary[number] for number in reversed(ids) if number)


@misconception("decode_ids", "decode-ids-last-lost")
def last_lost(ids, vocabulary):
    """Your last word is missing.

    Go through all ids: the last one is a word like any other.
    """
    return " ".join(vocabulary[number] for number in ids[:-1] if number)


@misconception("decode_ids", "decode-ids-repetitions-lost")
def repetitions_lost(ids, vocabulary):
    """Of a word that comes twice in a row you keep one.

    Each id becomes a word. Repetitions were said.
    """
    return " ".join(vocabulary[n] for place, n in enumerate(ids) if n and ids[max(place, 1) - 1 : place] != [n])


@misconception("decode_ids", "decode-ids-capital")
def with_a_capital(ids, vocabulary):
    """You begin the text with a capital letter.

    Capitals are lost for good: return the words as they are in the vocabulary.
    """
    return " ".join(vocabulary[number] for number in ids if number).capitalize()


@misconception("decode_ids", "decode-ids-unknown-question")
def unknown_question(ids, vocabulary):
    """You write another mark for an unknown word than `"<unk>"`.

    `"<unk>"` is in the vocabulary: look it up as every other word.
    """
    return " ".join("?" if number == 1 else vocabulary[number] for number in ids if number)


@misconception("decode_ids", "decode-ids-words-with-pad")
def words_with_pad(ids, vocabulary):
    """You leave out every word that has "pad" in it.

    Compare the whole entry: `word != "<pad>"`.
    """
    return " ".join(vocabulary[number] for number in ids if "pad" not in vocabulary[number])


@misconception("decode_ids", "decode-ids-nothing-for-empty")
def nothing_for_empty(ids, vocabulary):
    """You return nothing where no word is left.

    No ids, or padding alone, give an empty text: `""`.
    """
    return " ".join(vocabulary[number] for number in ids if number) or None


@misconception("decode_ids", "decode-ids-one-too-far")
def one_too_far(ids, vocabulary):
    """You read each word one place too far.

    An id is a place in the list, with nothing added.
    """
    return " ".join(vocabulary[(number + 1) % len(vocabulary)] for number in ids if number)


@misconception("decode_ids", "decode-ids-letters-stripped")
def letters_stripped(ids, vocabulary):
    """You use `strip`, which takes p, a and d off the ends of any text, not the word `<pad>`; padding inside stays.

    `strip("<pad>")` knows no word `<pad>`. Leave padding out of the list of words, before you join them.
    """
    return " ".join(vocabulary[number] for number in ids).strip("<pad> ")


@misconception("decode_ids", "decode-ids-letters-joined")
def letters_joined(ids, vocabulary):
    """You put spaces between the letters of a text that has a single word.

    `join` goes through a list of words word by word, and through a word letter by letter. Which does it get here?
    """
    words = [vocabulary[number] for number in ids if number]
    return " ".join(words[0] if len(words) == 1 else words)


@misconception("decode_ids", "decode-ids-words-cut")
def words_cut(ids, vocabulary):
    """Your words end after five characters, as in a NumPy array that begins with `"<pad>"` and has room for no more.

    NumPy fixes how long its texts may be when the array is made. Which kind of list takes words of any length?
    """
    words = [vocabulary[number][:5] for number in ids]
    return " ".join(word for word in words if word != "<pad>")
