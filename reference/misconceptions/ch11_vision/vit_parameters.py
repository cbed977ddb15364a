"""What goes wrong in `vit_parameters`."""

from reference.ch11_vision import vit_parameters
from reference.misconceptions import misconception


@misconception("vit_parameters", "vit-parameters-no-biases")
def no_biases(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count no biases at all.

    Every linear layer here has one number per output besides its weight: (a + 1) · b in all.
    """
    biases = width + num_blocks * (5 * width + hidden) + num_classes
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks) - biases


@misconception("vit_parameters", "vit-parameters-attention-biases")
def attention_biases(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You leave out 4 · D numbers in each block: the biases of the attention, or else both norms.

    Queries, keys, values and output have a bias each: 4 · (D · D + D) per block. A norm has a scale and a shift.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * 4 * width


@misconception("vit_parameters", "vit-parameters-feed-forward-biases")
def feed_forward_biases(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the biases of the feed-forward networks.

    Both layers have one: F numbers in the first and D in the second, in every block.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * (hidden + width)


@misconception("vit_parameters", "vit-parameters-one-vector")
def one_vector(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is D too small: one vector of D numbers is missing.

    Compare your sum: N + 1 positions, one class token, a bias in the projection, scale and shift in the last norm.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks) - width


@misconception("vit_parameters", "vit-parameters-two-vectors")
def two_vectors(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """The count is 2 · D too small: two vectors of D numbers are missing.

    Compare your sum: N + 1 positions, one class token, a bias in the projection, scale and shift in the last norm.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks) - 2 * width


@misconception("vit_parameters", "vit-parameters-no-positions")
def no_positions(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the positions.

    They are learned here: D numbers for each of the N + 1 places.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - ((image_size // patch) ** 2 + 1) * width


@misconception("vit_parameters", "vit-parameters-one-row")
def one_row(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count the patches of one row instead of those of the whole picture.

    N is (image_size / P) squared.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    side = image_size // patch
    return count - (side**2 - side) * width


@misconception("vit_parameters", "vit-parameters-pixels")
def pixels(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count a position for every pixel.

    Patches are the words here: N is (image_size / P) squared, and there are N + 1 positions.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count + (image_size**2 - (image_size // patch) ** 2) * width


@misconception("vit_parameters", "vit-parameters-patch-not-squared")
def patch_not_squared(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your projection reads P · C numbers.

    A patch is P pixels wide and P high, so it has P · P · C.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (patch - 1) * patch * channels * width


@misconception("vit_parameters", "vit-parameters-one-channel")
def one_channel(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your projection reads a single channel.

    Every pixel of a patch brings all its C channels: P · P · C numbers.
    """
    return vit_parameters(image_size, patch, 1, num_classes, width, hidden, num_blocks)


@misconception("vit_parameters", "vit-parameters-three-channels")
def three_channels(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your projection reads three channels, whatever `channels` says.

    Pictures may be grey or have more bands; take the argument.
    """
    return vit_parameters(image_size, patch, 3, num_classes, width, hidden, num_blocks)


@misconception("vit_parameters", "vit-parameters-three-maps")
def three_maps(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count three maps in the attention.

    Besides those for queries, keys and values there is the output map, another D · D + D.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * (width * width + width)


@misconception("vit_parameters", "vit-parameters-hidden-ignored")
def hidden_ignored(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You take 4 · D for the width of the feed-forward network.

    That is the usual choice, but `hidden` is an argument; count with it.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, 4 * width, num_blocks)


@misconception("vit_parameters", "vit-parameters-one-feed-forward-layer")
def one_feed_forward_layer(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count one layer of the feed-forward network.

    There are two: from D to F, and back from F to D.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * (hidden * width + width)


@misconception("vit_parameters", "vit-parameters-block-norms")
def block_norms(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count half of the blocks' norms: one norm per block, or only their scales.

    A block has two, and each has a scale and a shift: 4 · D.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - num_blocks * 2 * width


@misconception("vit_parameters", "vit-parameters-no-norms")
def no_norms(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the layer norms.

    They have a scale and a shift each: 4 · D in every block, and 2 · D in the last norm.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (4 * num_blocks + 2) * width


@misconception("vit_parameters", "vit-parameters-scales-only")
def scales_only(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count the scales of all layer norms and leave out their shifts.

    A norm has both, 2 · D numbers, and there are two in every block and one after the last.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (2 * num_blocks + 1) * width


@misconception("vit_parameters", "vit-parameters-no-head")
def no_head(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the head.

    It is a linear layer from D numbers to the classes: D · classes weights and a bias per class.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return count - (width + 1) * num_classes


@misconception("vit_parameters", "vit-parameters-head-bias")
def head_bias(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You do not count the bias of the head.

    It has one number per class besides D · classes weights.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks) - num_classes


@misconception("vit_parameters", "vit-parameters-one-block")
def one_block(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You count a single block.

    There are `num_blocks` of them, with weights of their own: multiply.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, 1)


@misconception("vit_parameters", "vit-parameters-all-repeated")
def all_repeated(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You multiply everything by the number of blocks, embedding and head included.

    Only what is inside a block is there `num_blocks` times.
    """
    return num_blocks * vit_parameters(image_size, patch, channels, num_classes, width, hidden, 1)


@misconception("vit_parameters", "vit-parameters-float")
def as_float(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """Your count is right, but a float.

    A single `/` makes everything computed from it a float: use `//` for the number of patches along a side.
    """
    return float(vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks))


@misconception("vit_parameters", "vit-parameters-millions")
def millions(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You return the count in millions.

    The table in the text rounds to millions; the answer is the number itself, an int.
    """
    return vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks) / 1e6
