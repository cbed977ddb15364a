"""Checks of chapter 0: one step of memory, a text read word by word, how far a word reaches, the first attention.

Matrices that act on a state are drawn small enough for a tanh to keep its slope.
"""

import torch

from autograder.suite import Agree, Draw, exercise, near

READY_MADE = ("*rnn_tanh*", "RNN*")
FORBIDDEN = {"rnn_step": READY_MADE, "rnn": READY_MADE}
RETURNS = {"attend_over_states": ("context", "weights")}


def weights(draw: Draw, i: str = "i", n: str = "n") -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """W_x, W_h and b for words of i and states of n numbers."""
    return draw(f"{i} {n}", scale=0.4), draw(f"{n} {n}", scale=0.4), draw(n, scale=0.5)


@exercise("rnn_step", points=1, level="property")
def test_the_state_stays_within_one(agree: Agree, draw: Draw) -> None:
    """every entry of the state stays between -1 and 1, however large word and state are, and some come near"""
    word, before = draw("B 5", scale=30.0), draw("B 5", scale=30.0)
    holds = lambda r: 0.5 < float(r.abs().max()) <= 1  # noqa: E731
    shows = lambda r: f"the largest entry is {r.abs().max():.4g}"  # noqa: E731
    says = "every entry of the state lies between -1 and 1, and of large numbers some come near"
    agree.satisfies(says, holds, word, before, *weights(draw, "5", "5"), shows=shows)


@exercise("rnn_step", points=2, level="values")
def test_a_step_mixes_word_and_state(agree: Agree, draw: Draw) -> None:
    """the new state is tanh(x W_x + h W_h + b)"""
    agree(draw("B 5"), draw("B 5"), *weights(draw, "5", "5"))
    agree(draw("B i"), draw("B n"), *weights(draw))
    same, (matrix, _, b) = draw("B 5"), weights(draw, "5", "5")
    agree(same, same, matrix, matrix, b)  # one tensor may play two parts


@exercise("rnn_step", points=1, level="edges")
def test_a_step_takes_any_leading_axes(agree: Agree, draw: Draw) -> None:
    """no leading axis, two or three of them, axes and vectors of size 1; gradients, at 0 too; dtype and device"""
    for axes in ("", "B T ", "1 1 ", "1 B T ", "B "):
        agree(draw(f"{axes}i"), draw(f"{axes}n"), *weights(draw), gradients=True)
    for i, n in (("1", "n"), ("i", "1")):
        agree(draw(f"B T {i}"), draw(f"B T {n}"), *weights(draw, i, n))
    w_x, w_h, b = weights(draw)
    agree(0 * draw("B i"), 0 * draw("B n"), w_x, w_h, 0 * b, gradients=True)
    agree.keeps_dtype_and_device(draw("B i"), draw("B n"), *weights(draw))


@exercise("rnn_step", points=1, level="edges")
def test_a_step_survives_large_words(agree: Agree, draw: Draw) -> None:
    """very large numbers give states of -1 and 1, and finite gradients"""
    agree(draw("B i", scale=1e9), draw("B n"), *weights(draw), gradients=True)


@exercise("rnn", points=1, level="property")
def test_a_state_knows_nothing_of_later_words(agree: Agree, draw: Draw) -> None:
    """changing a word changes no earlier state, and every later one"""
    draw.fix(T=draw.random.randrange(6, 8))  # more than a word has numbers
    texts = draw("2 T 5")
    texts[1, :1], texts[1, 2:] = texts[0, :1], texts[0, 2:]
    says = "two texts that differ in word 1 have the same state before it, and others after it"
    agree.satisfies(
        says,
        lambda r: near(r[0, :1], r[1, :1]) and not any(near(*pair) for pair in r[:, 2:].unbind(1)),
        texts,
        draw("5").expand(2, 5),
        *weights(draw, "5", "5"),
    )


@exercise("rnn", points=2, level="values")
def test_all_states_come_back(agree: Agree, draw: Draw) -> None:
    """state t is the step of word t and state t - 1, and the first step begins at h"""
    agree(draw("B 6 5"), draw("B 5"), *weights(draw, "5", "5"))
    agree(draw("B T i"), draw("B n"), *weights(draw))


@exercise("rnn", points=1, level="edges")
def test_short_and_long_texts_are_read(agree: Agree, draw: Draw) -> None:
    """one word, a batch of one, words or states of one number, words of zeros, large ones; gradients reach all of 70"""
    for axes, i, n in (("B 1", "i", "n"), ("1 T", "i", "n"), ("1 1", "i", "n"), ("B T", "1", "n"), ("B T", "i", "1")):
        batch = axes.split()[0]
        agree(draw(f"{axes} {i}"), draw(f"{batch} {n}"), *weights(draw, i, n))
    words = draw("B T i")
    words[:, 1] = 0  # a word like any other
    agree(words, draw("B n"), *weights(draw))
    agree(draw("B T i", scale=1e9), draw("B n"), *weights(draw), gradients=True)
    agree(draw("B 70 i"), draw("B n"), *weights(draw), gradients=True)


