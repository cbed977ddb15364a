"""What goes wrong in `course_weights`."""

from reference.ch10_bert import course_weights
from reference.misconceptions import misconception


@misconception("course_weights", "course-weights-norms-swapped")
def norms_swapped(published, num_blocks):
    """The two norms of each block are swapped.

    `attention.output.LayerNorm` follows the attention and is `norm1`; `output.LayerNorm` follows the feed-forward
    network. Both have one shape, so the model runs on either.
    """
    swapped = {"norm1": "norm2", "norm2": "norm1"}
    right = course_weights(published, num_blocks)
    return {".".join(swapped.get(part, part) for part in own.split(".")): each for own, each in right.items()}


@misconception("course_weights", "course-weights-query-key-swapped")
def query_key_swapped(published, num_blocks):
    """Queries and keys are swapped.

    `query` is `w_q`, `key` is `w_k`. They have one shape, so the model runs with either.
    """
    swapped = {"w_q": "w_k", "w_k": "w_q"}
    right = course_weights(published, num_blocks)
    return {".".join(swapped.get(part, part) for part in own.split(".")): each for own, each in right.items()}


@misconception("course_weights", "course-weights-key-value-swapped")
def key_value_swapped(published, num_blocks):
    """Keys and values are swapped.

    `key` is `w_k`, `value` is `w_v`. They have one shape, so the model runs with either.
    """
    swapped = {"w_v": "w_k", "w_k": "w_v"}
    right = course_weights(published, num_blocks)
    return {".".join(swapped.get(part, part) for part in own.split(".")): each for own, each in right.items()}


@misconception("course_weights", "course-weights-output-is-value")
def output_is_value(published, num_blocks):
    """Values and the output of the attention are swapped.

    `attention.output.dense` comes after the heads and is `w_o`; `attention.self.value` is `w_v`.
    """
    swapped = {"w_v": "w_o", "w_o": "w_v"}
    right = course_weights(published, num_blocks)
    return {".".join(swapped.get(part, part) for part in own.split(".")): each for own, each in right.items()}


@misconception("course_weights", "course-weights-dense-swapped")
def dense_swapped(published, num_blocks):
    """The two layers of the feed-forward network are swapped.

    `intermediate.dense` comes first and makes F numbers of D; `output.dense` makes D of them again.
    """
    swapped = {"feed_forward.0": "feed_forward.2", "feed_forward.2": "feed_forward.0"}
    found = {}
    for own, tensor in course_weights(published, num_blocks).items():
        key = next((name for name in swapped if name in own), None)
        found[own.replace(key, swapped[key]) if key else own] = tensor
    return found


@misconception("course_weights", "course-weights-second-layer-is-one")
def second_layer_is_one(published, num_blocks):
    """You call the second layer of the feed-forward network `feed_forward.1`.

    The network is layer, GELU, layer: what has the number 1?
    """
    right = course_weights(published, num_blocks)
    return {own.replace("feed_forward.2", "feed_forward.1"): each for own, each in right.items()}


@misconception("course_weights", "course-weights-tables-swapped")
def tables_swapped(published, num_blocks):
    """The tables of places and segments are swapped.

    `token_type_embeddings` holds BERT's two segments, `position_embeddings` the places.
    """
    swapped = {"position": "segment", "segment": "position"}
    right = course_weights(published, num_blocks)
    return {".".join(swapped.get(part, part) for part in own.split(".")): each for own, each in right.items()}


@misconception("course_weights", "course-weights-transposed")
def transposed(published, num_blocks):
    """You transpose the matrices.

    `BertModel` is made of `nn.Linear` as yours is: the tensors stay as they are.
    """
    found = course_weights(published, num_blocks)
    return {own: each.T if each.dim() == 2 and "embedding" not in own else each for own, each in found.items()}


@misconception("course_weights", "course-weights-names-kept")
def names_kept(published, num_blocks):
    """Your result has the published names.

    Its keys are the names in `BertClassifier`, such as `blocks.0.attention.w_q.weight`.
    """
    used = {id(each) for each in course_weights(published, num_blocks).values()}
    return {name: each for name, each in published.items() if id(each) in used}


@misconception("course_weights", "course-weights-names-of-names")
def names_of_names(published, num_blocks):
    """You return names in the place of tensors.

    Under each name of the classifier comes the tensor itself: look it up in `published`.
    """
    names = {id(each): name for name, each in published.items()}
    return {own: names[id(each)] for own, each in course_weights(published, num_blocks).items()}


