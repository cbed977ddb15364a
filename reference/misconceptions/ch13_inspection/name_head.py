"""What goes wrong in `name_head`."""

from reference.ch13_inspection import name_head
from reference.misconceptions import misconception


@misconception("name_head", "name-head-strictly-above")
def strictly_above(scores, threshold=0.5):
    """You look for scores above the threshold, so one that is equal to it does not count.

    A score reaches a threshold if it is equal to it or above it: `>=`.
    """
    for pattern in ("next", "previous", "same_word", "special", "same_sentence"):
        if scores[pattern] > threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-special")
def called_special(scores, threshold=0.5):
    """You call a head "special" whose name is "null".

    The score is named after its keys, the head after what it does: nothing.
    """
    name = name_head(scores, threshold)
    return "special" if name == "null" else name


@misconception("name_head", "name-head-sentence-before-null")
def sentence_before_null(scores, threshold=0.5):
    """You check `same_sentence` before `special`, in the order of the keys in the dict of `pattern_scores`.

    The nearest `[SEP]` is nearly always in the same sentence; the widest pattern must come last.
    """
    for pattern in ("next", "previous", "same_word", "same_sentence", "special"):
        if scores[pattern] >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-largest")
def largest(scores, threshold=0.5):
    """You take the pattern with the largest score instead of the first one that reaches the threshold.

    A head of the next word has an even larger score for the same sentence. Check them in the order of the table.
    """
    best = max(scores, key=scores.get)
    name = "null" if best == "special" else best
    return name if scores[best] >= threshold else "mixed"


@misconception("name_head", "name-head-never-mixed")
def never_mixed(scores, threshold=0.5):
    """You name every head after its largest score, whether it reaches the threshold or not.

    A head without a clear pattern is "mixed". Of those that reach the threshold, the first one of the table counts.
    """
    best = max(scores, key=scores.get)
    return "null" if best == "special" else best


@misconception("name_head", "name-head-order-of-the-dict")
def order_of_the_dict(scores, threshold=0.5):
    """You go through the scores in the order in which the dict happens to list them.

    A dict may list its keys in any order. Write down the order of the table and look each score up.
    """
    for pattern, score in scores.items():
        if score >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-null-before-same-word")
def null_before_same_word(scores, threshold=0.5):
    """You check `special` before `same_word`.

    A `[SEP]` that looks at another `[SEP]` looks at the same word: that question comes first.
    """
    for pattern in ("next", "previous", "special", "same_word", "same_sentence"):
        if scores[pattern] >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-previous-before-next")
def previous_before_next(scores, threshold=0.5):
    """You check `previous` before `next`.

    The order is that of the table: next, previous, same_word, special, same_sentence.
    """
    for pattern in ("previous", "next", "same_word", "special", "same_sentence"):
        if scores[pattern] >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-last-that-reaches")
def last_that_reaches(scores, threshold=0.5):
    """You take the last pattern that reaches the threshold, not the first: a later one overwrites the name.

    Leave the loop with the first "yes": `return` inside it, or a chain of `elif`.
    """
    name = "mixed"
    for pattern in ("next", "previous", "same_word", "special", "same_sentence"):
        if scores[pattern] >= threshold:
            name = "null" if pattern == "special" else pattern
    return name


@misconception("name_head", "name-head-mixed-if-several")
def mixed_if_several(scores, threshold=0.5):
    """You call a head mixed where several patterns reach the threshold.

    Patterns overlap, so that happens all the time; the first of them gives the name.
    """
    several = sum(score >= threshold for score in scores.values()) > 1
    return "mixed" if several else name_head(scores, threshold)


@misconception("name_head", "name-head-zero-threshold")
def zero_threshold(scores, threshold=0.5):
    """You treat a threshold of 0 as if there were none, and compare with 0.5.

    `threshold or 0.5` does that, because 0 counts as False. The default in the signature is enough.
    """
    return name_head(scores, threshold or 0.5)


@misconception("name_head", "name-head-fixed-threshold")
def fixed_threshold(scores, threshold=0.5):
    """You compare with 0.5 whatever `threshold` is.

    0.5 is only its default; compare with the argument.
    """
    return name_head(scores)


@misconception("name_head", "name-head-rounded")
def rounded(scores, threshold=0.5):
    """You round the scores before you compare them, so one that is just below the threshold reaches it.

    Compare the scores as they are.
    """
    return name_head({pattern: round(score, 1) for pattern, score in scores.items()}, threshold)


@misconception("name_head", "name-head-tolerance")
def tolerance(scores, threshold=0.5):
    """You let a score that is a little below the threshold reach it, by a tolerance or by rounding to two decimals.

    A score reaches a threshold if it is equal to it or above it; 0.4999 does not reach 0.5.
    """
    return name_head(scores, threshold - 0.01)