@exercise("rnn", points=1, level="edges")
def test_reading_can_be_learnt_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach the words, the first state, both matrices and b, from states of 0 too; dtype and device stay"""
    inputs = (draw("B T i"), draw("B n"), *weights(draw))
    agree(*inputs, gradients=True)
    words, before, w_x, w_h, b = inputs
    agree(0 * words, 0 * before, w_x, w_h, 0 * b, gradients=True)
    agree.keeps_dtype_and_device(*inputs)


@exercise("influence", points=1, level="property")
def test_influence_halves_with_every_step_back(agree: Agree, draw: Draw) -> None:
    """where W_h halves every state and the tanh does not bend, a word one step farther back has half the influence"""
    draw.fix(T=6)
    text, start = torch.zeros(6, draw.size("i"), dtype=torch.float64), draw("n") * 0
    halves = torch.eye(draw.size("n"), dtype=torch.float64) / 2
    says = "each word has half the influence of the word after it"
    agree.satisfies(says, lambda r: near(2 * r[:-1], r[1:]), text, start, draw("i n"), halves, start)


@exercise("influence", points=1, level="property")
def test_without_memory_only_the_last_word_counts(agree: Agree, draw: Draw) -> None:
    """with W_h = 0 only the last word has any influence"""
    draw.fix(T=6)
    w_x, w_h, b = weights(draw)
    says = "with W_h = 0 only the last word has an influence"
    agree.satisfies(says, lambda r: near(r[:-1], 0), draw("T i"), draw("n"), w_x, w_h * 0, b)


@exercise("influence", points=2, level="values")
def test_influence_is_the_length_of_the_gradient(agree: Agree, draw: Draw) -> None:
    """influence t = length of the gradient of the last state's sum with respect to word t"""
    draw.fix(T=draw.random.randrange(4, 8))
    for _ in range(2):
        agree(draw("T i", scale=0.5), draw("n", scale=0.5), *weights(draw))


@exercise("influence", points=1, level="edges")
def test_influence_of_a_single_word(agree: Agree, draw: Draw) -> None:
    """a text of one word; words of one number; a state of one number; 70 words"""
    agree(draw("1 i", scale=0.5), draw("n", scale=0.5), *weights(draw))
    agree(draw("T 1", scale=0.5), draw("n", scale=0.5), *weights(draw, "1"))
    agree(draw("T i", scale=0.5), draw("1", scale=0.5), *weights(draw, n="1"))
    w_x, w_h, b = weights(draw)
    for kept in (0.99, 0.5):  # a share of each state: seventy words back half of it is left, or next to nothing
        agree(draw("70 i", scale=0.01), draw("n") * 0, w_x, torch.eye(len(w_h), dtype=w_h.dtype) * kept, b * 0)


@exercise("influence", points=1, level="edges")
def test_influence_is_measured_anywhere(agree: Agree, draw: Draw) -> None:
    """saturated states give influences of 0, not NaN, states of 0 the right ones; in float32 too; any device"""
    draw.fix(T=draw.random.randrange(3, 8))
    agree(draw("T i", scale=1e9), draw("n"), *weights(draw))
    text, start = draw("T i"), draw("n")
    w_x, w_h, b = weights(draw)
    agree(0 * text, 0 * start, w_x, w_h, 0 * b)
    agree(*(each.float() for each in (text[:2], start, *weights(draw))))
    agree.on_meta(text, start, *weights(draw), unless_data_is_needed=True)


def attention(draw: Draw, batch: str = "B", words: str = "T", n: int = 4) -> tuple[torch.Tensor, ...]:
    """Query, states, w and v."""
    query, states = draw(f"{batch} {n}"), draw(f"{batch} {words} {n}")
    return query, states, draw(f"m {2 * n}", scale=0.5), draw("m")


@exercise("attend_over_states", points=1, level="property")
def test_the_weights_of_each_text_sum_to_one(agree: Agree, draw: Draw) -> None:
    """the weights of each text sum to 1"""
    says = "the weights of each text sum to 1"
    agree.satisfies(says, lambda r: near(r[1].sum(-1), 1), *attention(draw))


@exercise("attend_over_states", points=1, level="property")
def test_the_order_of_the_states_does_not_matter(agree: Agree, draw: Draw) -> None:
    """the same states in another order give the same context"""
    draw.shape("2")  # the axis of the two orders: no other has its size
    query, states, w, v = attention(draw, batch="1")
    states = states / 4  # large numbers would not sum to the same in another order
    twice = (query.expand(2, -1), torch.cat([states, states.flip(1)]), w, v)
    says = "the states in reverse give the same context"
    agree.satisfies(says, lambda r: near(r[0][0], r[0][1]), *twice)


@exercise("attend_over_states", points=2, level="values")
def test_the_context_is_the_weighted_sum_of_the_states(agree: Agree, draw: Draw) -> None:
    """weights = softmax over the words of v · tanh(W [query; state]), context = weighted sum of the states"""
    agree(draw("4 4"), draw("4 4 4"), draw("8 8", scale=0.5), draw("8"))
    agree(*attention(draw))


@exercise("attend_over_states", points=1, level="edges")
def test_attention_keeps_axes_of_size_one(agree: Agree, draw: Draw) -> None:
    """a batch of one, a single state, one number per state and one hidden unit; scores of 0, large ones; 70 words"""
    for batch, words in (("1", "T"), ("B", "1"), ("1", "1")):
        agree(*attention(draw, batch, words))
    agree(*attention(draw, n=1))
    query, states, w, v = attention(draw)
    agree(query, states, w, 1e4 * v, gradients=True)
    states[:, 0] = 0
    agree(0 * query, states, w, v, gradients=True)
    agree(query, states, w[:1], v[:1])
    agree(*attention(draw, words="70"))
    agree(*attention(draw, words="B"))


@exercise("attend_over_states", points=1, level="edges")
def test_attention_can_be_learnt_anywhere(agree: Agree, draw: Draw) -> None:
    """gradients reach the query, the states, W and v; dtype and device stay"""
    inputs = attention(draw)
    agree(*inputs, gradients=True)
    agree.keeps_dtype_and_device(*inputs)
