"""Parts in `vit_parameters` that are counted once too often or not at all."""

from reference.ch11_vision import vit_parameters
from reference.misconceptions import misconception


@misconception("vit_parameters", "vit-parameters-vector-and-head-bias")
def vector_and_head_bias(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is D + classes too small: one vector of D numbers and the head's bias are missing.

    The head has a bias for each class. The vector: the last position, the token, the projection's bias or half a norm?
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - width - num_classes


@misconception("vit_parameters", "vit-parameters-two-vectors-and-head-bias")
def two_vectors_and_head_bias(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is 2 · D + classes too small: two vectors of D numbers and the head's bias are missing.

    Class token with its position, or the last norm; and the head has a bias, a number for each class.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - 2 * width - num_classes


@misconception("vit_parameters", "vit-parameters-three-vectors")
def three_vectors(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is 3 · D too small: three vectors of D numbers are missing.

    Compare your sum: N + 1 positions, one class token, a bias in the projection, scale and shift in the last norm.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - 3 * width


@misconception("vit_parameters", "vit-parameters-one-vector-more")
def one_vector_more(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is D too large: you count one vector too many.

    N + 1 positions, one class token: the token's place is in the N + 1 already.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count + width


@misconception("vit_parameters", "vit-parameters-positions-twice")
def head_and_embedding(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count a vector for each class, besides the head.

    There is one class token, however many classes there are.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count + (num_classes - 1) * width


@misconception("vit_parameters", "vit-parameters-heads")
def one_map(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count one square map for the attention.

    There are four: queries, keys, values and output, each D · D + D.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * 3 * (width * width + width)


@misconception("vit_parameters", "vit-parameters-no-attention")
def no_attention(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the attention.

    Queries, keys, values and output: 4 · (D · D + D) in each block.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * 4 * (width * width + width)


@misconception("vit_parameters", "vit-parameters-no-feed-forward")
def no_feed_forward(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the feed-forward networks.

    Two layers in each block: D · F + F and F · D + D.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * (2 * hidden * width + hidden + width)


@misconception("vit_parameters", "vit-parameters-no-projection")
def no_projection(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the projection.

    It maps P · P · C numbers to D, with a bias.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (patch * patch * channels + 1) * width


@misconception("vit_parameters", "vit-parameters-first-layer-bias")
def first_layer_bias(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You leave out the bias of the first feed-forward layer.

    It has F outputs and so F biases, in every block.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * hidden


@misconception("vit_parameters", "vit-parameters-one-block-more")
def one_block_more(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count one block too many.

    There are `num_blocks` of them.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks + 1)


@misconception("vit_parameters", "vit-parameters-no-embedding")
def no_embedding(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the embedding: projection, class token and positions.

    (P · P · C + 1) · D for the projection, D for the token, (N + 1) · D for the positions.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (patch * patch * channels + 3 + (image_size // patch) ** 2) * width


@misconception("vit_parameters", "vit-parameters-pixels-in-positions")
def rows_plus_columns(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your number of patches is 2 · (image_size / P): `* 2` where `** 2` should be, or rows plus columns.

    N is (image_size / P) squared: each place has a position of its own.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    side = image_size // patch
    return count - (side**2 - 2 * side) * width


@misconception("vit_parameters", "vit-parameters-norms-of-two-numbers")
def norms_of_two_numbers(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count two numbers for each layer norm.

    A norm has a scale and a shift for every feature: how many features has a vector?
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (2 * num_blocks + 1) * (2 * width - 2)


@misconception("vit_parameters", "vit-parameters-roles-without-biases")
def roles_without_biases(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You leave out 3 · D numbers in each block: three of the four biases of the attention.

    Queries, keys, values and output each have a layer with a bias of its own. What does your factor 4 multiply?
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - 3 * num_blocks * width


@misconception("vit_parameters", "vit-parameters-power-first")
def power_first(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your number of patches is the side over the square of P, not the square of side over P.

    Without brackets, `**` comes before `//`. How many patches of 4 × 4 fit along a side of 20, and how many in all?
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count + (image_size // patch**2 - (image_size // patch) ** 2) * width


@misconception("vit_parameters", "vit-parameters-one-bias-per-block")
def one_bias_per_block(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You leave out D numbers in each block: one bias of the attention, or that of the second feed-forward layer.

    Some models leave out the bias of the keys. Which layers of a block have D outputs, and does each have its bias?
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * width
