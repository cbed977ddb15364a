"""Checks of chapter 13: patterns scored, heads named, entropy, rollout.

A difference of 1e-5 in an entropy, such as a small number inside the logarithm makes, costs nothing.
"""

import math

import torch

from autograder.suite import Agree, Draw, exercise, near

F32 = torch.float32
WORDS = ["ash", "bay", "clay", "dune", "elm", "fern", "glen", "hill", "isle", "jade", "kelp", "lake", "moss", "nest"]
MARKS = ["<s>", "</s>", "#", "<end>"]
# The entropy of this row is 1. Only there is the gradient the same with and without a division by the row's sum of 1.
ROW = torch.tensor([0.64556439, 0.19443561, 0.1, 0.06], dtype=torch.float64)
PATTERNS = ["next", "previous", "same_word", "same_sentence", "special"]


def attention(draw: Draw, axes: str) -> torch.Tensor:
    """Return weights whose rows sum to 1, none of them near 0."""
    return draw(axes).softmax(-1)


def text(draw: Draw) -> tuple[list[str], list[int], list[str]]:
    """Return tokens of three sentences, their numbers, and special tokens: one of them twice in the text, one absent.

    A word is there three times, another two times, a third one with and without a capital. What other models call
    special is none of them here. The last token belongs to the first sentence again.
    """
    a, b, c = draw.random.sample(WORDS, 3)
    mark, absent = draw.random.sample(MARKS, 2)
    tokens = [a, b, mark, c, a, "[CLS]", mark, b, c.capitalize(), a]
    number = draw.random.randrange(1, 9)
    first, second, third = draw.random.sample([number, -number, number + 10], 3)
    cut = draw.random.randrange(4, 6)
    return tokens, [first] * cut + [second] * (7 - cut) + [third] * 2 + [first], [absent, mark]


def head(draw: Draw) -> tuple[torch.Tensor, list[str], list[int], list[str]]:
    """Return weights and a text; one query gives everything to a key that belongs to no pattern."""
    tokens, sentences, special = text(draw)
    weights = attention(draw, f"{len(tokens)} {len(tokens)}")
    weights[3] = torch.eye(len(tokens))[5]
    return weights, tokens, sentences, special


def reaching(draw: Draw, *order: str, **high: float) -> dict[str, float]:
    """Return scores that are low except for those given; the dict lists `order` first."""
    rest = [pattern for pattern in PATTERNS if pattern not in order]
    draw.random.shuffle(rest)
    return {pattern: high.get(pattern, draw.random.uniform(0.02, 0.2)) for pattern in (*order, *rest)}


def stack(draw: Draw, layers: int, axes: str = "H T T") -> list[torch.Tensor]:
    """Return the weights of several layers, first layer first."""
    draw.fix(H=3)
    return [(2 * draw(axes)).softmax(-1) for _ in range(layers)]


@exercise("pattern_scores", points=2, level="values")
def test_weights_are_summed_over_keys_and_averaged_over_queries(agree: Agree, draw: Draw) -> None:
    """five scores: the summed weight on keys of the pattern, averaged over the queries that have such a key"""
    for _ in range(2):
        agree(*head(draw), tolerance=1e-6)
    weights, tokens, sentences, special = head(draw)
    agree(weights, tokens, sentences, [tokens[0], *special], tolerance=1e-6)


@exercise("pattern_scores", points=1, level="property")
def test_a_perfect_head_scores_one(agree: Agree, draw: Draw) -> None:
    """a head that gives everything to the next token has next = 1.0, and the same holds for the other patterns"""
    tokens, sentences, special = text(draw)
    size, mark = len(tokens), tokens.index(special[1])
    same = {
        "same_word": torch.tensor([[float(a == b) for b in tokens] for a in tokens]),
        "same_sentence": torch.tensor([[float(a == b) for b in sentences] for a in sentences]),
    }
    perfect = {
        "next": torch.eye(size).roll(1, 1),
        "previous": torch.eye(size).roll(-1, 1),
        "special": torch.eye(size)[[mark] * size],
        **{name: table / table.sum(-1, keepdim=True) for name, table in same.items()},
    }
    for name, weights in perfect.items():
        holds = lambda r, name=name: abs(r[name] - 1) < 1e-5  # noqa: E731
        shows = lambda r, name=name: f"{name} is {r[name]:.6g}"  # noqa: E731
        says = f"this head gives all it can to the keys of `{name}`, so {name} is 1.0"
        agree.satisfies(says, holds, weights.double(), tokens, sentences, special, shows=shows)


