"""Checks of chapter 14: how many known mistakes of its part each probe exposes.

Full points need all mistakes of the families. Of the others, which are listed but not told, a few may slip through:
they need what only some inputs have, such as an axis of size 1, or float64.
"""

from collections.abc import Mapping

from autograder.suite import Agree, ProbeTarget, exercise, module

A_THIRD, TWO_THIRDS = 1 / 3, 2 / 3


def named(prefix: str, families: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the mistakes of each family, whose names all begin with `prefix`."""
    return {words: ids(prefix, names) for words, names in families.items()}


def ids(prefix: str, names: str) -> tuple[str, ...]:
    """Return the ids of mistakes, which all begin with `prefix`."""
    return tuple(f"{prefix}-{name}" for name in names.split())


HIDDEN_BY = {
    "axes counted from the left": "has size 1",
    "how the words are scaled": "axes 1 and 2 of `x`",
    "masks that must broadcast, and differ": "(axis 0|no axis) of `mask` has size 1",
    "queries that may attend to nothing": "every row of `mask` allows something|`mask` is True",
    "rows and columns": "axes 2 and 3 of `images` have the same size",
    "scale and shift": "`(scale|shift)` is|`scale` and `shift`",
    "scores too large for exp": "no number is larger",
    "what the mask does to a score": "`mask` is True",
    "what the mask hides": "`mask` is (None|True)",
    "where eps is, and how large it is": "`eps` is only",
    "where the channels go": "axis 1 of `images` has size 1",
    "whether the mean is subtracted": "every row of `x` has mean 0",
    "which layer gets which argument": "hold the same numbers",
    "which mask goes where": "mask` is (None|True)|`self_mask` and `memory_mask`",
    "which rows of the table are taken": "`positions` has as many rows as `x`",
    "which sentence and which head a mask belongs to": "axis [01] of `mask` has size 1|`mask` is (None|True)",
    "which tensor plays which role": "hold the same numbers",
}
"""What is special about arguments that hide mistakes of a family, as a pattern."""

ATTENTION = ProbeTarget(
    "ch03_attention",
    "scaled_dot_product_attention",
    "q (..., Tq, d), k (..., Tk, d), v (..., Tk, e)",
    named(
        "attention",
        {
            "how the scores are scaled": "unscaled by-d multiplied by-length hard-coded scaled-late",
            "along which axis the softmax runs": "query-axis batch-axis",
            "which tensor plays which role": "swapped mixes-keys transposed-weights",
            "what replaces the softmax": "no-softmax unnormalised hard",
            "scores too large for exp": "unstable",
            "axes counted from the left": "fixed-axes",
            "what is returned": "order returns-scores",
        },
    ),
    others=ids(
        "attention",
        "by-value-width flattened keys-and-values two-softmaxes global-max output-only squeezed default-dtype",
    ),
    hidden_by=HIDDEN_BY,
)
MASKING = ProbeTarget(
    "ch04_masking",
    "masked_attention",
    "q (..., Tq, d), k (..., Tk, d), v (..., Tk, e) and a boolean mask that broadcasts to (..., Tq, Tk)",
    named(
        "masked-attention",
        {
            "what the mask does to a score": "unmasked inverted afterwards product sum",
            "queries that may attend to nothing": "dead-nan dead-uniform dead-unmasked dead-output-only",
            "masks that must broadcast, and differ": "one-for-all indexed",
            "how the scores are scaled": "unscaled by-d multiplied by-length by-eight",
            "along which axis the softmax runs": "query-axis head-axis",
            "what replaces the softmax": "no-softmax unnormalised hard",
            "scores too large for exp": "unstable",
            "what is mixed, and what is returned": "mixes-keys returns-unmasked",
        },
    ),
    others=ids(
        "masked-attention",
        "by-value-width scaled-late 1e4 minus-ten renormalised dead-weights-only flattened order output-only "
        "returns-scores mean-weights float32",
    ),
    hidden_by=HIDDEN_BY,
)
MULTIHEAD = ProbeTarget(
    "ch05_multihead",
    "MultiHeadAttention",
    "query (B, Tq, 12), key and value (B, Tk, 12), and a boolean mask that broadcasts to (B, 3, Tq, Tk), or None",
    named(
        "mha",
        {
            "how heads are cut and joined": "merge-not-exchanged split-view reshapes-both interleaved across-heads "
            "heads-averaged",
            "which layer gets which argument": "self-only value-ignored roles key-value mixes-keys untransposed "
            "no-output-layer output-without-bias",
            "what the mask hides": "mask-inverted mask-ignored mask-afterwards mask-product mask-added mask-turned",
            "which sentence and which head a mask belongs to": "mask-first-sentence mask-first-head",
            "queries that may attend to nothing": "dead-uniform dead-nan",
            "how the scores are scaled": "scale-width unscaled by-d scale-keys scaled-before-projection",
            "scores and softmax": "query-axis head-axis flattened exponentials scores-turned",
            "what is returned": "weights-averaged",
        },
    ),
    others=ids(
        "mha",
        "batch-scrambled batch-as-positions pair-exchanged output-alone values-by-keys-layer keys-by-query-layer "
        "fill-1e4 dead-output fill-ten renormalised mask-unsqueezed mask-folded scaled-up hard-coded "
        "scaled-weights batch-axis weights-turned float32",
    ),
    build=module(12, 3),
    hidden_by=HIDDEN_BY,
)
LAYER_NORM = ProbeTarget(
    "ch06_encoder",
    "layer_norm",
    "x (..., D), scale (D,), shift (D,), eps",
    named(
        "layer-norm",
        {
            "where eps is, and how large it is": "eps-outside no-eps eps-fixed eps-floor",
            "what the variance is": "unbiased variance second-moment",
            "whether the mean is subtracted": "not-centred rms",
            "which numbers are normalised together": "keepdim positions first-axis everything",
            "axes counted from the left": "third-axis",
            "scale and shift": "no-scale no-shift scale-for-shift",
        },
    ),
    others=ids(
        "layer-norm",
        "unbiased-eps-outside eps-of-keras length last-two batch-norm no-affine shift-scaled scale-plus-one float",
    ),
    hidden_by=HIDDEN_BY,
)
POSITIONS = ProbeTarget(
    "ch02_embeddings",
    "add_positions",
    "x (B, T, D), positions (max, D) with max at least T",
    named(
        "add-positions",
        {
            "how the words are scaled": "unscaled no-root length-scaled",
            "which rows of the table are taken": "whole-table single-row last-rows",
            "along which axis positions are counted": "batch-axis",
            "how words and positions come together": "multiplied concatenated",
        },
    ),
    others=ids(
        "add-positions",
        "sum-scaled divided fixed-width from-one float32",
    ),
    hidden_by=HIDDEN_BY,
)
DECODER = ProbeTarget(
    "ch08_decoder",
    "DecoderBlock",
    "x (B, T, 8), memory (B, S, 8), and two boolean masks that broadcast to (B, 2, T, T) and (B, 2, T, S), or None",
    named(
        "decoder-block",
        {
            "which mask goes where": "no-self-mask no-memory-mask masks-swapped",
            "what asks what in the cross-attention": "cross-self cross-roles cross-values",
            "the order of the sublayers": "cross-first parallel",
            "residuals and norms": "pre-norm no-residual",
        },
    ),
    others=ids(
        "decoder-block",
        "self-mask-twice own-triangle norm-inside no-cross-residual one-norm first-residual no-feed-forward",
    ),
    build=module(8, 2, 11, 0.0),
    hidden_by=HIDDEN_BY,
)
PATCHIFY = ProbeTarget(
    "ch11_vision",
    "patchify",
    "images (B, C, H, W) and the side of a patch, which divides H and W",
    named(
        "patchify",
        {
            "where a picture is cut": "reshaped count",
            "rows and columns": "columns-first turned mirrored",
            "where the channels go": "channels-first",
            "the axes of the result": "patches-last as-unfold grid-kept",
        },
    ),
    others=ids(
        "patchify",
        "strips mixed-channels square-kept float32",
    ),
    hidden_by=HIDDEN_BY,
)


@exercise("probe_attention", points=1, level="property")
def test_attention_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(ATTENTION, share=A_THIRD)


@exercise("probe_attention", points=1, level="values")
def test_most_mistakes_about_attention_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(ATTENTION, share=TWO_THIRDS)


@exercise("probe_attention", points=2, level="values")
def test_all_mistakes_about_attention_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(ATTENTION)


@exercise("probe_attention", points=2, level="edges")
def test_mistakes_about_attention_that_nobody_listed_show(agree: Agree) -> None:
    """three quarters of the mistakes in no family show"""
    agree.exposes(ATTENTION, share=0.75, listed=False)


@exercise("probe_masking", points=1, level="property")
def test_masking_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(MASKING, share=A_THIRD)


@exercise("probe_masking", points=1, level="values")
def test_most_mistakes_about_masking_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(MASKING, share=TWO_THIRDS)


@exercise("probe_masking", points=2, level="values")
def test_all_mistakes_about_masking_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(MASKING)


@exercise("probe_masking", points=2, level="edges")
def test_mistakes_about_masking_that_nobody_listed_show(agree: Agree) -> None:
    """three quarters of the mistakes in no family show"""
    agree.exposes(MASKING, share=0.75, listed=False)


@exercise("probe_multihead", points=1, level="property")
def test_multihead_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(MULTIHEAD, share=A_THIRD)


@exercise("probe_multihead", points=1, level="values")
def test_most_mistakes_about_multihead_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(MULTIHEAD, share=TWO_THIRDS)


@exercise("probe_multihead", points=2, level="values")
def test_all_mistakes_about_multihead_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(MULTIHEAD)


@exercise("probe_multihead", points=2, level="edges")
def test_mistakes_about_multihead_that_nobody_listed_show(agree: Agree) -> None:
    """three quarters of the mistakes in no family show"""
    agree.exposes(MULTIHEAD, share=0.75, listed=False)


@exercise("probe_layer_norm", points=1, level="property")
def test_layer_norm_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(LAYER_NORM, share=A_THIRD)


@exercise("probe_layer_norm", points=1, level="values")
def test_most_mistakes_about_layer_norm_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(LAYER_NORM, share=TWO_THIRDS)


@exercise("probe_layer_norm", points=2, level="values")
def test_all_mistakes_about_layer_norm_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(LAYER_NORM)


@exercise("probe_layer_norm", points=2, level="edges")
def test_mistakes_about_layer_norm_that_nobody_listed_show(agree: Agree) -> None:
    """four fifths of the mistakes in no family show"""
    agree.exposes(LAYER_NORM, share=0.8, listed=False)


@exercise("probe_positions", points=1, level="property")
def test_positions_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(POSITIONS, share=A_THIRD)


@exercise("probe_positions", points=1, level="values")
def test_most_mistakes_about_positions_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(POSITIONS, share=TWO_THIRDS)


@exercise("probe_positions", points=2, level="values")
def test_all_mistakes_about_positions_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(POSITIONS)


@exercise("probe_positions", points=2, level="edges")
def test_mistakes_about_positions_that_nobody_listed_show(agree: Agree) -> None:
    """four fifths of the mistakes in no family show"""
    agree.exposes(POSITIONS, share=0.8, listed=False)


@exercise("probe_decoder", points=1, level="property")
def test_decoder_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(DECODER, share=A_THIRD)


@exercise("probe_decoder", points=1, level="values")
def test_most_mistakes_about_decoder_show(agree: Agree) -> None:
    """three quarters of the listed mistakes show"""
    agree.exposes(DECODER, share=0.75)


@exercise("probe_decoder", points=2, level="values")
def test_all_mistakes_about_decoder_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(DECODER)


@exercise("probe_decoder", points=2, level="edges")
def test_mistakes_about_decoder_that_nobody_listed_show(agree: Agree) -> None:
    """all of the mistakes in no family show"""
    agree.exposes(DECODER, share=1.0, listed=False)


@exercise("probe_patchify", points=1, level="property")
def test_patchify_can_be_called_and_a_third_shows(agree: Agree) -> None:
    """the arguments make a call, and a third of the listed mistakes show"""
    agree.exposes(PATCHIFY, share=A_THIRD)


@exercise("probe_patchify", points=1, level="values")
def test_most_mistakes_about_patchify_show(agree: Agree) -> None:
    """two thirds of the listed mistakes show"""
    agree.exposes(PATCHIFY, share=TWO_THIRDS)


@exercise("probe_patchify", points=2, level="values")
def test_all_mistakes_about_patchify_show(agree: Agree) -> None:
    """all of the listed mistakes show"""
    agree.exposes(PATCHIFY)


@exercise("probe_patchify", points=2, level="edges")
def test_mistakes_about_patchify_that_nobody_listed_show(agree: Agree) -> None:
    """three quarters of the mistakes in no family show"""
    agree.exposes(PATCHIFY, share=0.75, listed=False)
