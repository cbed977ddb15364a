"""Checks of chapter 15: texts and ids, byte pair encoding, what a run needs, and what a model looked at.

Random weights cannot be compared one by one: checks of a fresh start look at how the weights are spread.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import torch

from autograder.core.errors import CheckFailed
from autograder.student.capstones.data import vocabulary
from autograder.student.capstones.recipe import Recipe
from autograder.suite import Agree, Draw, Fact, Facts, Student, Trained, exercise, near, part
from reference.capstones import digits, markov, reverse, sentiment, shakespeare

ARTEFACTS = {
    "build_reverse": "reverse",
    "build_markov": "markov",
    "build_sentiment": "sentiment",
    "build_shakespeare": "shakespeare",
    "build_digits": "digits",
}
FORBIDDEN = {"clip_gradients": ("clip_grad_norm*", "clip_grads_with_norm*")}
F32 = torch.float32
SPECIAL = ["<pad>", "<unk>"]
READ = {"read": 4, "reader": 3, "leader": 2}
FAR = 0.1  # half precision moves no score so far
ANOTHER = "the model has changed since, though all sizes fit: build the one that was trained, or train this one"
LOOSE = 1e-5  # for answers that divide by the norm plus a millionth, as torch does


def words(draw: Draw, count: int) -> list[str]:
    """Return distinct made-up words, unsorted."""
    return draw.random.sample([a + b + c + d for a in "bdgk" for b in "aeiou" for c in "flnr" for d in "aeiou"], count)


def counted(draw: Draw, counts: dict[str, int], texts: int = 3) -> list[str]:
    """Return texts that together contain each word as often as `counts` says."""
    every = [word for word, count in counts.items() for _ in range(count)]
    draw.random.shuffle(every)
    return [" ".join(every[number::texts]) for number in range(texts)]


def crowd(draw: Draw, length: int, letters: str = "abc") -> tuple[str, ...]:
    """Return letters in any order, so few different ones that most pairs occur more than once."""
    return tuple(draw.random.choices(letters, k=length))


def spelling(draw: Draw) -> dict[str, int]:
    """Return words of a few letters, and how often each occurs; some pairs overlap, some are equally frequent.

    The letters are drawn, but not their order, which decides between pairs that are equally frequent.
    """
    spelt = {
        "dcccbca": 1,
        "ddcc": 21,
        "babbbb": 11,
        "aacdadb": 22,
        "cadcac": 2,
        "cadbab": 8,
        "cacacbb": 9,
        "ccbca": 19,
        "ccaacad": 24,
        "dab": 31,
    }
    letters = str.maketrans("abcd", "".join(sorted(draw.random.sample("abcdefghijklmnopqrstuvwx", 4))))
    return {word.translate(letters): count for word, count in spelt.items()}


def well_begun(entries: list[str]) -> bool:
    return entries[:2] == SPECIAL and len(set(entries)) == len(entries)


def begins(entries: list[str]) -> str:
    if len(set(entries)) < len(entries):
        return "an entry occurs twice"
    return f"it begins with {', '.join(map(repr, entries[:4]))}"


def joined(pieces: object) -> str:
    """Return what the pieces make up, whatever they are."""
    return "".join(map(str, pieces)) if isinstance(pieces, list | tuple) else repr(pieces)


def gradients(draw: Draw, scale: float = 1.0, **options: object) -> object:
    """Return parameters of three shapes, with gradients of joint norm 5 · `scale`, and one without a gradient."""
    values = [draw("D F"), draw("D"), draw("F D"), draw("F")]
    drawn = [torch.sign(value) + value / 4 for value in (draw("D F"), draw("F D"), draw("F"))]
    norm = torch.cat([each.flatten() for each in drawn]).norm()
    first, second, third = (each * (5 * scale / norm) for each in drawn)
    pairs = zip(values, (first, None, second, third), strict=True)
    return part("WithGradients", *(each for pair in pairs for each in pair), **options)


def attention(draw: Draw) -> tuple[torch.Tensor, list[str]]:
    """Return weights (T, T) and T words; the largest weights of rows and of columns are in different places."""
    draw.fix(T=draw.random.randrange(6, 9))
    size = draw.size("T")
    weights = (draw("T T") + 4 * torch.eye(size).double().roll(2, 1)).softmax(-1)
    return weights, words(draw, size)


@exercise("word_vocabulary", points=1, level="property")
def test_two_special_entries_come_first(agree: Agree, draw: Draw) -> None:
    """the list begins with "<pad>" and "<unk>", and no entry occurs twice"""
    says = "the list begins with '<pad>' and '<unk>', and no entry occurs twice"
    agree.satisfies(says, well_begun, counted(draw, dict.fromkeys(words(draw, 5), 3)), 7, shows=begins)


@exercise("word_vocabulary", points=2, level="values")
def test_the_most_frequent_words_of_all_texts(agree: Agree, draw: Draw) -> None:
    """the most frequent words of all texts, the most frequent one first, `size` entries or, if words run out, fewer"""
    counts = dict(zip(words(draw, 9), [1, *draw.random.sample(range(2, 20), 8)], strict=True))
    agree(counted(draw, counts), 7)
    agree(counted(draw, counts), 12)
    many = draw.random.sample((9, 10, 99, 100, 101, 999, 1000, 1001), 8)
    agree(counted(draw, dict(zip(words(draw, 8), many, strict=True)), texts=20), 12)


@exercise("word_vocabulary", points=1, level="values")
def test_capitals_and_punctuation_are_no_words(agree: Agree, draw: Draw) -> None:
    """capitals become small; letters a to z and apostrophes, wherever they are, make words; all else separates them"""
    one, two, three = words(draw, 3)
    texts = [f"{one.capitalize()}'s {two}-{two}, {two}!\n{three}. {three.upper()}", f"({one}'S 42 times)"]
    agree([*texts, f"{two}\t{three}2{one}'s... {two}_{two}"], 12)
    agree([f"'{one} {two}' '{one} {three}s'"], 12)
    agree([f"a {one} a i ' '", f"I {two} '' '"], 12)
    agree([f"caf\u00e9s {one}\u2019s <pad>{two} na\u00efve", f"{three}\u00df{three} <unk> \u0436\u00c9"], 15)
    agree([f"\u0130{one} \u017f{two} {three}"], 12)  # to Python, [a-z] has them if capitals are ignored


@exercise("word_vocabulary", points=2, level="edges")
def test_ties_are_in_the_order_of_the_alphabet(agree: Agree, draw: Draw) -> None:
    """words that occur equally often are in sorted order; texts may be empty, or have few words, or one"""
    first, second = words(draw, 8), words(draw, 8)
    agree(counted(draw, {**dict.fromkeys(first, 2), **dict.fromkeys(second, 3)}), 13)
    agree([" ".join(sorted(first[:4], reverse=True)), "", "?!"], 9)
    agree([f"{first[0]}r {first[0]}'s {first[0]}'t {first[0]}"], 6)  # an apostrophe sorts before all letters
    agree([f"{first[0]}{first[1]} {first[0]} {first[0]}za"], 5)  # not by length
    agree(counted(draw, dict.fromkeys(first, 2)), 2)
    agree(counted(draw, dict.fromkeys(first, 2)), 3)
    agree(first[:1], 5)
    agree([], 5)


@exercise("encode_text", points=1, level="property")
def test_every_word_has_an_id(agree: Agree, draw: Draw) -> None:
    """each word has an id, known or not, and an id is a place in the vocabulary"""
    known = words(draw, 12)
    holds = lambda ids: len(ids) == 9 and all(number in range(8) for number in ids)  # noqa: E731
    shows = lambda ids: f"they are {', '.join(map(str, ids))}"  # noqa: E731
    says = "9 words have 9 ids, from 0 to 7"
    agree.satisfies(says, holds, " ".join(known[3:]), [*SPECIAL, *known[:6]], shows=shows)


@exercise("encode_text", points=2, level="values")
def test_known_and_unknown_words(agree: Agree, draw: Draw) -> None:
    """the id of a known word is its place, that of an unknown one the place of "<unk>" """
    known = words(draw, 9)
    agree(" ".join(draw.random.choices(known, k=15) + known[5:]), [*SPECIAL, *known[:6]])
    agree(" ".join(draw.random.choices(known, k=40)), [*SPECIAL, *known[:6]])
    many = words(draw, 300)
    agree(" ".join(draw.random.choices(many, k=40)), [*SPECIAL, *many[:280]])


@exercise("encode_text", points=2, level="edges")
def test_the_text_is_cut_up_as_for_the_vocabulary(agree: Agree, draw: Draw) -> None:
    """capitals, punctuation and apostrophes are treated as in the vocabulary; a text may be of one word, or empty"""
    one, two, three = words(draw, 3)
    vocabulary = [*SPECIAL, two, f"{one}'s", one, three]
    agree(f"{one.capitalize()}, {two.upper()}-{three}! {one}'s\n{three}2{two}... {one}'S", vocabulary)
    agree(f"<pad> {one} <unk> {two}pad", vocabulary)
    agree(f"na\u00efve {one}\u2019s {two}\u00c9{three}", [*vocabulary, "na", "ve", "s"])
    agree(f"gro\u00df {one}", [*vocabulary, "gro", "gross", "grossa"])
    agree(f"\u0130{one} \u017f{two} {three}", [*vocabulary, "i"])  # to Python, [a-z] has them if capitals are ignored
    agree(f"'{one} {two}' '{three}'", [*vocabulary, f"'{one}", f"{two}'", f"'{three}'"])
    agree(three, vocabulary)
    agree("", vocabulary)
    agree(f"{one} {two}", SPECIAL)


@exercise("decode_ids", points=1, level="property")
def test_one_word_for_each_id(agree: Agree, draw: Draw) -> None:
    """as many words as ids, with single spaces between them"""
    ids = draw.random.choices(range(2, 9), k=6)
    ids[1] = ids[-1] = ids[0]
    holds = lambda text: len(text.split(" ")) == 6 and "" not in text.split(" ")  # noqa: E731
    shows = lambda text: f"it is {text!r}"  # noqa: E731
    agree.satisfies("six ids are six words with single spaces", holds, ids, [*SPECIAL, *words(draw, 7)], shows=shows)


@exercise("decode_ids", points=2, level="values")
def test_the_words_of_the_ids(agree: Agree, draw: Draw) -> None:
    """each id becomes its word, in the order of the ids; an unknown word is "<unk>" """
    vocabulary = [*SPECIAL, *words(draw, 9)]
    agree([2, *draw.random.choices(range(2, 11), k=8), 10], vocabulary)
    agree([1, 5, 1, 1, 3, 12, 11], [*vocabulary, "'tis", "o'clock"])
    agree([11, 5, *draw.random.choices(range(1, 11), k=33), 5, 12, 13], [*vocabulary, "pad", "padded", "unk"])
    agree(draw.random.choices(range(1, 302), k=30), [*SPECIAL, *words(draw, 300)])


@exercise("decode_ids", points=1, level="edges")
def test_padding_is_left_out(agree: Agree, draw: Draw) -> None:
    """padding is left out wherever it is; a single word, with padding and without; no ids, or padding alone"""
    vocabulary = [*SPECIAL, *words(draw, 6)]
    agree([0, 0, 4, 2, 0, 6, 4, 0], vocabulary)
    agree([0, 0, draw.random.randrange(2, 8)], vocabulary)
    agree([draw.random.randrange(2, 8)], vocabulary)
    agree([], vocabulary)
    agree([0, 0], vocabulary)


@exercise("merge_pair", points=1, level="property")
def test_no_letter_is_lost(agree: Agree, draw: Draw) -> None:
    """fewer symbols make up the same word as before"""
    symbols = (*"abcaa", *crowd(draw, 7), *"abc")
    shows = lambda merged: f"they make up {joined(merged)!r}"  # noqa: E731
    says = f"fewer symbols make up {joined(symbols)!r}, as before"
    holds = lambda merged: joined(merged) == joined(symbols) and len(merged) < len(symbols)  # noqa: E731
    agree.satisfies(says, holds, symbols, ("a", "b"), shows=shows)


@exercise("merge_pair", points=2, level="values")
def test_the_pair_is_joined_wherever_it_stands(agree: Agree, draw: Draw) -> None:
    """the two symbols are joined wherever they are side by side in this order, and nowhere else"""
    agree((*crowd(draw, 9), "b", "a", "c", "a", "b", "c", "a", "b"), ("a", "b"))
    agree(("ab", *crowd(draw, 6), "c", "ab", "a", "b", "c", "ab", "c"), ("ab", "c"))


@exercise("merge_pair", points=3, level="edges")
def test_pairs_do_not_overlap(agree: Agree, draw: Draw) -> None:
    """from the left, each symbol joined once; symbols that only spell the pair stay apart; short words"""
    agree(tuple("aaabaaaab"), ("a", "a"))
    agree(tuple("aaaaaaaa"), ("a", "a"))
    agree(("a", "bc", "ab", "c", "abc", "a", "b", "c"), ("a", "bc"))
    agree(("ca", "b", "a", "b", "a", "bc"), ("a", "b"))
    agree(("ab", "ab", "ab", "a", "b", "ab", "ab"), ("ab", "ab"))
    agree(("aa", *crowd(draw, 9), "aa", "a"), ("aa", "a"))
    agree(("b",), ("b", "b"))
    agree((), ("a", "b"))


@exercise("learn_merges", points=1, level="property")
def test_as_many_pairs_as_asked_for(agree: Agree, draw: Draw) -> None:
    """`count` pairs, and each joins neighbouring symbols of a word"""
    spelt = {**spelling(draw), "yz": 400}
    holds = lambda pairs: len(pairs) == 5 and all(any(joined(p) in word for word in spelt) for p in pairs)  # noqa: E731
    shows = lambda pairs: f"they are {', '.join(map(str, pairs))}"  # noqa: E731
    agree.satisfies("five pairs, each of neighbours in a word", holds, spelt, 5, shows=shows)


@exercise("learn_merges", points=3, level="values")
def test_the_most_frequent_pair_of_each_round(agree: Agree, draw: Draw) -> None:
    """read, reader and leader: a d, e ad, r ead, e r; and the most frequent pair of each round for any words"""
    agree(READ, 4)
    agree({"ca": 90, "ab": 50, "cab": 20, "xyz": 3, "xy": 2, "cd": 3}, 5)
    agree({"aa": 2, "abx": 2, "ab": 1}, 2)
    agree({"ab": 999, "cd": 1000, "ef": 99, "gh": 100}, 4)
    agree({"abab": 3, "cd": 2}, 3)  # two merges side by side
    agree({"xababab": 3, "abb": 1, "xaby": 2, "cd": 4}, 5)
    agree(spelling(draw), 8)
    agree(spelling(draw), 8)


@exercise("learn_merges", points=1, level="edges")
def test_of_equally_frequent_pairs_the_first_in_order(agree: Agree, draw: Draw) -> None:
    """of equally frequent pairs the one that sorts first, wherever it occurs"""
    times = draw.random.randrange(2, 9)
    agree({"dcab": times, "badc": times, "xy": times}, 3)
    agree({"ab": 2, "yz": 2, "cb": 1, "ca": 1}, 4)


@exercise("learn_merges", points=2, level="edges")
def test_learning_ends_when_no_pair_is_left(agree: Agree, draw: Draw) -> None:
    """learning ends early if no pair is left, and not before; overlapping pairs count, words of one letter do not"""
    agree({"read": draw.random.randrange(2, 1000), "a": 9, "bed": 1}, 20)
    agree({"aaab": 2, "cd": 3, "dbdb": 1}, 5)
    agree({"ca": 9, "ab": 5, "cab": 2}, 3)
    agree({"read": draw.random.randrange(2, 1000)}, 2)
    agree(READ, 0)
    agree({"a": 3}, 2)
    agree({}, 2)


@exercise("apply_merges", points=1, level="property")
def test_the_pieces_make_up_the_word(agree: Agree, draw: Draw) -> None:
    """the pieces make up the word"""
    word = "".join(crowd(draw, 9))
    shows = lambda pieces: f"they make up {joined(pieces)!r}"  # noqa: E731
    merges = [("a", "b"), ("c", "ab"), ("b", "b")]
    agree.satisfies(f"the pieces make up {word!r}", lambda pieces: joined(pieces) == word, word, merges, shows=shows)


@exercise("apply_merges", points=2, level="values")
def test_merges_are_applied_wherever_they_fit(agree: Agree, draw: Draw) -> None:
    """bread becomes b and read, and any word becomes its pieces"""
    agree("cabca", [("a", "bc"), ("c", "a"), ("x", "y")])
    agree("bread", [("a", "d"), ("e", "ad"), ("r", "ead"), ("e", "r")])
    merges = [("b", "c"), ("a", "bc"), ("c", "a"), ("a", "b"), ("ab", "ab"), ("abc", "ab")]
    agree("abcabc", merges)
    agree("".join(crowd(draw, 8)) + "abcab", merges)


@exercise("apply_merges", points=2, level="edges")
def test_the_order_of_learning_counts(agree: Agree, draw: Draw) -> None:
    """merges apply in the order in which they were learned, once each; a word may be empty or fit no merge"""
    agree("abcabd", [("b", "c"), ("a", "b")])
    agree("abcabd", [("a", "b"), ("b", "c")])
    agree("abcd", [("ab", "cd"), ("abc", "d"), ("a", "b"), ("c", "d")])
    agree("xabx", [("a", "b"), ("c", "d")])
    agree("".join(crowd(draw, 9)), [("x", "y"), ("d", "a")])
    agree("ABab", [("A", "B"), ("a", "b")])
    agree("xyab", [(chr(number), "x") for number in range(65, 100)] + [("a", "b"), ("x", "y")])
    agree("abc", [])
    agree("a", [("a", "b"), ("a", "a")])
    agree("", [("a", "b")])


@exercise("learning_rate", points=1, level="property")
def test_the_warm_up_is_a_straight_line(agree: Agree, draw: Draw) -> None:
    """during the warm-up the rate grows evenly: step 5 has twice the rate of step 2"""
    rest = (draw.random.randrange(8, 20), 50, draw.random.uniform(0.1, 1), 0.01)
    says, shows = "step 5 has twice the rate of step 2", lambda two, five: f"first {two:.4g}, then {five:.4g}"
    agree.relates(says, lambda two, five: math.isclose(five, 2 * two), (2, *rest), (5, *rest), shows=shows)


@exercise("learning_rate", points=2, level="values")
def test_half_a_cosine_from_the_peak_to_the_floor(agree: Agree, draw: Draw) -> None:
    """after the warm-up the rate falls along half a cosine from `peak` to `floor`"""
    warmup, peak = draw.random.randrange(3, 9), draw.random.uniform(0.5, 1)
    for step in (warmup + 25, warmup + 4, warmup + 13):
        agree(step, warmup, warmup + 30, peak, peak / 10)
    agree(6, 4, 12, 1.0, 0.0)
    agree(1009, 20, 1500, 3e-4, 3e-5)


@exercise("learning_rate", points=1, level="values")
def test_the_steps_of_the_warm_up(agree: Agree, draw: Draw) -> None:
    """a step s of the warm-up has the rate `peak * (s + 1) / warmup`"""
    warmup, peak = draw.random.randrange(5, 9), draw.random.uniform(0.5, 1)
    for step in (1, 2, 0, warmup - 1):
        agree(step, warmup, 40, peak, peak / 10)
    agree(0, 10, 40, peak, peak / 5)


@exercise("learning_rate", points=2, level="edges")
def test_the_ends_of_the_three_stretches(agree: Agree, draw: Draw) -> None:
    """at `warmup` the rate is the peak, from `total` on the floor; a warm-up may have no steps, or one"""
    peak = draw.random.uniform(0.5, 1)
    for step in (7, 44, 31, 30, 400):
        agree(step, 7, 30, peak, peak / 10)
    agree(0, 0, 10, peak, 0.0)
    agree(3, 0, 10, peak, 0.0)
    agree(0, 1, 10, peak, 0.0)


@exercise("clip_gradients", points=1, level="property")
def test_the_norm_of_all_gradients_comes_back(agree: Agree, draw: Draw) -> None:
    """the joint norm of all gradients comes back: 5 for gradients of norm 5"""
    says, shows = "gradients of norm 5: 5 comes back", lambda norm: f"{norm:.4g} comes back"
    agree.satisfies(says, lambda norm: math.isclose(norm, 5, rel_tol=1e-6), gradients(draw), 20.0, shows=shows)


@exercise("clip_gradients", points=3, level="values")
def test_all_gradients_are_scaled_by_one_factor(agree: Agree, draw: Draw) -> None:
    """if the joint norm of all gradients, frozen or not, is above the limit, all are multiplied by limit / norm"""
    agree(gradients(draw), draw.random.uniform(0.5, 3), tolerance=LOOSE)
    agree(gradients(draw, 0.3), 1.0, tolerance=LOOSE)
    agree(gradients(draw, frozen=True), 1.0, tolerance=LOOSE)


@exercise("clip_gradients", points=2, level="edges")
def test_small_gradients_stay_as_they_are(agree: Agree, draw: Draw) -> None:
    """gradients within the limit do not change; float32, half precision; parameters to iterate over only once"""
    draw.fix(D=7)  # 3 · √7 has more than two decimals
    agree(gradients(draw), draw.random.uniform(6, 9))
    value, gradient = draw("D", dtype=F32), torch.full((draw.size("D"),), 3, dtype=F32)
    agree(part("WithGradients", value, gradient), 1.0, tolerance=1e-4)
    agree(part("WithGradients", value.bfloat16(), gradient.bfloat16() / 2), 1.0, tolerance=0.02)
    agree(gradients(draw, once=True), 1.0, tolerance=LOOSE)
    agree(part("WithGradients", value, torch.zeros_like(gradient)), 1.0)


@exercise("small_start", points=2, level="property")
def test_weights_are_small_and_biases_zero(agree: Agree, draw: Draw) -> None:
    """all linear layers and embeddings have weights from N(0, 0.02), however deep they are, and biases of 0"""
    agree(part("Untrained", draw.random.randrange(40, 60)))


@exercise("small_start", points=1, level="values")
def test_the_deviation_is_the_one_that_is_given(agree: Agree, draw: Draw) -> None:
    """weights are normal, with mean 0 and standard deviation `std`, however large"""
    agree(part("Untrained", draw.random.randrange(40, 60)), 0.4)
    agree(part("Untrained", draw.random.randrange(40, 60)), 2.0)
    agree(part("Untrained", draw.random.randrange(40, 60)), std=0.04)


@exercise("small_start", points=2, level="edges")
def test_all_other_parameters_stay_as_they_are(agree: Agree, draw: Draw) -> None:
    """layer norms and parameters outside any layer do not change; a linear layer may have no bias"""
    draw.fix(D=50)
    agree(part("Untrained", 50, draw("D"), draw("T D")))


@exercise("attended_word", points=1, level="property")
def test_with_a_diagonal_each_word_attends_to_itself(agree: Agree, draw: Draw) -> None:
    """if each word attends only to itself, the words come back; if only to the next one, the next words"""
    said = words(draw, 6)
    shows = lambda answer: f"they are {', '.join(map(str, answer))}"  # noqa: E731
    agree.satisfies("the words come back unchanged", lambda r: r == said, torch.eye(6).double(), said, shows=shows)
    turned = [*said[1:], said[0]]
    says = "each word attends to the next alone: that is what comes back"
    agree.satisfies(says, lambda r: r == turned, torch.eye(6).double().roll(1, 1), said, shows=shows)


@exercise("attended_word", points=2, level="values")
def test_the_largest_weight_of_each_row(agree: Agree, draw: Draw) -> None:
    """for each row, the word with the largest weight"""
    weights, said = attention(draw)
    agree(weights, said)
    agree(weights.flip(0, 1), said)


@exercise("attended_word", points=1, level="edges")
def test_ties_go_to_the_earlier_word(agree: Agree, draw: Draw) -> None:
    """of words with the same weight the first, of nearly the same the heaviest; a word may occur twice, or be alone"""
    weights = torch.tensor([[4, 4, 0, 0], [1, 3, 3, 1], [2, 2, 2, 2], [0, 1, 0, 7]], dtype=F32) / 8
    first, second, third, fourth = sorted(words(draw, 4))
    agree(weights, [second, first, third, fourth])
    one, two = words(draw, 2)
    agree(torch.tensor([[10, 16, 14], [20, 12, 8], [20, 16, 4]]).double() / 40, [one, two, one])
    nearly = torch.full((4, 4), 0.25).double()
    nearly[:, 0] -= 1e-6
    nearly[:, 2] += 1e-6
    agree(nearly, words(draw, 4))
    agree(torch.ones(1, 1).double(), words(draw, 1))


def shape_of(answer: object) -> str:
    return f"a tensor {tuple(answer.shape)}" if isinstance(answer, torch.Tensor) else f"a {type(answer).__name__}"


def has_shape(answer: object, *shape: int) -> str:
    """Return "" for finite numbers of this shape, else what the answer is."""
    if not isinstance(answer, torch.Tensor) or tuple(answer.shape) != shape:
        return shape_of(answer)
    if not answer.is_floating_point():
        return f"{shape_of(answer)} of {answer.dtype}"
    return "" if bool(answer.isfinite().all()) else f"{shape_of(answer)} with NaN or infinity among them"


def sums_to_one(answer: torch.Tensor) -> bool:
    return bool((answer >= 0).all()) and near(answer.sum(-1), 1.0, 1e-4)


def no_probabilities(*args: object, part: Callable[..., torch.Tensor] = lambda r: r) -> Fact:
    """State that the logits are not the result of a softmax."""
    says = "logits are any numbers, and need not sum to 1"
    return Fact(says, lambda ask: "each row sums to 1" if sums_to_one(part(ask(*args))) else "")


def alike(a: torch.Tensor, b: torch.Tensor) -> bool:
    return near(a, b, 1e-4)


def gives(says: str, wanted: tuple[int, ...], *args: object, advice: str = "") -> Fact:
    return Fact(says, lambda ask: has_shape(ask(*args), *wanted), advice)


def reads(says: str, wanted: tuple[int, ...], ids: torch.Tensor, advice: str) -> Fact:
    """State that a text as long as `ids` has an answer too; any error of the answer counts as the same one."""

    def holds(ask: Callable[..., object]) -> str:
        try:
            return has_shape(ask(ids), *wanted)
        except Exception as error:
            if not getattr(error, "raised", False):  # it is not the answer's own error
                raise
            return "it raises an error, which shorter texts do not"

    return Fact(says, holds, advice)


def stays(says: str, first: tuple[object, ...], second: tuple[object, ...], part: object, instead: str) -> Fact:
    """State that `part` of the answer is the same for both."""
    return Fact(says, lambda ask: "" if alike(part(ask(*first)), part(ask(*second))) else instead)


def moves(says: str, first: tuple[object, ...], second: tuple[object, ...], instead: str, since: int = 0) -> Fact:
    """State that the answers to both differ, at places from `since` on if it is given."""
    kept = lambda r: r[:, since:] if since else r  # noqa: E731
    same = lambda a, b: a.shape == b.shape and near(kept(a), kept(b), 1e-5)  # noqa: E731
    return Fact(says, lambda ask: instead if same(ask(*first), ask(*second)) else "")


def padded_behind(source: torch.Tensor, target: torch.Tensor) -> Fact:
    """State that zeros behind a source change nothing; what comes instead tells whether the source is turned round."""
    says, zeros = "padding after the source changes nothing", torch.zeros_like(source[:, :3])

    def holds(ask: Callable[..., torch.Tensor]) -> str:
        right = ask(source, target)
        if alike(right, ask(torch.cat([source, zeros], 1), target)):
            return ""
        if alike(right, ask(torch.cat([zeros, source], 1), target)):
            return "it changes the logits, and padding before the source does not"
        other = torch.cat([(source[:, :1] - 2) % 10 + 3, source[:, 1:]], 1)
        try:
            apart = (ask(source, method="encode") - ask(other, method="encode")).abs().amax(-1)
            last = apart.shape == source.shape and bool((apart.argmax(-1) == source.shape[1] - 1).all())
        except Exception:  # a model of one's own has other halves
            last = False
        return "it changes the logits" + (", and `encode` shows the first digit at the last place" if last else "")

    return Fact(says, holds)


def swapped(says: str, length: int, size: int) -> Fact:
    """State that ids from `length` on are read; what comes instead tells whether `length` and `size` are swapped."""

    def breaks(ask: Callable[..., object], *args: object) -> bool:
        try:
            ask(*args)
        except Exception as error:
            if not getattr(error, "raised", False):  # it is not the answer's own error
                raise
            return True
        return False

    def holds(ask: Callable[..., object]) -> str:
        texts = [torch.ones(1, count, dtype=torch.long) for count in (size, size + 1)]
        if not breaks(ask, torch.tensor([[size - 10]])) or [breaks(ask, text) for text in texts] != [False, True]:
            return ""  # if it breaks, a later fact says so
        return f"ids from {length} on raise an error, and texts of up to {size} do not"

    return Fact(says, holds)


def not_squashed(ids: torch.Tensor, seeds: list[int]) -> Fact:
    """State that logits are no probabilities, whatever the parameters are."""
    inside = lambda r: bool(((r >= 0) & (r <= 1)).all())  # noqa: E731
    says = "logits are any numbers, also below 0 and above 1"
    return Fact(
        says,
        lambda ask: (
            "whatever the parameters, all are from 0 to 1" if all(inside(ask(ids, drawn=s)) for s in seeds) else ""
        ),
    )


def placeless(ids: torch.Tensor, seed: int) -> Fact:
    """State that one word again and again has the same logits at each place."""

    def holds(ask: Callable[..., tuple[torch.Tensor, torch.Tensor]]) -> str:
        logits = ask(ids, drawn=seed)[0]
        size = logits.abs().max().clamp(min=1)
        return "" if near(logits / size, logits[:, :1] / size, 1e-3) else "they differ from place to place"

    return Fact("one word again and again has the same logits at each place: there are no positions", holds)


def inked(images: torch.Tensor, seed: int) -> Fact:
    """State that ink as strong as it is shows in the logits."""

    def holds(ask: Callable[..., torch.Tensor]) -> str:
        empty = ask(torch.zeros_like(images), drawn=seed)
        shows = (ask(images, drawn=seed) - empty).abs().max()
        strong = (ask(images * 255, drawn=seed) - empty).abs().max()
        faint = bool(shows < 0.2 * empty.abs().max() and shows * 8 < strong)
        return "the logits are nearly those of an empty picture, but not for 255 times as much ink" if faint else ""

    return Fact("ink changes the logits: pixels are from 0 to 1", holds)


def reaches(agree: Agree, what: str, share: float, goal: float, once: float | None = None) -> None:
    """Require a share; `once` is what the model is said to have reached when it was saved."""
    advice = "train it again, longer or with a larger model; the page that training makes shows its mistakes"
    changed = once is not None and once - share > FAR
    agree.require(
        share >= goal,
        expected=f"{what}: {goal:.0%} or more",
        got=f"{share:.1%}" + (f", and {once:.1%} when it was saved" if changed else ""),
        advice=ANOTHER if changed else advice,
    )


def stays_within(kind: type[Recipe], student: Student, agree: Agree, *args: object) -> None:
    """Require that the model that is built has no more parameters than its budget."""
    made, most = student(*args), kind.budget.parameters
    count = sum(made[name].numel() for name in made["learning"])
    agree.require(
        count <= most,
        expected=f"a model of at most {most:,} parameters",
        got=f"{count:,}",
        advice="make it narrower, or give it fewer blocks, and train it again",
    )


def loss_is_at_most(agree: Agree, loss: float, goal: float, once: float | None) -> None:
    """Require a loss; `once` is what the model is said to have reached when it was saved."""
    advice = "train it again, longer or with a larger model; the curve shows whether it was still falling"
    changed = once is not None and loss - once > FAR
    agree.require(
        loss <= goal,
        expected=f"a held-out loss of {goal:g} nats per character or less",
        got=f"{loss:.3f}" + (f", and {once:.3f} when it was saved" if changed else ""),
        advice=ANOTHER if changed else advice,
    )


def digits_of(draw: Draw, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return digits (rows, 8) and what a decoder reads (rows, 9), without padding."""
    source = draw.integers(f"{rows} 8", 3, 13)
    source[0, 0] = 12
    return source, torch.cat([torch.ones_like(source[:, :1]), source], dim=1)


