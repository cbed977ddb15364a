"""Wrong ways to count the parameters of attention."""

from reference.ch05_multihead import attention_parameters
from reference.misconceptions import misconception


@misconception("attention_parameters", "attention-parameters-no-bias")
def biases_forgotten(width, num_heads, key_width=None, bias=True):
    """You count no biases.

    With `bias=True` each layer has one for each of its outputs: 3·H·d for w_q, w_k and w_v, and D for w_o.
    """
    return attention_parameters(width, num_heads, key_width, bias=False)


@misconception("attention_parameters", "attention-parameters-bias-ignored")
def biases_always(width, num_heads, key_width=None, bias=True):
    """You count biases even if `bias` is False.

    Then each of the four layers is a matrix and nothing else.
    """
    return attention_parameters(width, num_heads, key_width)


@misconception("attention_parameters", "attention-parameters-full-heads")
def heads_of_full_width(width, num_heads, key_width=None, bias=True):
    """Where no key width is given, you let every head have D columns.

    `None` means D / H: the heads share the D columns, and their number drops out.
    """
    if key_width is None and width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return attention_parameters(width, num_heads, key_width or width, bias)


@misconception("attention_parameters", "attention-parameters-no-output")
def output_layer_forgotten(width, num_heads, key_width=None, bias=True):
    """You count three layers: w_o is missing.

    After the heads comes a fourth layer, from H·d to D, with D biases.
    """
    whole = attention_parameters(width, num_heads, key_width, bias)
    inner = width if key_width is None else num_heads * key_width
    return whole - inner * width - width * bias


@misconception("attention_parameters", "attention-parameters-output-bias")
def output_bias_too_long(width, num_heads, key_width=None, bias=True):
    """You count the four layers alike, but w_o leads from H·d back to D, so it has D biases and not H·d.

    A bias has as many entries as its layer has outputs.
    """
    if key_width is None:
        return attention_parameters(width, num_heads, bias=bias)
    inner = num_heads * key_width
    return 4 * (width * inner + inner * bias)


@misconception("attention_parameters", "attention-parameters-one-head")
def key_width_of_all_heads(width, num_heads, key_width=None, bias=True):
    """You take `key_width` for the columns of all heads together.

    It is what each head keeps; together they have H·key_width.
    """
    if key_width is None:
        return attention_parameters(width, num_heads, bias=bias)
    return attention_parameters(width, 1, key_width, bias)


@misconception("attention_parameters", "attention-parameters-ignores-key-width")
def key_width_ignored(width, num_heads, key_width=None, bias=True):
    """You ignore `key_width`: your layers always lead from D to D.

    If it is given, w_q, w_k and w_v lead from D to H·key_width, and w_o from there to D.
    """
    if key_width is None:
        return attention_parameters(width, num_heads, bias=bias)
    return attention_parameters(width, 1, bias=bias)


@misconception("attention_parameters", "attention-parameters-no-output-bias")
def output_bias_forgotten(width, num_heads, key_width=None, bias=True):
    """You count the biases of w_q, w_k and w_v, but not the D biases of w_o.

    All four layers have one, w_o too.
    """
    return attention_parameters(width, num_heads, key_width, bias) - width * bias


@misconception("attention_parameters", "attention-parameters-output-bias-stays")
def output_bias_always(width, num_heads, key_width=None, bias=True):
    """With `bias=False` you still count the D biases of w_o.

    Some models do keep that one, but here the switch is for all four layers.
    """
    return attention_parameters(width, num_heads, key_width, bias) + width * (not bias)


@misconception("attention_parameters", "attention-parameters-float")
def as_a_float(width, num_heads, key_width=None, bias=True):
    """You return a float.

    Can a layer have 2.5 parameters? Look for the operation that makes a float of two whole numbers.

    Stay with whole numbers: `width // num_heads`, not `/`.
    """
    return float(attention_parameters(width, num_heads, key_width, bias))


@misconception("attention_parameters", "attention-parameters-floored")
def remainder_cut_off(width, num_heads, key_width=None, bias=True):
    """When H does not divide D and no key width is given, you round D / H down instead of refusing.

    No such layer exists; raise a ValueError that names D and H.
    """
    if key_width is None:
        key_width = width // num_heads
    return attention_parameters(width, num_heads, key_width, bias)