@misconception("name_head", "name-head-none")
def none(scores, threshold=0.5):
    """You return nothing where no score reaches the threshold.

    Such a head has a name as well. What happens in your function if no comparison holds?

    Put `return "mixed"` after the loop.
    """
    name = name_head(scores, threshold)
    return None if name == "mixed" else name


@misconception("name_head", "name-head-null-for-mixed")
def null_for_mixed(scores, threshold=0.5):
    """You call a head null because no pattern reaches the threshold.

    Null is a pattern of its own, attention to special tokens; a head without any clear pattern is "mixed".
    """
    name = name_head(scores, threshold)
    return "null" if name == "mixed" else name


@misconception("name_head", "name-head-all-that-reach")
def all_that_reach(scores, threshold=0.5):
    """You return a list of the patterns that reach the threshold.

    Return one name, a string: the first of them.
    """
    order = ("next", "previous", "same_word", "special", "same_sentence")
    found = ["null" if pattern == "special" else pattern for pattern in order if scores[pattern] >= threshold]
    return found or ["mixed"]


@misconception("name_head", "name-head-with-score")
def with_score(scores, threshold=0.5):
    """You return the score together with the name.

    Return only the name, a string.
    """
    name = name_head(scores, threshold)
    return name, scores.get("special" if name == "null" else name, 0.0)


@misconception("name_head", "name-head-spaces")
def spaces(scores, threshold=0.5):
    """Your names have a space in place of the underscore: "same word".

    Names are spelled as in the table: "same_word", "same_sentence".
    """
    return name_head(scores, threshold).replace("_", " ")


@misconception("name_head", "name-head-pops")
def pops(scores, threshold=0.5):
    """You take scores out of the caller's dict.

    Look a score up with `scores["special"]`; `pop`, `del` and assignments change the dict that the caller still needs.
    """
    name = name_head(scores, threshold)
    scores["null"] = scores.pop("special")
    return name


@misconception("name_head", "name-head-close-counts")
def close_counts(scores, threshold=0.5):
    """In your code a score about a millionth below the threshold reaches it, through a tolerance or by rounding.

    Compare the scores as they are, with `>=` and nothing else: no `isclose`, no `round`.
    """
    return name_head(scores, threshold - 1e-6)


@misconception("name_head", "name-head-same-word-before-previous")
def same_word_before_previous(scores, threshold=0.5):
    """You check `same_word` before `previous`.

    The order is next, previous, same_word, special, same_sentence.
    """
    for pattern in ("next", "same_word", "previous", "special", "same_sentence"):
        if scores[pattern] >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-no-sentence")
def no_sentence(scores, threshold=0.5):
    """You never name a head after `same_sentence`: it becomes mixed.

    There are five patterns to check, and `same_sentence` is the last.
    """
    return name_head({**scores, "same_sentence": threshold - 1}, threshold)


@misconception("name_head", "name-head-capitals")
def other_words(scores, threshold=0.5):
    """You write the name in another form, such as "Next".

    Names are strings exactly as in the table, in small letters and with underscores.
    """
    return name_head(scores, threshold).capitalize()


@misconception("name_head", "name-head-order-of-the-dict-sentence-last")
def order_of_the_dict_sentence_last(scores, threshold=0.5):
    """You check `same_sentence` last, but the other scores in the order in which the dict happens to list them.

    A dict may list its keys in any order. Write down the order of the table and look each score up.
    """
    for pattern in (*(each for each in scores if each != "same_sentence"), "same_sentence"):
        if scores[pattern] >= threshold:
            return "null" if pattern == "special" else pattern
    return "mixed"


@misconception("name_head", "name-head-strictly-above", "name-head-special")
def strictly_above_called_special(scores, threshold=0.5):
    for pattern in ("next", "previous", "same_word", "special", "same_sentence"):
        if scores[pattern] > threshold:
            return pattern
    return "mixed"


@misconception("name_head", "name-head-isclose")
def nearly_equal_counts(scores, threshold=0.5):
    """In your code a score less than a billionth below the threshold reaches it, as with `math.isclose`, `round` or
    float32.

    Near is not equal, and not above. Which single comparison says both "equal" and "above"?
    """
    return name_head(scores, threshold - 1e-10)


@misconception("name_head", "name-head-always-mixed")
def always_mixed(scores, threshold=0.5):
    """You call every head mixed, whatever its scores are.

    Print what your comparison gives for a score of 1.0. A chain such as `a >= b is True` asks two things: whether
    `a >= b`, and whether b is True.
    """
    return "mixed"
