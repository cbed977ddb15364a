"""Checks of chapter 1: from counting words to attention."""

import numpy as np
import pytest

from autograder.suite import Agree, Draw, exercise
from reference import ch01_markov as reference

PHOTO_WORDS, LOG_WORDS = reference.vocabulary(reference.PHOTOS), reference.vocabulary(reference.LOGS)
PHOTO_MODEL = reference.transition_matrix(reference.PHOTOS, PHOTO_WORDS)
LONG, UNHEARD = [list("dabcbdbcabca"), list("e" + 20 * "ab" + "cd"), list("dcb")], list("abcdefg")  # no "f" or "g"
NESTED = ["come", "me", "some", "time"]  # one word is a part of all others
ODD = [
    ["a", ".", "b", ".", "a"],
    ["-", "\t-", "-", "a "],
    [" ", "<s>", "</s>", " ", "a", "a "],
    ["\u00e9", "e\u0301", "\ufb01", "fi", "e\u0301", "\u00e9"],  # two pairs of different texts that look alike
]  # a word may be any text
GLUED = [  # pairs of words that spell the same, side by side and with something between them
    sentence
    for between in ("", " ", "_", "-", ",", "|")
    for sentence in (["a", f"b{between}c", "x"], [f"a{between}b", "c", "y"])
]
MANY = [f"w{number:02}" for number in range(70)]  # more than a byte's, a word's or a block's
TRIPLES = MANY[:41]  # they make more triples than two bytes count
CROWD = [f"w{number:03}" for number in range(260)]  # more words than a byte counts, more pairs than two bytes do
LOG_SKIPS, PROGRAM = reference.skip_matrix(reference.LOGS, LOG_WORDS), reference.LOGS[0][:-1]


def words(draw: Draw, count: int) -> list[str]:
    """Distinct made-up words, unsorted."""
    return draw.random.sample([a + b + c + d for a in "bdgk" for b in "aeiou" for c in "flnr" for d in "aeiou"], count)