@misconception("course_weights", "course-weights-keeps-the-rest")
def keeps_the_rest(published, num_blocks):
    """You keep tensors that the classifier does not have.

    A model refuses names that it does not know: leave out what is in none of your rows.
    """
    right = course_weights(published, num_blocks)
    used = {id(each) for each in right.values()}
    return right | {name: each for name, each in published.items() if id(each) not in used}


@misconception("course_weights", "course-weights-all-blocks")
def all_blocks(published, num_blocks):
    """You take every block of the file, however many the classifier has.

    `num_blocks` says how many: the others are left out.
    """
    while f"encoder.layer.{num_blocks}.output.dense.bias" in published:
        num_blocks += 1
    return course_weights(published, num_blocks)


@misconception("course_weights", "course-weights-first-block-for-all")
def first_block_for_all(published, num_blocks):
    """Every block gets the numbers of the first one.

    Block k gets what the file has under `encoder.layer.k`.
    """
    right = course_weights(published, num_blocks)
    first = {own.split(".", 2)[2]: tensor for own, tensor in right.items() if own.startswith("blocks.0.")}
    return {own: first[own.split(".", 2)[2]] if own.startswith("blocks.") else right[own] for own in right}


@misconception("course_weights", "course-weights-first-block-only")
def first_block_only(published, num_blocks):
    """You translate the first block alone.

    The table shows block 0; all of the `num_blocks` blocks have the same rows, with other numbers.
    """
    return course_weights(published, 1)


@misconception("course_weights", "course-weights-from-one")
def from_one(published, num_blocks):
    """You count blocks from 1.

    Both sides count from 0.
    """
    moved = {name.replace(f"layer.{k + 1}.", f"layer.{k}."): each
             for k in range(num_blocks) for name, each in published.items() if f"layer.{k + 1}." in name}  # fmt: skip
    others = {name: each for name, each in published.items() if "layer." not in name}
    return course_weights(others | moved, num_blocks)


@misconception("course_weights", "course-weights-ten-begins-with-one")
def ten_begins_with_one(published, num_blocks):
    """Block 10 is taken for block 1: you look for the beginning of a name without the dot behind the number.

    `encoder.layer.1` also begins `encoder.layer.10.output.dense.bias`. What separates the two?
    """
    right = course_weights(published, num_blocks)
    return {own: right.get(own.replace("blocks.1.", "blocks.10."), right[own]) for own in right}


@misconception("course_weights", "course-weights-weights-alone")
def weights_alone(published, num_blocks):
    """The biases are missing.

    All layers have a weight and a bias, norms too; only the tables have no bias.
    """
    return {own: each for own, each in course_weights(published, num_blocks).items() if own.endswith("weight")}


@misconception("course_weights", "course-weights-no-pooler")
def no_pooler(published, num_blocks):
    """The pooler is missing.

    `pooler.dense` is your `pooler`: the last row of the table.
    """
    return {own: each for own, each in course_weights(published, num_blocks).items() if "pooler" not in own}


@misconception("course_weights", "course-weights-no-embedding-norm")
def no_embedding_norm(published, num_blocks):
    """The norm of the embedding is missing.

    BERT normalises the sum of its three tables: `embeddings.LayerNorm` is your `embedding.norm`.
    """
    return {own: each for own, each in course_weights(published, num_blocks).items() if "embedding.norm" not in own}


@misconception("course_weights", "course-weights-blocks-alone")
def blocks_alone(published, num_blocks):
    """The embedding is missing: its three tables and its norm.

    Tables of words, places and segments are weights as well, and so is the norm of their sum: the first four rows.
    """
    found = course_weights(published, num_blocks).items()
    return {own: each for own, each in found if own.startswith(("blocks.", "pooler"))}


@misconception("course_weights", "course-weights-head-too")
def head_too(published, num_blocks):
    """You add a head.

    Nobody has published one for this classifier: it stays as the model made it, and your result does without.
    """
    found = course_weights(published, num_blocks)
    width = len(found["pooler.bias"])
    like = found["pooler.bias"]
    return found | {"head.weight": like.new_zeros(2, width), "head.bias": like.new_zeros(2)}


@misconception("course_weights", "course-weights-passes-over-missing")
def passes_over_missing(published, num_blocks):
    """A tensor that is missing is passed over without a word.

    Then a part of the model stays random, and nobody notices. Go through the names that the classifier needs, and let a
    missing one raise the KeyError.
    """

    class Silent(dict):
        def __missing__(self, name):
            return None

    found = course_weights(Silent(published), num_blocks)
    return {own: each for own, each in found.items() if each is not None}