@exercise("pattern_scores", points=1, level="edges")
def test_a_score_is_zero_where_no_query_can_have_one(agree: Agree, draw: Draw) -> None:
    """a single token has no next or previous one, and a text may have no special tokens: these scores are 0.0"""
    a, b, c, d = draw.random.sample(WORDS, 4)
    agree(attention(draw, "4 4"), [a, b, c, d], [0, 0, 1, 1], tuple(MARKS), tolerance=1e-6)
    agree(attention(draw, "3 3"), [a, b, a], [2, 1, 1], (), tolerance=1e-6)
    for token in (a, "[CLS]"):
        agree(torch.ones(1, 1, dtype=torch.float64), [token], [1], ["[CLS]", *MARKS], tolerance=1e-6)


@exercise("pattern_scores", points=1, level="edges")
def test_marks_may_be_any_strings(agree: Agree, draw: Draw) -> None:
    """special tokens are those in `special`, whatever holds them; one sentence or many; float32 weights"""
    weights, tokens, sentences, _ = head(draw)
    agree(weights, tokens, [4] * len(tokens), (tokens[1],), tolerance=1e-6)
    numbers = [*range(300_001, 300_000 + len(tokens)), 300_001]
    known = {"[MASK]": 103, tokens[1]: 7}
    agree(weights, ["[CLS]", *tokens[1:-1], "[SEP]"], numbers, known, tolerance=1e-6)
    agree(weights.to(F32), tokens, sentences, ["[CLS]", tokens[0]], tolerance=1e-5)
    agree(weights, ["CLS", "[CLS]", "cls", " [CLS]", *tokens[4:]], sentences, ["[CLS]", "[SEP]"], tolerance=1e-6)
    agree(attention(draw, "40 40"), 4 * tokens, 2 * sentences + [2] * 20, tokens[2:4], tolerance=1e-6)


@exercise("name_head", points=1, level="property")
def test_a_head_without_a_clear_pattern_is_mixed(agree: Agree, draw: Draw) -> None:
    """if no score reaches the threshold, the head is mixed, however close one of them comes"""
    for pattern in PATTERNS:
        agree(reaching(draw, **{pattern: draw.random.uniform(0.3, 0.4)}))
    agree(reaching(draw, next=0.46, same_word=0.4999, same_sentence=0.49995))
    agree(reaching(draw, previous=0.4999999))
    agree(reaching(draw, previous=math.nextafter(0.5, 0.0)))


@exercise("name_head", points=2, level="values")
def test_a_head_is_called_by_the_pattern_that_reaches(agree: Agree, draw: Draw) -> None:
    """if one score reaches the threshold, it gives the name; the head of `special` is called null"""
    for pattern in PATTERNS:
        agree(reaching(draw, **{pattern: draw.random.uniform(0.6, 0.9)}))


@exercise("name_head", points=2, level="values")
def test_the_first_of_several_gives_the_name(agree: Agree, draw: Draw) -> None:
    """if several reach it, the first counts, not the largest: next, previous, same_word, special, same_sentence"""
    for _ in range(2):
        agree(reaching(draw, "special", previous=0.6, same_word=0.9, special=0.7, same_sentence=0.65))
    agree(reaching(draw, "special", special=0.8, same_sentence=0.6))
    agree(reaching(draw, "same_sentence", special=0.7, same_sentence=0.9))
    agree(reaching(draw, "same_word", same_word=0.7, special=0.6))
    agree(reaching(draw, "next", next=0.7, previous=0.6))
    agree(reaching(draw, "same_word", same_word=0.6, same_sentence=0.9))