@exercise("build_reverse", points=1, level="property")
def test_no_word_is_written_in_view_of_later_ones(facts: Facts, draw: Draw) -> None:
    """13 logits at each place, from the source and no later digit, the same in any batch; encode, decode, pad_id"""
    source, target = digits_of(draw, 3)
    later = torch.cat([target[:, :4], target.flip(1)[:, 4:].clone()], dim=1)
    later[:, 4:] = (later[:, 4:] - 2) % 10 + 3
    facts(
        gives("logits (3, 9, 13) for texts of 8 digits", (3, 9, 13), source, target),
        no_probabilities(source, target),
        stays(
            "later digits of the target change no earlier logits",
            (source, target),
            (source, later),
            lambda r: r[:, :4],
            "they change: the decoder looks ahead",
        ),
        moves(
            "another source gives other logits",
            (source, target),
            (source.flip(1), target),
            "the logits are the same",
        ),
        stays(
            "a text alone gets the logits that it gets in the batch",
            (source, target),
            (source[1:2].clone(), target[1:2].clone()),
            lambda r: r[1:2] if len(r) > 1 else r,
            "other logits",
        ),
        in_halves(source, target),
        has_number("pad_id", lambda number: number == 0, "the model has `pad_id`, which is 0"),
    )


@exercise("build_reverse", points=1, level="edges")
def test_padding_behind_a_text_changes_nothing(facts: Facts, draw: Draw) -> None:
    """zeros after the source change no logits, and a text of a single digit has logits too"""
    source, target = digits_of(draw, 2)
    source = source[:, :5].clone()
    facts(
        gives("logits (2, 9, 13) for a source of 5 digits", (2, 9, 13), source, target),
        padded_behind(source, target),
        gives("logits (1, 1, 13) for a single digit", (1, 1, 13), source[:1, :1].clone(), target[:1, :1].clone()),
    )