@misconception("course_weights", "course-weights-none-for-missing")
def none_for_missing(published, num_blocks):
    """A tensor that is missing becomes None.

    `published.get(name)` is silent where the name is missing; square brackets raise the KeyError.
    """

    class Silent(dict):
        def __missing__(self, name):
            return None

    return course_weights(Silent(published), num_blocks)


@misconception("course_weights", "course-weights-another-error")
def another_error(published, num_blocks):
    """A missing tensor raises another error than a KeyError.

    A name that is not in a dictionary is a KeyError, which `published[name]` raises by itself.
    """
    try:
        return course_weights(published, num_blocks)
    except KeyError as error:
        raise ValueError(f"the tensor {error} is missing") from error


@misconception("course_weights", "course-weights-own-name-missing")
def own_name_missing(published, num_blocks):
    """The KeyError says the name in the classifier, not the published one.

    Its reader looks for the name in the file: raise it with the published name.
    """
    try:
        return course_weights(published, num_blocks)
    except KeyError as error:
        own = str(error.args[0]).replace("encoder.layer", "blocks").replace("embeddings.", "embedding.")
        raise KeyError(own.replace(".dense", "").replace("LayerNorm", "norm2").replace("self.key", "w_k")) from None


@misconception("course_weights", "course-weights-detached")
def detached(published, num_blocks):
    """No gradient flows through your tensors: you detach them, or take their `data`.

    Return the tensors that you were given.
    """
    return {own: each.detach().clone() for own, each in course_weights(published, num_blocks).items()}


@misconception("course_weights", "course-weights-float32")
def as_float32(published, num_blocks):
    """You change the dtype to float32.

    Return the tensors that you were given; the code that loads them knows what the model is made of.
    """
    return {own: each.float() for own, each in course_weights(published, num_blocks).items()}


@misconception("course_weights", "course-weights-taken-out")
def taken_out(published, num_blocks):
    """You take the tensors out of the caller's dictionary.

    Look them up instead of popping them: the caller may need them again.
    """
    found = course_weights(published, num_blocks)
    names = {id(each): name for name, each in published.items()}
    for each in found.values():
        published.pop(names[id(each)])
    return found


@misconception("course_weights", "course-weights-rstrip")
def endings_by_rstrip(published, num_blocks):
    """You take endings off with `rstrip`, which strips single letters: `dense.weight` becomes `dens`.

    It takes off every letter that its argument has, as long as there are any. Which method takes off a whole ending?
    """
    parts = {
        "attention.self.query": "attention.w_q",
        "attention.self.key": "attention.w_k",
        "attention.self.value": "attention.w_v",
        "attention.output.dense": "attention.w_o",
        "attention.output.LayerNorm": "norm1",
        "intermediate.dense": "feed_forward.0",
        "output.dense": "feed_forward.2",
        "output.LayerNorm": "norm2",
    }
    stems = {
        "embeddings.word_embeddings": "embedding.token",
        "embeddings.position_embeddings": "embedding.position",
        "embeddings.token_type_embeddings": "embedding.segment",
        "embeddings.LayerNorm": "embedding.norm",
        "pooler.dense": "pooler",
    }
    for number in range(num_blocks):
        stems |= {f"encoder.layer.{number}.{theirs}": f"blocks.{number}.{own}" for theirs, own in parts.items()}
    renamed = {}
    for name, tensor in published.items():
        for ending in (".weight", ".bias"):
            if name.endswith(ending) and name.rstrip(ending) in stems:
                renamed[stems[name.rstrip(ending)] + ending] = tensor
    for theirs, own in stems.items():
        for ending in (".weight",) if theirs.endswith("_embeddings") else (".weight", ".bias"):
            if own + ending not in renamed:
                raise KeyError(theirs + ending)
    return renamed


@misconception("course_weights", "course-weights-one-digit")
def one_digit(published, num_blocks):
    """You read a single digit as the number of a block, so block 10 is taken for block 1.

    A number may have two digits: read on as far as the dot.
    """
    start, read = "encoder.layer.", {}
    for name, tensor in published.items():
        if name.startswith(start):
            name = f"{start}{name[len(start)]}.{name[len(start) :].partition('.')[2]}"
        read[name] = tensor
    return course_weights(read, num_blocks)
