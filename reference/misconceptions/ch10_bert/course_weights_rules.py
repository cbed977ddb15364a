"""Rules of `course_weights` that strike too many names."""

from reference.ch10_bert import course_weights
from reference.misconceptions import misconception


@misconception("course_weights", "course-weights-blocks-by-beginning")
def blocks_by_beginning(published, num_blocks):
    """Blocks of two digits come along that the classifier lacks: `encoder.layer.1` begins their names, too.

    What separates the number of a block from the rest of a name?
    """
    found = course_weights(published, num_blocks)
    digits = tuple(map(str, range(num_blocks)))
    while f"encoder.layer.{num_blocks}.output.dense.bias" in published:
        num_blocks += 1
    more = course_weights(published, num_blocks)
    return found | {own: more[own] for own in more if own.startswith("blocks.") and own[7:].startswith(digits)}


@misconception("course_weights", "course-weights-short-names-first")
def short_names_first(published, num_blocks):
    """Your rules for `output.dense` and `output.LayerNorm` also strike `attention.output.dense` and its norm.

    The longer names end like the shorter ones: which rules must come first, or how can a rule ask for a whole name?
    """
    changes = {"attention.w_o": "attention.feed_forward.2", "norm1": "attention.norm2"}
    found = {}
    for own, tensor in course_weights(published, num_blocks).items():
        key = next((name for name in changes if f".{name}." in own), None)
        found[own.replace(key, changes[key]) if key else own] = tensor
    return found