def reversed_right(trained: Trained) -> float:
    """Return the share of held-out texts that the trained model writes without a mistake, word after word."""
    source, target = reverse.held_out()
    said = torch.full_like(source[:, :1], reverse.BOS)
    for _ in range(target.shape[1]):
        logits = trained("reverse", source, said)
        if said_wrong := has_shape(logits, *said.shape, reverse.WORDS):
            raise_wrong_form(said_wrong, "logits (B, T, 13)")
        said = torch.cat([said, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
    return reverse.exact(said[:, 1:], target)


def has_number(name: str, right: Callable[[int], bool], says: str, advice: str = "") -> Fact:
    """State that the model has an attribute that is a whole number as it should be."""

    def holds(ask: Callable[..., object]) -> str:
        found = None
        for method in ("__getattribute__", "__getattr__"):  # the second finds buffers
            with suppress(Exception):
                found = ask(name, method=method)
                break
        if found is None:
            return f"there is no `{name}`"
        number = int(found) if isinstance(found, int | torch.Tensor) else None
        return "" if number is not None and right(number) else f"`{name}` is {found!r}"

    return Fact(says, holds, advice)


def in_halves(source: torch.Tensor, target: torch.Tensor) -> Fact:
    """State that `decode` on what `encode` gives is the whole call, as `greedy_decode` needs it."""

    def holds(ask: Callable[..., torch.Tensor]) -> str:
        whole, half = ask(source, target), "encode"
        try:
            memory = ask(source, method=half)
            half = "decode"
            halves = ask(target, memory, source, method=half)
        except Exception as error:
            if not getattr(error, "raised", False):  # it is not the answer's own error
                raise
            return f"`{half}` is missing, or raises an error"
        return has_shape(halves, *whole.shape) or ("" if alike(whole, halves) else "other logits")

    says = "decode(target_in, encode(source), source) gives the logits of model(source, target_in)"
    return Fact(says, holds, "greedy_decode of chapter 8 encodes a source once and then asks `decode` for each word")


def raise_wrong_form(got: str, expected: str) -> NoReturn:
    raise CheckFailed("failed", f"the trained model gives {got} instead of {expected}")


@exercise("build_reverse", points=2, level="values")
def test_nine_of_ten_texts_are_reversed(trained: Trained, student: Student, agree: Agree) -> None:
    """the trained model reverses 90 of 100 texts that it has never seen, and has at most 100,000 parameters"""
    right = reversed_right(trained)
    stays_within(reverse.Reverse, student, agree)
    reaches(agree, "held-out texts reversed", right, 0.90, trained.score("reverse"))


@exercise("build_reverse", points=2, level="values")
def test_nearly_all_texts_are_reversed(trained: Trained, student: Student, agree: Agree) -> None:
    """it reverses 98 of 100, with at most 100,000 parameters"""
    right = reversed_right(trained)
    stays_within(reverse.Reverse, student, agree)
    reaches(agree, "held-out texts reversed", right, 0.98, trained.score("reverse"))


@exercise("build_markov", points=2, level="property")
def test_each_word_looks_at_itself_and_the_words_before_it(facts: Facts, draw: Draw) -> None:
    """a pair: logits that know no later word and no positions, weights that sum to 1 and are 0 for later words"""
    draw.fix(V=14)
    ids = draw.integers("3 8", 1, 14)
    ids[0, 0] = 13
    other, shuffled = ids.clone(), torch.cat([ids[:, 2:7], ids[:, :2], ids[:, 7:]], dim=1)
    other[:, 5:] = ids[:, 5:] % 13 + 1
    facts(
        Fact(
            "a pair, logits (3, 8, 14) and weights (3, 8, 8)",
            lambda ask: _pair(ask(ids), (3, 8, 14), (3, 8, 8)),
            "return the logits and the weights of the single head, without an axis for heads",
        ),
        Fact("the weights of each word sum to 1", lambda ask: _sums(ask(ids)[1])),
        Fact("no word looks at a later one", lambda ask: _above(ask(ids)[1]), "make a causal mask and pass it on"),
        stays("later words change no earlier logits", (ids,), (other,), lambda r: r[0][:, :5], "they change"),
        no_probabilities(ids, part=lambda r: r[0]),
        placeless(ids[:, 1:2].repeat(1, 8), draw.random.randrange(1, 999)),
        stays(
            "in another order, the words before the last one change nothing for it: there are no positions",
            (ids,),
            (shuffled,),
            lambda r: r[0][:, 7:],
            "its logits change",
        ),
        build=(14,),
    )


def _pair(answer: object, *shapes: tuple[int, ...]) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return f"{shape_of(answer)} instead of a pair"
    found = [has_shape(one, *shape) for one, shape in zip(answer, shapes, strict=True)]
    return " and ".join(what or shape_of(one) for what, one in zip(found, answer, strict=True)) if any(found) else ""


def _sums(weights: torch.Tensor) -> str:
    sums = weights.sum(-1).mean(0)
    wrong = [str(place) for place, total in enumerate(sums.tolist(), 1) if abs(total - 1) > 1e-4]
    return f"of {len(sums)} words, those at place {', '.join(wrong)} have weights with another sum" if wrong else ""


def _above(weights: torch.Tensor) -> str:
    seen = weights.abs() >= 1e-6
    if not bool(seen.triu(1).any()):
        return ""
    if not bool(seen.triu(2).any()):
        return "the word right after each one gets a weight above 0"
    return "later words get weights above 0" + ("" if bool(seen.tril(-1).any()) else ", and earlier ones none")


@exercise("build_markov", points=1, level="edges")
def test_a_single_word_and_another_vocabulary(facts: Facts, draw: Draw) -> None:
    """a sentence of one word, one sentence alone, a vocabulary of 31 words; padding in front"""
    padded = draw.integers("3 6", 1, 31)
    padded[0, :2], padded[1, :4], padded[2, 5] = 0, 0, 30
    facts(
        Fact("for one word, logits (2, 1, 31) and weights (2, 1, 1)",
             lambda ask: _pair(ask(draw.integers("2 1", 1, 31)), (2, 1, 31), (2, 1, 1))),
        Fact("for one sentence, logits (1, 6, 31) and weights (1, 6, 6)",
             lambda ask: _pair(ask(draw.integers("1 6", 1, 31)), (1, 6, 31), (1, 6, 6))),
        Fact("with padding in front, finite logits (3, 6, 31) and weights (3, 6, 6)",
             lambda ask: _pair(ask(padded), (3, 6, 31), (3, 6, 6)),
             "leave padding visible, or let a row in which all is hidden look at something, or at nothing"),
        build=(31,),
    )  # fmt: skip


@exercise("build_markov", points=3, level="values")
def test_the_trained_head_finds_the_mask(trained: Trained, student: Student, agree: Agree) -> None:
    """“ran” looks most at the mask's word in each test sentence; 95 % of next words right; at most 10,000 parameters"""
    sentences = markov.held_out()
    ids = markov.ids_of(sentences)
    answer = trained("markov", ids, build=(len(markov.VOCABULARY),))
    if wrong := _pair(answer, (*ids.shape, len(markov.VOCABULARY)), (*ids.shape, ids.shape[1])):
        raise_wrong_form(wrong, "logits and weights")
    stays_within(markov.Markov, student, agree, len(markov.VOCABULARY))
    picked = markov.picked(answer[1], sentences, ids)
    reaches(agree, "test sentences in which “ran” looks most at the mask's word", picked, 1.0)
    right = float((answer[0][:, -1].argmax(-1) == markov.after(sentences)).double().mean())
    reaches(agree, "test sentences with the right word after “ran”", right, 0.95)


@exercise("build_sentiment", points=1, level="property")
def test_a_logit_for_each_text(facts: Facts, draw: Draw) -> None:
    """a logit for each text, any number, whatever else is in the batch; other words give other logits"""
    draw.fix(V=50)
    ids = draw.integers("4 30", 2, 50)
    ids[0, 0] = 49
    facts(
        gives("logits (4,) for four texts", (4,), ids),
        gives("a logit (1,) for a text alone", (1,), ids[1:2].clone()),
        stays(
            "a text alone gets the logit that it gets in the batch",
            (ids,),
            (ids[1:2].clone(),),
            lambda r: r[1:2] if len(r) > 1 else r,
            "another logit",
        ),
        moves("other words give other logits", (ids,), (ids.flip(0),), "the same logits"),
        not_squashed(ids, draw.random.sample(range(1, 999), 3)),
        build=(50,),
    )


@exercise("build_sentiment", points=1, level="edges")
def test_texts_of_one_word_and_of_two_hundred(facts: Facts, draw: Draw) -> None:
    """texts of 1 and of 200 words, every id of the vocabulary"""
    facts(
        swapped("every id of the vocabulary is read", 200, 260),
        gives("a logit (1,) for a text of one word", (1,), torch.tensor([[259]])),
        reads(
            "logits (2,) for texts of 200 words", (2,), draw.integers("2 200", 0, 260), advice="let max_length be 200"
        ),
        build=(260,),
    )


def judged_right(trained: Trained) -> float:
    """Return the share of held-out sentences that the trained model judges correctly."""
    ids, labels = sentiment.held_out()
    logits = trained("sentiment", ids, build=(len(vocabulary()),))
    if wrong := has_shape(logits, len(ids)):
        raise_wrong_form(wrong, f"logits ({len(ids)},)")
    if bool((logits >= 0).all() and (logits <= 1).all()):
        raise_wrong_form("numbers from 0 to 1, as a sigmoid does,", "logits, some of which are below 0")
    return float(((logits > 0).long() == labels).double().mean())


@exercise("build_sentiment", points=2, level="values")
def test_most_sentences_are_judged_right(trained: Trained, student: Student, agree: Agree) -> None:
    """the trained model correctly judges 78 of 100 unseen sentences, and has at most 1,000,000 parameters"""
    right = judged_right(trained)
    stays_within(sentiment.Sentiment, student, agree, len(vocabulary()))
    reaches(agree, "held-out sentences judged right", right, 0.78)


@exercise("build_sentiment", points=2, level="values")
def test_it_judges_better_than_counting_words(trained: Trained, student: Student, agree: Agree) -> None:
    """it correctly judges 83.0 %, more than the 82.8 % of counting words, with at most 1,000,000 parameters"""
    right = judged_right(trained)
    stays_within(sentiment.Sentiment, student, agree, len(vocabulary()))
    reaches(agree, "held-out sentences judged right", right, 0.83)


@exercise("build_shakespeare", points=1, level="property")
def test_no_character_is_predicted_in_view_of_later_ones(facts: Facts, draw: Draw) -> None:
    """logits for each character at each place, the same in any batch; earlier characters count, later ones do not"""
    draw.fix(V=131)  # no multiple of 8 above it is a usual width
    low, ids = draw.integers("3 20", 0, 64), draw.integers("3 20", 0, 131)
    ids[0, 0] = 130
    later, earlier, last = ids.clone(), ids.clone(), ids.clone()
    later[:, 12:], earlier[:, :12] = (ids[:, 12:] + 7) % 131, (ids[:, :12] + 7) % 131
    last[:, -1] = (ids[:, -1] + 7) % 131
    facts(
        swapped("every id of the alphabet is read", 64, 131),
        gives("logits (3, 20, 131)", (3, 20, 131), low),
        gives("logits (3, 20, 131) for every character of the alphabet", (3, 20, 131), ids),
        no_probabilities(ids),
        stays(
            "later characters change no earlier logits",
            (ids,),
            (later,),
            lambda r: r[:, :12],
            "they change: the model looks ahead",
        ),
        moves("earlier characters change the logits after them", (ids,), (earlier,), "the same logits", since=12),
        moves("another last character changes the logits at its place", (ids,), (last,), "the same logits", since=19),
        stays(
            "a text alone gets the logits that it gets in the batch",
            (ids,),
            (ids[1:2].clone(),),
            lambda r: r[1:2] if len(r) > 1 else r,
            "other logits",
        ),
        build=(131,),
    )


@exercise("build_shakespeare", points=1, level="edges")
def test_texts_of_one_character_and_of_sixty_four(facts: Facts, draw: Draw) -> None:
    """texts of 1 and of 64 characters, another alphabet, and the attribute `max_length`, 64 or more"""
    facts(
        gives("logits (1, 1, 140) for one character", (1, 1, 140), torch.tensor([[29]])),
        reads(
            "logits (2, 64, 140) for 64 characters",
            (2, 64, 140),
            draw.integers("2 64", 0, 30),
            advice="let max_length be 64",
        ),
        has_number("max_length", lambda number: number >= 64, "the model has `max_length`, 64 or more"),
        build=(140,),
    )


def held_out_loss(trained: Trained) -> float:
    """Return the loss of the trained model on held-out texts."""

    def last(ids: torch.Tensor) -> torch.Tensor:
        logits = trained("shakespeare", ids, build=(len(shakespeare.alphabet()),))
        if wrong := has_shape(logits, *ids.shape, len(shakespeare.alphabet())):
            raise_wrong_form(wrong, "logits (B, T, 65)")
        return logits[:, -1]

    return shakespeare.loss_of(last(ids) for ids, _ in shakespeare.held_out())


@exercise("build_shakespeare", points=2, level="values")
def test_it_beats_counting_pairs(trained: Trained, student: Student, agree: Agree) -> None:
    """the trained model's held-out loss is 2.3 or less (counting pairs: 2.5), with at most 2,000,000 parameters"""
    loss = held_out_loss(trained)
    stays_within(shakespeare.Shakespeare, student, agree, len(shakespeare.alphabet()))
    loss_is_at_most(agree, loss, 2.3, trained.score("shakespeare"))


@exercise("build_shakespeare", points=2, level="values")
def test_it_beats_counting_triples(trained: Trained, student: Student, agree: Agree) -> None:
    """the held-out loss is 2.0 or less (counting triples: 2.08), with at most 2,000,000 parameters"""
    loss = held_out_loss(trained)
    stays_within(shakespeare.Shakespeare, student, agree, len(shakespeare.alphabet()))
    loss_is_at_most(agree, loss, 2.0, trained.score("shakespeare"))


@exercise("build_shakespeare", points=1, level="values")
def test_it_earns_honours(trained: Trained, student: Student, agree: Agree) -> None:
    """the held-out loss is 1.9 or less, with at most 2,000,000 parameters"""
    loss = held_out_loss(trained)
    stays_within(shakespeare.Shakespeare, student, agree, len(shakespeare.alphabet()))
    loss_is_at_most(agree, loss, 1.9, trained.score("shakespeare"))


@exercise("build_digits", points=1, level="property")
def test_ten_logits_for_each_picture(facts: Facts, draw: Draw) -> None:
    """ten logits for each picture, whatever else is in the batch; its ink, from 0 to 1, and where it is change them"""
    images = draw("5 1 8 8", dtype=torch.float32).sigmoid()
    facts(
        gives("logits (5, 10) for five pictures", (5, 10), images),
        gives("logits (1, 10) for a picture alone", (1, 10), images[2:3].clone()),
        no_probabilities(images),
        moves(
            "another picture alone gets other logits",
            (images[:1].clone(),),
            (images[1:2].clone(),),
            "the same logits for any picture alone",
        ),
        stays(
            "a picture alone gets the logits that it gets in the batch",
            (images,),
            (images[2:3].clone(),),
            lambda r: r[2:3] if len(r) > 1 else r,
            "other logits",
        ),
        moves(
            "a picture with its halves swapped gets other logits",
            (images,),
            (images.roll(4, 3),),
            "the same logits: it does not know where a patch was",
        ),
        inked(images, draw.random.randrange(1, 999)),
    )


@exercise("build_digits", points=1, level="edges")
def test_an_empty_picture(facts: Facts) -> None:
    """a single picture without any ink has ten finite logits"""
    facts(gives("logits (1, 10) for an empty picture", (1, 10), torch.zeros(1, 1, 8, 8, dtype=F32)))


def read_right(trained: Trained) -> float:
    """Return the share of held-out digits that the trained model reads correctly."""
    images, labels = digits.held_out()
    logits = trained("digits", images)
    if wrong := has_shape(logits, len(images), 10):
        raise_wrong_form(wrong, f"logits ({len(images)}, 10)")
    return float((logits.argmax(-1) == labels).double().mean())


@exercise("build_digits", points=2, level="values")
def test_most_digits_are_read(trained: Trained, student: Student, agree: Agree) -> None:
    """the trained model reads 93 of 100 digits that it has never seen, and has at most 250,000 parameters"""
    right = read_right(trained)
    stays_within(digits.Digits, student, agree)
    reaches(agree, "held-out digits read right", right, 0.93, trained.score("digits"))


@exercise("build_digits", points=2, level="values")
def test_it_reads_better_than_the_nearest_picture(trained: Trained, student: Student, agree: Agree) -> None:
    """it reads 98.0 %, more than the 97.8 % of the nearest picture, with at most 250,000 parameters"""
    right = read_right(trained)
    stays_within(digits.Digits, student, agree)
    reaches(agree, "held-out digits read right", right, 0.98, trained.score("digits"))