@exercise("name_head", points=1, level="edges")
def test_to_reach_is_to_be_equal_or_above(agree: Agree, draw: Draw) -> None:
    """a score equal to the threshold reaches it; the threshold is an argument, and every score reaches 0"""
    for pattern in PATTERNS:
        agree(reaching(draw, **{pattern: 0.5}))
    agree(reaching(draw, "same_sentence", special=0.9, same_sentence=0.8), 0.75)
    agree(reaching(draw, "special", next=0.7, special=0.8), 0.75)
    agree(reaching(draw, same_word=0.4, same_sentence=0.8), threshold=0.25)
    agree(reaching(draw, same_sentence=1.0), 1.0)
    agree(reaching(draw, "special", same_word=0.7, same_sentence=0.9), 0.0)


@exercise("attention_entropy", points=2, level="values")
def test_entropy_of_each_query(agree: Agree, draw: Draw) -> None:
    """minus the sum over the keys of the weight times its natural logarithm, for each query of each head"""
    draw.fix(T=7, Tk=draw.random.randrange(3, 7))
    agree(attention(draw, "B H Tq Tk"), tolerance=1e-5)
    weights = attention(draw, "B H T T")
    weights[0, 0, 0] = torch.tensor([0.0005, 0.1995, *[0.16] * 5])  # small, but not nothing
    weights[0, 0, 1] = torch.tensor([*[5e-6] * 5, 0.4, 0.599975])
    agree(weights, tolerance=1e-5)
    agree(attention(draw, "B 40"), tolerance=1e-5)
    agree(torch.full((2, 400), 1 / 400, dtype=torch.float64), tolerance=1e-5)


@exercise("attention_entropy", points=2, level="values")
def test_weights_of_zero_add_nothing(agree: Agree, draw: Draw) -> None:
    """weights of exactly 0, as a mask makes them, count 0 and never NaN"""
    draw.fix(Tk=draw.random.randrange(4, 9))
    mask = draw.mask("B 1 Tq Tk")
    mask[..., 0], mask[..., 1:3] = False, True
    agree(draw("B H Tq Tk").masked_fill(~mask, -math.inf).softmax(-1), tolerance=1e-5)
    agree(torch.eye(draw.size("T"), dtype=torch.float64), tolerance=1e-5)


@exercise("attention_entropy", points=1, level="property")
def test_entropy_counts_the_keys(agree: Agree, draw: Draw) -> None:
    """a query that shares its attention evenly among n keys has entropy log n: 0 for one key"""
    draw.fix(T=draw.random.randrange(3, 9))
    keys = draw.size("T")
    shared = torch.ones(keys, keys, dtype=torch.float64).tril()
    shared = shared / shared.sum(-1, keepdim=True)
    counted = torch.arange(1, keys + 1).double().log()
    says = "row i gives the same weight to each of i + 1 keys, so its entropy is log(i + 1)"
    agree.satisfies(says, lambda r: near(r, counted, 1e-5), shared)


@exercise("attention_entropy", points=1, level="edges")
def test_weights_may_have_any_axes(agree: Agree, draw: Draw) -> None:
    """one head alone, five axes, a single key, query or text: the axis of the keys disappears, all others stay"""
    for axes in ("Tq Tk", "1 H 1 Tk", "L B H Tq Tk", "B 1 Tq 1"):
        agree(attention(draw, axes), tolerance=1e-5)


