"""Parameters of attention: layers, heads and biases that are counted too often, or not at all."""

from reference.ch05_multihead import attention_parameters
from reference.misconceptions import misconception


@misconception("attention_parameters", "attention-parameters-only-output-bias")
def only_the_output_bias(width, num_heads, key_width=None, bias=True):
    """You count the D biases of w_o, but not those of w_q, w_k and w_v.

    Each of the four layers has a bias, with a number for each of its outputs.
    """
    return attention_parameters(width, num_heads, key_width, bias=False) + width * bias


@misconception("attention_parameters", "attention-parameters-everything-per-head")
def everything_for_every_head(width, num_heads, key_width=None, bias=True):
    """You multiply the whole count by the number of heads, which your layers hold already.

    A layer with H·d outputs serves all heads. How often is it in the model?
    """
    return num_heads * attention_parameters(width, num_heads, key_width, bias)


@misconception("attention_parameters", "attention-parameters-input-layers-per-head")
def input_layers_for_every_head(width, num_heads, key_width=None, bias=True):
    """You count w_q, w_k and w_v once for every head, though each of them has the H·d columns of all heads.

    Either H small layers with d outputs, or one large layer with H·d: not H large ones.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    more = (num_heads - 1) * 3 * (width + bias) * inner
    return attention_parameters(width, num_heads, key_width, bias) + more


@misconception("attention_parameters", "attention-parameters-input-layers-of-one-head")
def input_layers_of_one_head(width, num_heads, key_width=None, bias=True):
    """You count w_q, w_k and w_v for one head only, with d outputs each.

    Every head has columns of its own in each of the three. How many outputs do the heads need together?
    """
    own = width // num_heads if key_width is None else key_width
    return attention_parameters(width, num_heads, key_width, bias) - (num_heads - 1) * 3 * (width + bias) * own


@misconception("attention_parameters", "attention-parameters-one-layer")
def one_layer_of_four(width, num_heads, key_width=None, bias=True):
    """You count a single layer.

    Attention has four: for queries, for keys, for values, and one after the heads.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    whole = attention_parameters(width, num_heads, key_width, bias)
    return whole - 2 * (width + bias) * inner - (inner + bias) * width


@misconception("attention_parameters", "attention-parameters-no-width")
def layers_from_all_columns_to_all(width, num_heads, key_width=None, bias=True):
    """You count four layers from H·d to H·d, but queries, keys and values are made from D columns.

    w_q, w_k and w_v read the width and w_o leads back to it; only the other side of each layer has H·d.
    """
    if key_width is None:
        return attention_parameters(width, num_heads, None, bias)
    inner = num_heads * key_width
    return 4 * (inner + bias) * inner


@misconception("attention_parameters", "attention-parameters-single-biases")
def biases_of_one_number(width, num_heads, key_width=None, bias=True):
    """You count one number for the bias of each layer, four in all.

    A bias adds a number of its own to every output of its layer.
    """
    return attention_parameters(width, num_heads, key_width, bias=False) + 4 * bias


@misconception("attention_parameters", "attention-parameters-two-input-layers")
def two_input_layers(width, num_heads, key_width=None, bias=True):
    """You count two layers in front of the heads; there are three, for queries, keys and values.

    Keys and values come from the same words, but through a layer each.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    return attention_parameters(width, num_heads, key_width, bias) - (width + bias) * inner


@misconception("attention_parameters", "attention-parameters-four-input-layers")
def four_input_layers(width, num_heads, key_width=None, bias=True):
    """You count five layers: one too many from D to H·d.

    Three layers lead to the heads, w_q, w_k and w_v, and one leads back.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    return attention_parameters(width, num_heads, key_width, bias) + (width + bias) * inner


@misconception("attention_parameters", "attention-parameters-biases-of-one-head")
def input_biases_of_one_head(width, num_heads, key_width=None, bias=True):
    """You count the biases of w_q, w_k and w_v for one head only, d numbers each.

    Each of the three layers has H·d outputs, and a bias for every output.
    """
    own = width // num_heads if key_width is None else key_width
    return attention_parameters(width, num_heads, key_width, bias) - (num_heads - 1) * 3 * own * bias


@misconception("attention_parameters", "attention-parameters-biases-per-head")
def biases_for_every_head(width, num_heads, key_width=None, bias=True):
    """You multiply all biases by the number of heads.

    A bias has one number for each output of its layer, and H·d already counts the outputs of all heads.
    """
    matrices = attention_parameters(width, num_heads, key_width, bias=False)
    return num_heads * attention_parameters(width, num_heads, key_width, bias) - (num_heads - 1) * matrices


@misconception("attention_parameters", "attention-parameters-divided-by-heads")
def count_of_one_head(width, num_heads, key_width=None, bias=True):
    """You divide the whole count by the number of heads: that is the share of one head.

    The question is how many numbers all heads learn together.
    """
    return attention_parameters(width, num_heads, key_width, bias) // num_heads


@misconception("attention_parameters", "attention-parameters-key-width-unread")
def key_width_always_divided(width, num_heads, key_width=None, bias=True):
    """You always compute the key width from D and H, and refuse a width that H does not divide.

    `key_width` says how wide a head is; only if it is None do the heads share the D columns.
    """
    return attention_parameters(width, num_heads, None, bias)


@misconception("attention_parameters", "attention-parameters-all-or-nothing")
def all_or_nothing(width, num_heads, key_width=None, bias=True):
    """With `bias=False` your count is 0: the switch takes the matrices away together with the biases.

    An `if ... else 0` reaches over the whole sum before it. What should depend on `bias`, and what should not?
    """
    return attention_parameters(width, num_heads, key_width, bias) * bias


@misconception("attention_parameters", "attention-parameters-two-biases-of-three")
def two_biases_of_three(width, num_heads, key_width=None, bias=True):
    """Among w_q, w_k and w_v, you count the biases of two layers only.

    Some models leave out the bias of the keys, which the softmax cancels. Here each of the three has one.
    """
    inner = width if key_width is None else num_heads * key_width
    return attention_parameters(width, num_heads, key_width, bias) - inner * bias


@misconception("attention_parameters", "attention-parameters-equal-once")
def layers_of_equal_shape_once(width, num_heads, key_width=None, bias=True):
    """You count layers of equal shape only once, as a set of their shapes does.

    w_q, w_k and w_v have the same shape and are three layers all the same. What keeps equal things apart?
    """
    if key_width is None:
        if width % num_heads:
            raise ValueError(f"{num_heads} heads do not divide a width of {width}")
        key_width = width // num_heads
    inner = num_heads * key_width
    shapes = {(width, inner), (inner, width)}
    return sum((inputs + bias) * outputs for inputs, outputs in shapes)


@misconception("attention_parameters", "attention-parameters-equal-sizes-once")
def equal_sizes_once(width, num_heads, key_width=None, bias=True):
    """You count one weight of the four, and equal biases once, as a set does, which keeps equal numbers once.

    A list keeps them all. How many layers are there?
    """
    right = attention_parameters(width, num_heads, key_width, bias=False)  # which refuses what does not divide
    inner = right // (4 * width)
    return sum({width * inner, *((width, inner) if bias else ())})