def corpus(draw: Draw, size: int = 7) -> tuple[list[list[str]], list[str]]:
    """Sentences whose words and triples repeat, some with a last word that is never followed; and their vocabulary."""
    *inner, end = words(draw, size)
    a, b, c, d = inner[:4]
    chosen = (draw.random.choices(inner, k=2 + number // 2) + [end] * (number % 2) for number in range(14))
    return told([a, b, c, a, b, c, a, b, d], *chosen)


def told(*sentences: list[str] | str) -> tuple[list[list[str]], list[str]]:
    """Sentences and their vocabulary, as arguments; in a text each letter is a word."""
    return [list(sentence) for sentence in sentences], sorted({word for sentence in sentences for word in sentence})


def spelt(draw: Draw, *sentences: str) -> tuple[list[list[str]], list[str]]:
    """The same, where each letter stands for a made-up word; words sort as their letters do."""
    letters = sorted(set("".join(sentences)))
    meant = dict(zip(letters, sorted(words(draw, len(letters))), strict=True))
    return told(*([meant[letter] for letter in sentence] for sentence in sentences))


def picked(draw: Draw) -> np.ndarray:
    """One-hot rows, (T, V): the first two are equal, the last is another."""
    draw.fix(T=draw.random.randrange(4, 9))
    size, ids = draw.size("V"), draw.integers("T", 0, draw.size("V"))
    ids[1], ids[-1] = ids[0], (ids[0] + 1) % size
    return np.eye(size)[ids.numpy()]


def fits(result: np.ndarray) -> np.ndarray:
    """Of each row, whether it sums to 1 or is zero."""
    return np.isclose(result.sum(axis=-1), 1) | (result.sum(axis=-1) == 0)


def shares(result: np.ndarray) -> bool:
    """Whether every row sums to 1 or is zero."""
    return bool(fits(result).all())


def row(result: np.ndarray) -> str:
    """The first row that does neither, in words."""
    place = [int(part) for part in np.unravel_index(fits(result).argmin(), result.shape[:-1])]
    total = result[tuple(place)].sum()
    return f"row {place if place[1:] else place[0]} sums to {total:.4g}".replace("nan", "NaN")


def entry(result: np.ndarray, right: np.ndarray) -> str:
    """The first entry of a vector that is not right, in words."""
    return f"entry {right.argmin()} is {result[right.argmin()]:.4g}"


@pytest.fixture
def vocab(draw: Draw) -> list[str]:
    """Eleven words: V = 11."""
    draw.fix(V=11)
    return sorted(words(draw, 11))


@pytest.fixture
def context(draw: Draw, vocab: list[str]) -> list[str]:
    """A text a b a c d; the other seven words are absent. The numbers of a and d are no positions in the text."""
    a, d = draw.random.sample(vocab[5:], 2)
    b, c = draw.random.sample([word for word in vocab if word not in {a, d}], 2)
    return [a, b, a, c, d]


@exercise("vocabulary", points=1, level="property")
def test_words_are_sorted_and_distinct(agree: Agree, draw: Draw) -> None:
    """every word appears once, in sorted order"""
    says = "each word appears once, in sorted order"
    agree.satisfies(says, lambda r: list(r) == sorted({str(word) for word in r}), corpus(draw, 12)[0])


@exercise("vocabulary", points=1, level="values")
def test_every_word_is_there(agree: Agree, draw: Draw) -> None:
    """the vocabulary holds the words of all sentences"""
    agree([*corpus(draw, 12)[0], ["lone"]])


@exercise("vocabulary", points=1, level="edges")
def test_capitals_are_other_words(agree: Agree, vocab: list[str]) -> None:
    """short and empty sentences; "Ran" and "ran" differ, capitals sort first; any text is a word, " " and "a " too"""
    agree([vocab[::2], [word.capitalize() for word in vocab[1::2]], [vocab[0] + "s"]])
    agree([vocab[3:], [], [word.capitalize() for word in vocab[1:5]], vocab[:1], vocab[:2]])
    agree([[vocab[0], "e\u0301t\u00e9", "\u00e9t\u00e9"]])  # the last two are different texts that look alike
    agree([["don't", "x-ray", "7", vocab[0], "été", ".", f"{vocab[0]} {vocab[1]}"], ["7", "X", "12"]])
    agree(ODD)


@exercise("one_hot", points=1, level="property")
def test_each_row_has_a_single_one(agree: Agree, context: list[str], vocab: list[str]) -> None:
    """each token has a row of zeros with a single 1"""
    says = "each row holds zeros and a single 1"
    agree.satisfies(says, lambda r: (np.sort(r)[:, -2:] == [0, 1]).all(), [*context, vocab[0]], vocab)


@exercise("one_hot", points=2, level="values")
def test_the_one_stands_in_the_words_column(agree: Agree, draw: Draw, vocab: list[str]) -> None:
    """the 1 is in the column of the token's word"""
    agree([vocab[7], vocab[2], vocab[7], vocab[0], *draw.random.choices(vocab, k=draw.size("T"))], vocab)


@exercise("one_hot", points=2, level="edges")
def test_an_unknown_word_is_refused_by_name(agree: Agree, vocab: list[str]) -> None:
    """any text is a word, and one token one row; an unknown one, early or late, raises KeyError that names it"""
    agree(vocab[-1:], vocab)
    capital, two = vocab[1].capitalize(), f"{vocab[1].capitalize()} {vocab[0]}"
    agree([vocab[1], capital, two, vocab[0]], sorted([capital, two, two.lower(), *vocab]))
    agree(["a", "a ", " ", "a"], reference.vocabulary(ODD))
    agree(CROWD[254:], CROWD)
    for word in ("zebra", f"{vocab[1]}a", "aa", vocab[4][:3], vocab[6].upper(), f"{vocab[3]} "):
        agree.raises(KeyError, [vocab[2], word, vocab[0], vocab[2]], vocab, naming=(word.strip(),))
    agree.raises(KeyError, ["unheard"], vocab, naming=("unheard",))
    agree.raises(KeyError, [*vocab, "unheard"], vocab, naming=("unheard",))


@exercise("lookup", points=1, level="property")
def test_looked_up_rows_are_rows_of_the_table(agree: Agree, draw: Draw) -> None:
    """every row that comes out is a row of the table"""
    table = draw.array("4 2") ** 2
    table[1, 1] = 0
    says = "each row of the result is a row of the table"
    agree.satisfies(says, lambda r: np.isin(r, table).all(), np.eye(4)[[0, 3, 2]], table)


@exercise("lookup", points=2, level="values")
def test_rows_are_pulled_out(agree: Agree, draw: Draw) -> None:
    """each one-hot row pulls out the row of its word"""
    rows = picked(draw)
    for _ in range(2):
        agree(rows, draw.array("V D"))


@exercise("lookup", points=1, level="edges")
def test_a_square_table_gives_rows(agree: Agree, draw: Draw) -> None:
    """a square table gives rows too, not columns; a row of shares such as .7 and .3 gives that mixture, anywhere"""
    agree(picked(draw), draw.array("V V"))
    size = draw.size("V")
    agree(np.eye(size)[:1], draw.array("V D"))
    agree(np.roll(np.eye(size), 1, axis=0), draw.array("V D")[:, :1])
    mixtures = 0.7 * np.eye(size) + 0.3 * np.roll(np.eye(size), 1, axis=0)
    agree(mixtures, draw.array("V D"))
    agree(np.concatenate([np.eye(size)[:1], mixtures, np.eye(size)[:1]]), draw.array("V D"))
    rows = draw.array("T V") ** 2
    agree(rows / rows.sum(axis=1, keepdims=True), draw.array("V D"))
    agree(np.eye(260)[254:], draw.array("260 2"))


@exercise("similarity", points=1, level="property")
def test_equal_words_have_similarity_one(agree: Agree, draw: Draw) -> None:
    """one-hot rows: 1 for the same word, 0 for different ones"""
    rows = np.eye(9)[draw.random.sample(range(9), 4)]
    a, b = rows[[0, 3, 2, 3, 1]], rows[[2, 1, 3]]
    says = "where the rows of a and b are one-hot, entry [t, s] is 1 for the same word, else 0"
    agree.satisfies(says, lambda r: np.allclose(r, [b @ row for row in a]), a, b)


@exercise("similarity", points=2, level="values")
def test_all_dot_products(agree: Agree, draw: Draw) -> None:
    """entry [t, s] is the dot product of row t of a and row s of b"""
    for _ in range(2):
        agree(draw.array("T D"), draw.array("S D"))


@exercise("similarity", points=1, level="edges")
def test_as_many_rows_on_both_sides(agree: Agree, draw: Draw) -> None:
    """as many rows in a as in b; large numbers; one-hot rows beside others"""
    agree(draw.array("T D"), draw.array("T D", scale=100.0))
    agree(draw.array("D D"), draw.array("D D"))
    agree(draw.array("T D")[:1], draw.array("S D"))
    agree(draw.array("T D"), draw.array("S D")[:1])
    agree(draw.array("T D")[:, :1], draw.array("S D")[:, :1])
    agree(draw.array("2 3"), draw.array("70 3"))
    agree(draw.array("70 3"), draw.array("2 3"))
    a, b = draw.array("T 3"), draw.array("S 3")
    a[0], b[0] = np.eye(3)[1], np.eye(3)[2]
    agree(a, b)
    agree(a, a)


@exercise("transition_matrix", points=1, level="property")
def test_rows_of_the_transitions_sum_to_one(agree: Agree, draw: Draw) -> None:
    """each row sums to 1, or is zero"""
    agree.satisfies("each row sums to 1 or is zero", shares, *corpus(draw), shows=row)


@exercise("transition_matrix", points=3, level="values")
def test_my_directories_files_photos(agree: Agree, draw: Draw) -> None:
    """after "my": directories .2, files .3, photos .5; and the same for any sentences"""
    agree(*told(*reference.PHOTOS))
    agree(*corpus(draw))


@exercise("transition_matrix", points=2, level="edges")
def test_nothing_is_counted_across_sentence_ends(agree: Agree, draw: Draw) -> None:
    """a sentence's last word is not followed by the next sentence; a word that is never followed has a zero row"""
    agree(*spelt(draw, "ab", "cd", "e", "bbca", "abacab"))
    agree(*told(*["ab"] * 300, "ac"))
    agree(LONG[1:], UNHEARD)
    for sentences in (ODD, GLUED):
        agree(*told(*sentences))
    agree([CROWD[250:], [CROWD[0], *CROWD[-2:], *CROWD[:2]]], CROWD)


def unsorted(x: np.ndarray) -> np.ndarray:
    """x (..., 4), its rows in an order that neither rises nor falls"""
    return np.sort(x)[..., [2, 0, 3, 1]]


@exercise("next_word", points=1, level="property")
def test_the_next_word_has_shares(agree: Agree, draw: Draw) -> None:
    """one share per word, and the shares sum to 1"""
    known = sorted(words(draw, len(PHOTO_WORDS)))
    total = lambda r: f"they sum to {r.sum():.4g}"  # noqa: E731
    agree.satisfies("the shares sum to 1", shares, known[PHOTO_WORDS.index("my")], PHOTO_MODEL, known, shows=total)


@exercise("next_word", points=2, level="values")
def test_the_row_of_the_word(agree: Agree, draw: Draw, vocab: list[str]) -> None:
    """the word's row of the transitions"""
    word = draw.random.choice(vocab)
    for _ in range(2):
        agree(word, draw.array("V V") ** 2, vocab)


@exercise("next_word", points=1, level="edges")
def test_nothing_follows_please(agree: Agree, draw: Draw) -> None:
    """after "please", which is never followed, all shares are 0; a word may be a part of others"""
    agree("please", PHOTO_MODEL, PHOTO_WORDS)
    agree("me", unsorted(draw.array("4 4") ** 2), NESTED)
    agree(CROWD[258], draw.array("260 260") ** 2, CROWD)


@exercise("second_order_matrix", points=1, level="property")
def test_rows_of_the_pairs_sum_to_one(agree: Agree, draw: Draw) -> None:
    """each row sums to 1, or is zero"""
    agree.satisfies("each row sums to 1 or is zero", shares, *corpus(draw), shows=row)


@exercise("second_order_matrix", points=3, level="values")
def test_battery_ran_down(agree: Agree, draw: Draw) -> None:
    """battery ran: down 1; program ran: please 1; whether the: .4 and .6; and the same for any sentences"""
    agree(*told(*reference.RUNS))
    agree(*corpus(draw))


@exercise("second_order_matrix", points=2, level="edges")
def test_pairs_at_sentence_ends_do_not_count(agree: Agree, draw: Draw) -> None:
    """a pair that ends a sentence is followed by nothing and does not count; short sentences; any text is a word"""
    agree(*spelt(draw, "ab", "c", "abc", "dab", "ddda", "bcabcabd"))
    agree(*told(*["abc"] * 300, "abd"))
    agree(LONG[1:], UNHEARD)
    for sentences in (ODD, GLUED):
        agree(*told(*sentences))
    agree([TRIPLES[-6:], TRIPLES[:4], [*TRIPLES[-3:], *TRIPLES[:3]]], TRIPLES)


@exercise("skip_matrix", points=1, level="property")
def test_rows_of_the_skips_sum_to_one(agree: Agree, draw: Draw) -> None:
    """each row sums to 1, or is zero"""
    agree.satisfies("each row sums to 1 or is zero", shares, *corpus(draw), shows=row)


@exercise("skip_matrix", points=3, level="values")
def test_program_ran_please(agree: Agree, draw: Draw) -> None:
    """before ran: battery gives down 1, program please 1, all others .5 and .5; and the same for any sentences"""
    agree(*told(*reference.LOGS))
    agree(*corpus(draw))


@exercise("skip_matrix", points=3, level="edges")
def test_an_earlier_word_counts_once_per_position(agree: Agree, draw: Draw) -> None:
    """an earlier word counts once per position, from any distance; the last position does not; any text is a word"""
    agree(*spelt(draw, "abacd", "acb", "d", "bac", "aefghijklmnopqrbc"))
    agree(*told(*["abc"] * 300, "abd"))
    agree(LONG, UNHEARD)
    for sentences in (ODD, GLUED):
        agree(*told(*sentences))
    agree([MANY[-6:], MANY[:4], [*MANY[-3:], *MANY[:3]]], MANY)


@exercise("skip_features", points=1, level="property")
def test_features_are_zeros_and_ones(agree: Agree, context: list[str], vocab: list[str]) -> None:
    """a vector of zeros and ones"""
    fit = lambda r: np.isin(r, [0, 1])  # noqa: E731
    shows = lambda r: entry(r, fit(r))  # noqa: E731
    agree.satisfies("every entry is 0 or 1", lambda r: fit(r).all(), context, vocab, shows=shows)


@exercise("skip_features", points=1, level="values")
def test_words_before_the_last_are_active(agree: Agree, context: list[str], vocab: list[str]) -> None:
    """1 for the words before the last one, 0 for all others"""
    agree(context, vocab)
    agree(context[1:], vocab)


@exercise("skip_features", points=2, level="edges")
def test_the_last_word_is_active_if_it_stood_earlier(agree: Agree, context: list[str], vocab: list[str]) -> None:
    """a context of one word has no active feature; the last word is active if it also occurs earlier"""
    agree(context[:1], vocab)
    agree([context[-1], *context], vocab)
    agree(["some", "time", "me"], NESTED)
    agree(CROWD[254:], CROWD)


@exercise("vote", points=1, level="property")
def test_whole_votes_add_up(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """a number for each word; votes are added, so that whole votes give whole numbers"""
    skips = draw.integers("V V V", 0, 9).double().numpy()
    whole = lambda r: np.isclose(r, r.round())  # noqa: E731
    says = "where skips holds whole numbers, all votes are whole numbers"
    shows = lambda r: entry(r, whole(r))  # noqa: E731
    agree.satisfies(says, lambda r: whole(r).all(), context, skips, vocab, shows=shows)


@exercise("vote", points=3, level="values")
def test_please_five_down_four(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """check the program ... it ran: please 5, down 4; and the same for any context"""
    for _ in range(2):
        agree(context, draw.array("V V V") ** 2, vocab)
    agree(PROGRAM, LOG_SKIPS, LOG_WORDS)


@exercise("vote", points=1, level="edges")
def test_the_last_word_votes_if_it_stood_before(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """a lone word gives no votes; the last word votes if it also occurs earlier"""
    agree(context[:1], draw.array("V V V") ** 2, vocab)
    agree([context[-1], *context], draw.array("V V V") ** 2, vocab)
    agree(["some", "time", "me"], draw.array("4 4 4") ** 2, NESTED)
    agree([TRIPLES[0], *TRIPLES[-3:]], draw.array("41 41 41") ** 2, TRIPLES)


@exercise("selective_vote", points=1, level="property")
def test_only_present_and_allowed_words_are_heard(agree: Agree, context: list[str], vocab: list[str]) -> None:
    """where each word votes for itself, only words both present and allowed get a vote"""
    mask, skips, heard = 1.0 - np.isin(vocab, context[1::3]), np.eye(11)[:, None].repeat(11, 1), context[::3]
    says = f"where each word votes for itself, {' and '.join(heard)} get a vote of 1, all others 0"
    got = lambda r: [f"{share:.4g} for {word}" for word, share in zip(vocab, r, strict=True) if share]  # noqa: E731
    shows = lambda r: ", ".join(got(r)) or "0 for all words"  # noqa: E731
    agree.satisfies(says, lambda r: np.allclose(r, np.isin(vocab, heard)), context, skips, mask, vocab, shows=shows)


@exercise("selective_vote", points=3, level="values")
def test_please_one_down_zero(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """with a mask for battery and program: please 1, down 0; a mask of other numbers weighs each earlier word's vote"""
    given = dict(zip([context[0], context[1], context[3]], [0.3, 0.7, 1.6], strict=True))
    mask = np.array([given.get(word, 1.0) for word in vocab])
    for each in (mask, mask[::-1].copy()):
        agree(context, draw.array("V V V") ** 2, each, vocab)
    agree(PROGRAM, LOG_SKIPS, np.isin(LOG_WORDS, ["battery", "program"]) * 1.0, LOG_WORDS)


@exercise("selective_vote", points=1, level="edges")
def test_absent_words_stay_silent(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """where only absent words and the last one are allowed, no word votes; the last does if it occurs earlier too"""
    agree(context, draw.array("V V V") ** 2, 1.0 - np.isin(vocab, context[:-1]), vocab)
    agree([context[-1], *context], draw.array("V V V") ** 2, np.ones(11), vocab)
    agree(["some", "time", "me"], draw.array("4 4 4") ** 2, np.ones(4), NESTED)


@exercise("mask_for", points=1, level="property")
def test_the_mask_is_one_of_the_masks(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """the answer is one row of the masks, even for a context of one word"""
    masks = draw.array("V V") ** 2
    found = lambda r: np.isclose(masks, r).all(axis=1).any()  # noqa: E731
    shows = lambda r: f"[{r[0]:.4g}, {r[1]:.4g}, ...], which is none of these rows"  # noqa: E731
    agree.satisfies("the result is one of the rows of masks", found, context[:1], masks, vocab, shows=shows)


@exercise("mask_for", points=2, level="values")
def test_the_last_word_chooses_the_mask(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """the row of the context's last word"""
    for _ in range(2):
        agree(context, draw.array("V V") ** 2, vocab)


@exercise("mask_for", points=1, level="edges")
def test_a_repeated_word_has_its_mask(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """a context whose last word also occurs earlier, or is a part of other words"""
    agree(context[:3], draw.array("V V") ** 2, vocab)
    agree(["some", "time", "me"], unsorted(draw.array("4 4") ** 2), NESTED)
    agree(CROWD[254:259], draw.array("260 260") ** 2, CROWD)


@exercise("complete", points=1, level="property")
def test_the_prompt_comes_first(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """the prompt comes first, then as many words as there are steps"""
    tables, says = (draw.array("V V V") ** 2, draw.array("V V") ** 2), "the prompt comes first, then 8 words"
    agree.satisfies(says, lambda r: r[:5] == context and len(r) == 13, context, *tables, vocab, 8)


@exercise("complete", points=3, level="values")
def test_check_the_battery_log(agree: Agree, draw: Draw, vocab: list[str]) -> None:
    """ "check the" becomes the whole sentence about the battery and ends there; each last word has its own mask"""
    skips = np.eye(11)[np.add.outer(range(0, 22, 2), range(11)) % 11]
    prompt = [*vocab[::-1], vocab[draw.random.randrange(1, 5)]]
    for places in (1, 3):
        agree(prompt, skips, np.roll(np.eye(11), places, axis=1), vocab, 12)
    masks = np.where(np.isin(LOG_WORDS, "ran")[:, None], np.isin(LOG_WORDS, ["battery", "program"]), 1.0)
    agree(["check", "the"], LOG_SKIPS, masks, LOG_WORDS, 20)


@exercise("complete", points=2, level="edges")
def test_ties_go_to_the_word_that_sorts_first(agree: Agree, draw: Draw, context: list[str], vocab: list[str]) -> None:
    """a lone word stays alone, 0 steps add nothing, tiny votes count; of equal votes the word that sorts first wins"""
    said = draw.random.sample(sorted({*context} - {vocab[0]}), 3)  # a word may come again, too
    skips = np.ones((11, 11, 1)) * np.isin(vocab, said)
    agree(context[:1], draw.array("V V V") ** 2, np.ones((11, 11)), vocab, 4)
    agree(context, draw.array("V V V") ** 2, np.ones((11, 11)), vocab, 0)
    agree(context, draw.array("V V V") ** 2, np.full((11, 11), 1e-12), vocab, 2)
    agree(context, skips, np.ones((11, 11)), vocab, 1)
    ties = np.isin(np.arange(40) - np.arange(20)[:, None], (1, 4, 9, 13, 17)) * np.ones((40, 1, 1))
    agree(MANY[:1] * 2, np.pad(ties, ((0, 0), (0, 20), (0, 0))), np.ones((40, 40)), MANY[:40], 20)
    heard = np.zeros((11, 11, 11))  # the second word of the text speaks louder than the one before the last
    heard[vocab.index(context[1]), :, 2], heard[vocab.index(context[3]), :, 3] = 3, 1
    agree(context, heard, np.ones((11, 11)), vocab, 1)