@misconception("attention_parameters", "attention-parameters-refuses")
def refused_though_given(width, num_heads, key_width=None, bias=True):
    """You refuse a width that H does not divide even if `key_width` is given.

    Then nothing is divided; check only where `key_width is None`.
    """
    if width % num_heads:
        raise ValueError(f"a width of {width} cannot be cut into {num_heads} equal heads")
    return attention_parameters(width, num_heads, key_width, bias)


@misconception("attention_parameters", "attention-parameters-assert")
def asserted(width, num_heads, key_width=None, bias=True):
    """You check with `assert`, which raises an AssertionError and is skipped under `python -O`.

    The task names the error that it wants. Which statement raises an error of your choice?

    To check arguments, write `if width % num_heads: raise ValueError(...)` with both numbers in the text.
    """
    assert key_width is not None or width % num_heads == 0
    return attention_parameters(width, num_heads, key_width, bias)


@misconception("attention_parameters", "attention-parameters-names-nothing")
def refused_without_numbers(width, num_heads, key_width=None, bias=True):
    """Your ValueError does not say which numbers do not fit.

    Name the width and the number of heads, as in `f"width {width}, {num_heads} heads"`.
    """
    if key_width is None and width % num_heads:
        raise ValueError("the width is not divisible by the number of heads")
    return attention_parameters(width, num_heads, key_width, bias)


@misconception("attention_parameters", "attention-parameters-output-bias-per-head")
def output_bias_for_every_head(width, num_heads, key_width=None, bias=True):
    """You count the D biases of w_o once for every head.

    w_o is one layer for all heads together, and has one bias of D numbers.
    """
    return attention_parameters(width, num_heads, key_width, bias) + (num_heads - 1) * width * bias


@misconception("attention_parameters", "attention-parameters-biases-of-width")
def four_biases_of_the_width(width, num_heads, key_width=None, bias=True):
    """You count four biases of D numbers, but those of w_q, w_k and w_v have H·d each.

    A bias has as many entries as its layer has outputs.
    """
    return attention_parameters(width, num_heads, key_width, bias=False) + 4 * width * bias


@misconception("attention_parameters", "attention-parameters-square-output")
def square_output_layer(width, num_heads, key_width=None, bias=True):
    """You count w_o as a layer from D to D, but it reads the H·d columns of all heads.

    w_o leads from H·d to D: H·d·D weights and D biases.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    return attention_parameters(width, num_heads, key_width, bias) + width * (width - inner)


@misconception("attention_parameters", "attention-parameters-single-head")
def one_head_alone(width, num_heads, key_width=None, bias=True):
    """You count one head only, with a w_o that reads the d columns of that head.

    Together the heads have H·d columns: each of w_q, w_k and w_v has that many outputs, and w_o that many inputs.
    """
    return attention_parameters(width, 1, width // num_heads if key_width is None else key_width, bias)


@misconception("attention_parameters", "attention-parameters-output-per-head")
def full_output_layer_for_every_head(width, num_heads, key_width=None, bias=True):
    """You count the four layers of the width D once for every head.

    The heads share the columns: w_q, w_k and w_v have H·d outputs for all heads together, and there is one w_o.
    """
    return num_heads * attention_parameters(width, 1, width, bias)


@misconception("attention_parameters", "attention-parameters-norm")
def norm_counted(width, num_heads, key_width=None, bias=True):
    """You count a layer norm too, 2·D numbers.

    The norm belongs to the block around the attention; count w_q, w_k, w_v and w_o.
    """
    return attention_parameters(width, num_heads, key_width, bias) + 2 * width


@misconception("attention_parameters", "attention-parameters-fused-bias")
def one_bias_for_three_layers(width, num_heads, key_width=None, bias=True):
    """You count one bias of H·d for w_q, w_k and w_v together; each of the three has one.

    One matrix for all three has 3·H·d outputs, and so many biases.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    return attention_parameters(width, num_heads, key_width, bias) - 2 * inner * bias


@misconception("attention_parameters", "attention-parameters-one-input-layer")
def one_layer_for_three(width, num_heads, key_width=None, bias=True):
    """You count two layers: one of w_q, w_k and w_v, and w_o.

    Queries, keys and values have a layer each, and w_o is the fourth.
    """
    inner = num_heads * (width // num_heads if key_width is None else key_width)
    return attention_parameters(width, num_heads, key_width, bias) - 2 * (width * inner + inner * bias)