@exercise("attention_entropy", points=1, level="edges")
def test_entropy_can_be_trained_on_any_device(agree: Agree, draw: Draw) -> None:
    """gradients reach the weights, float32 stays float32, and no device is hard-coded"""
    draw.fix(Tk=4)
    weights = ROW[draw("B H Tq Tk").argsort(-1)]
    agree(weights.to(F32), gradients=True)
    agree(attention(draw, "B H Tq Tk").to(F32), tolerance=1e-5)
    halves = torch.tensor([0.5, 0.25, 0.125, 0.125], dtype=torch.float64)  # their sum is 1 in half precision, too
    agree.on_meta(halves[draw("B H Tq Tk").argsort(-1)], unless_data_is_needed=True)


@exercise("attention_rollout", points=2, level="values")
def test_layers_are_multiplied(agree: Agree, draw: Draw) -> None:
    """the product of ½ · (mean over heads) + ½ · identity, the last layer leftmost"""
    draw.fix(T=6)
    for layers in (3, 4, 3):
        agree(stack(draw, layers))


@exercise("attention_rollout", points=1, level="property")
def test_all_of_a_position_comes_from_somewhere(agree: Agree, draw: Draw) -> None:
    """every row sums to 1, and at least 1 / 2ᴸ of each position comes from its own input"""
    layers = draw.random.randrange(2, 5)
    draw.fix(T=draw.random.randrange(4, 9))
    weights = stack(draw, layers)
    for each in weights:
        each[..., 0] = 0.0  # no query looks at the first input: only residual connections carry it
        each /= each.sum(-1, keepdim=True)
    whole = lambda r: near(r.sum(-1), 1.0, 1e-5) and bool((r.diagonal() >= 0.5**layers - 1e-9).all())  # noqa: E731
    told = "row sums go from {:.4g} to {:.4g}, the smallest number on the diagonal is {:.4g}".format
    shows = lambda r: told(*r.sum(-1).aminmax(), r.diagonal().min())  # noqa: E731
    says = f"every row sums to 1, and all numbers on the diagonal are at least 1 / {2**layers}"
    agree.satisfies(says, whole, weights, shows=shows)


@exercise("attention_rollout", points=1, level="property")
def test_nothing_flows_from_the_future(agree: Agree, draw: Draw) -> None:
    """if no layer looks ahead, nothing comes from later inputs; if each position looks only at itself, nothing moves"""
    draw.fix(T=5)
    causal = [weights.tril() / weights.tril().sum(-1, keepdim=True) for weights in stack(draw, 3)]
    says = "where no layer looks ahead, everything above the diagonal is 0"
    agree.satisfies(says, lambda r: near(r.triu(1), 0.0, 1e-5), causal)
    itself = [torch.eye(5, dtype=torch.float64).expand(2, 5, 5).clone() for _ in range(3)]
    says = "where all positions look only at themselves, the rollout is the identity"
    agree.satisfies(says, lambda r: near(r, torch.eye(5), 1e-5), itself)


@exercise("attention_rollout", points=1, level="edges")
def test_one_layer_one_head_one_token(agree: Agree, draw: Draw) -> None:
    """one layer, one head, one token; as many layers as heads and tokens; many tokens; 12 layers, one of them twice"""
    agree(stack(draw, 1))
    agree(stack(draw, 3, "1 T T"))
    agree(stack(draw, 2, "H 1 1"))
    agree(stack(draw, 3, "3 3 3"))
    agree(stack(draw, 2, "H 70 70"))
    layers = stack(draw, 12)
    agree([*layers[:6], layers[3], *layers[6:11]])


@exercise("attention_rollout", points=1, level="edges")
def test_rollout_keeps_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """gradients reach the weights of all layers, float32 stays float32, and no device is hard-coded"""
    layers = stack(draw, 2)
    agree(layers, gradients=True)
    agree([weights.to(F32) for weights in layers], tolerance=1e-5)
    identity = torch.eye(draw.size("T"), dtype=torch.float64)
    halves = (0.5 * identity + 0.5 * identity.roll(1, 0)).repeat(draw.size("H"), 1, 1)  # exact in half precision
    agree.on_meta([halves, halves.mT.contiguous()], unless_data_is_needed=True)
