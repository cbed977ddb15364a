"""Checks of chapter 10: what is hidden, how two sentences become one text, the losses, and the classifier.

Draws keep away from thresholds, and budgets from rounding: a budget met exactly is exact in floating point too.
"""

from collections.abc import Callable
from functools import partial

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near, part

RETURNS = {
    "mask_tokens": ("inputs", "labels"),
    "sentence_pair": ("ids", "segments"),
    "next_sentence_examples": ("pairs", "labels"),
}
FORBIDDEN = {"BertEmbedding": ("EmbeddingBag", "blocks.BertEmbedding")}
F32 = torch.float32
MASK, CLS, SEP, NOTHING = 3, 101, 102, -100
WORDS, LONGEST, SEGMENTS, D, H, F, CLASSES = 19, 23, 3, 16, 2, 11, 5
BANDS = {
    "select": ((0.0, 0.12), (0.12, 0.135), (0.135, 0.15), (0.15, 1.0)),
    "action": ((0.0, 0.1), (0.1, 0.8), (0.8, 0.9), (0.9, 1.0)),
}


TABLES = {"word": "V D", "position": "T D", "token_type": "2 D"}
IN_BLOCK = {
    "attention.self.query": "D D",
    "attention.self.key": "D D",
    "attention.self.value": "D D",
    "attention.output.dense": "D D",
    "attention.output.LayerNorm": "D",
    "intermediate.dense": "F D",
    "output.dense": "D F",
    "output.LayerNorm": "D",
}


def uniform(draw: Draw, low: float, high: float) -> float:
    return low + (high - low) * draw.random.uniform(0.1, 0.9)


def text(draw: Draw) -> tuple[torch.Tensor, ...]:
    """Return ids, maskable, select, action and random ids: every pair of bands of the draws, in random order."""
    draw.fix(B=4, T=8)
    rows = [(s, a, m) for s in BANDS["select"] for a in BANDS["action"] for m in (True, False)]
    draw.random.shuffle(rows)
    select, action = (torch.tensor([uniform(draw, *row[k]) for row in rows]).double().view(4, 8) for k in (0, 1))
    ids = draw.integers("B T", 5, 50)
    others = 5 + (ids - 5 + draw.integers("B T", 1, 45)) % 45  # never the same word
    masked, same = (divmod(rows.index((band, BANDS["action"][2], True)), 8) for band in BANDS["select"][:2])
    ids[masked], others[same] = MASK, ids[same]  # one is already [MASK], one becomes what it was
    action[divmod(rows.index((BANDS["select"][2], BANDS["action"][3], True)), 8)] = 0.92
    return ids, torch.tensor([row[2] for row in rows]).view(4, 8), select, action, others


def spans(*pairs: tuple[int, int]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([start for start, _ in pairs]), torch.tensor([length for _, length in pairs])


def places(*pairs: tuple[int, int]) -> set[int]:
    return {place for start, length in pairs for place in range(start, start + length)}


def listed(which: torch.Tensor) -> str:
    return ", ".join(map(str, which.nonzero()[:, 0].tolist()))


def crowd(draw: Draw) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return spans of 30 places, and how many of them hide 44 % (13.2): one less hides 13, some of them twice.

    The last one hides more than it must, and the one after it more again. The longest is not among them.
    """
    while True:
        starts = [draw.random.randrange(30) for _ in range(30)]
        pairs = tuple((start, draw.random.randrange(1, min(6, 31 - start))) for start in starts)
        sizes = [len(places(*pairs[:k])) for k in range(31)]
        if 13 not in sizes:
            continue
        needed = next(k for k in range(31) if sizes[k] > 13)
        long = sum(length for _, length in pairs[: needed - 1]) > 13
        start, length = pairs[needed - 1]
        long &= sizes[needed] - sizes[needed - 1] < min(length, 30 - start)  # the last one shares a place, too
        start, length = max(pairs, key=lambda pair: pair[1])
        long &= not places((start, length)) <= places(*pairs[:needed])
        if long and 14 < sizes[needed] < sizes[needed + 1]:
            return pairs, needed


def pair_of_texts(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids and segments (B, T); some texts end with token 0, which is a token like any other."""
    draw.fix(B=4, T=draw.random.randrange(6, 9), D=D, H=H)
    segments = draw.integers("B T", 0, SEGMENTS)
    segments[0, 0] = SEGMENTS - 1
    return draw.integers("B T", 0, WORDS).tril(3), segments


def labelled(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits (B, T, V) and labels (B, T), the smallest and the largest word among them; some rows have many."""
    draw.fix(V=WORDS, B=3, T=draw.random.randrange(6, 9))
    labels = draw.integers("B T", 1, WORDS)
    labels[0, 2:], labels[1, 1::2], labels[2, :2] = NOTHING, NOTHING, NOTHING
    labels[0, 0], labels[2, -1] = 0, WORDS - 1
    return draw("B T V", scale=3.0), labels


def library(draw: Draw, *sizes: int) -> list[list[str]]:
    """Return documents of these numbers of sentences, no two alike."""
    numbers = draw.random.sample(range(10, 100), sum(sizes))
    return [[f"s{numbers.pop()}" for _ in range(size)] for size in sizes]


def spelt(draw: Draw) -> Callable[[str], str]:
    """Return what puts letters at random in the place of a, b, c, and so on, the same ones in every text."""
    letters = draw.random.sample("abcdefghijklmnopqrstuvwxyzäéøß", 26)
    return lambda text: text.translate({97 + place: letter for place, letter in enumerate(letters)})


def listed_pieces(text: str) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(text.split())}


def published(draw: Draw, blocks: int) -> dict[str, torch.Tensor]:
    """Return tensors by the names of Hugging Face's `BertModel`, in an order at random."""
    draw.fix(V=7, D=2, F=3, T=5)
    layers = {"embeddings.LayerNorm": "D", "pooler.dense": "D D"}
    for k in range(blocks):
        layers |= {f"encoder.layer.{k}.{name}": axes for name, axes in IN_BLOCK.items()}
    made = {f"embeddings.{name}_embeddings.weight": draw(axes) for name, axes in TABLES.items()}
    made |= {f"{name}.weight": draw(axes) for name, axes in layers.items()}
    made |= {f"{name}.bias": draw(axes[0]) for name, axes in layers.items()}
    return dict(draw.random.sample([*made.items()], len(made)))


def own_names(blocks: int) -> set[str]:
    """Return the names of a `BertClassifier`'s parameters, but for its head."""
    inside = ("attention.w_q", "attention.w_k", "attention.w_v", "attention.w_o", "norm1", "norm2")
    layers = [f"blocks.{k}.{name}" for k in range(blocks) for name in (*inside, "feed_forward.0", "feed_forward.2")]
    both = {f"{layer}.{part}" for layer in (*layers, "embedding.norm", "pooler") for part in ("weight", "bias")}
    return both | {f"embedding.{table}.weight" for table in ("token", "position", "segment")}


def odd_names(blocks: int, found: dict[str, torch.Tensor]) -> str:
    """Return what is missing from the names of a `BertClassifier`'s parameters, and what is too much."""
    own = own_names(blocks)
    odd = {"missing": sorted(own - found.keys()), "too many": sorted(found.keys() - own)}
    return "; ".join(f"{what}: {', '.join(names[:3])}" for what, names in odd.items() if names)


def tokens(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return hidden (B, T, D) and a mask (B, T): padding in front, inside, behind, and nowhere."""
    draw.fix(B=4, T=7)
    mask = torch.ones(4, 7, dtype=torch.bool)
    mask[0, :2], mask[1, 1::3], mask[2, 4:] = False, False, False
    return draw("B T D"), mask


def bag(draw: Draw, dtype: torch.dtype = torch.float64, **options: bool) -> object:
    return part("BagOfWords", draw("V D", dtype=dtype), draw("D D", dtype=dtype), draw("1 D", dtype=dtype), **options)


def bert(blocks: int = 2, **options: object) -> object:
    return module(WORDS, LONGEST, SEGMENTS, D, H, F, blocks, CLASSES, **options)


@exercise("mask_tokens", points=2, level="values")
def test_inputs_and_labels_of_every_kind_of_position(agree: Agree, draw: Draw) -> None:
    """by action, chosen tokens become mask_id, change or stay; their labels are the true tokens, all others are -100"""
    agree(*text(draw), MASK)


@exercise("mask_tokens", points=1, level="property")
def test_labels_and_inputs_together_give_the_text_back(agree: Agree, draw: Draw) -> None:
    """taking the label where there is one, and the input elsewhere, gives the text back"""
    ids, *others = text(draw)
    restored = lambda r: near(torch.where(r[1] == NOTHING, r[0], r[1]), ids)  # noqa: E731
    agree.satisfies("labels where there are any, and inputs elsewhere, give ids back", restored, ids, *others, MASK)


@exercise("mask_tokens", points=1, level="edges")
def test_texts_with_nothing_to_hide_and_of_one_token(agree: Agree, draw: Draw) -> None:
    """nothing chosen, nothing maskable, everything masked, token 0, draws at 0.15, 0.8 and 0.9; one token, float32"""
    ids, maskable, select, action, others = text(draw)
    ids[0] = draw.integers("T", 5, 28)  # no mask yet
    others[0] = ids[0] + 22  # and not the same word
    agree(ids, maskable, 0.2 + 0.8 * select, action, others, MASK)
    agree(ids, torch.zeros_like(maskable), select, action, others, MASK)
    agree(ids, torch.ones_like(maskable), select / 8, action * 0.7, others, 0)
    agree(torch.zeros_like(ids), maskable, select.to(F32), action.to(F32), others, MASK)
    agree(*(x[:1, :1] for x in (ids, torch.ones_like(maskable), select / 8, action, others)), MASK)
    near_edges = torch.tensor([[0.14] * 4 + [0.16] * 4]).double(), torch.tensor([[0.79, 0.81, 0.89, 0.91] * 2]).double()
    agree(ids[:1], torch.ones(1, 8, dtype=torch.bool), *near_edges, others[:1], MASK)
    selects, actions = [0.1, 0.1, 0.1, 0.15, 0.15, 0.0, 0.0, 0.0], [0.8, 0.9, 0.0, 0.0, 0.5, 0.8, 0.9, 0.1]
    at_edges = (torch.tensor([each], dtype=torch.float64) for each in (selects, actions))
    large = ids + 2**24  # no float32 holds all of these
    agree(large, torch.ones_like(maskable), select, action, large + 99, 2**24 + 1)
    others[0, :5] = 0
    agree(ids[:1], torch.ones(1, 8, dtype=torch.bool), *at_edges, others[:1], MASK)
    agree.on_meta(ids, maskable, select, action, others, MASK, unless_data_is_needed=True)


@exercise("span_length_probabilities", points=1, level="property")
def test_the_mean_length_is_that_of_spanbert(agree: Agree, draw: Draw) -> None:
    """by default, the probabilities of 10 lengths sum to 1, and the mean length is 3.8; they sum to 1 for any p"""
    mean = lambda r: (r * torch.arange(1, 11)).sum().item()  # noqa: E731
    shows = lambda r: f"they sum to {r.sum().item():.4g}, and the mean length is {mean(r):.4g}"  # noqa: E731
    holds = lambda r: near(r.sum(), 1.0) and abs(mean(r) - 3.8) < 0.01  # noqa: E731
    agree.satisfies("they sum to 1, and the mean length is 3.8", holds, shows=shows)
    total = lambda r: f"they sum to {r.sum().item():.4g}"  # noqa: E731
    agree.satisfies("they sum to 1", lambda r: near(r.sum(), 1.0), uniform(draw, 0.1, 0.3), shows=total)


@exercise("span_length_probabilities", points=2, level="values")
def test_each_length_is_less_likely_than_the_one_before(agree: Agree, draw: Draw) -> None:
    """p (1 - p)^(k - 1) for k = 1, 2, ..., divided by their sum"""
    agree(0.35, draw.random.choice((5, 7)))
    agree()
    agree(p=uniform(draw, 0.55, 0.8), max_length=draw.random.randrange(3, 6))


@exercise("span_length_probabilities", points=1, level="edges")
def test_a_single_length_has_all_the_probability(agree: Agree, draw: Draw) -> None:
    """one length, many lengths, spans that nearly always or never end; the default dtype and device"""
    agree(uniform(draw, 0.2, 0.4), 1)
    agree(0.01, 40)
    agree(max_length=120)
    agree(0.99, 4)
    agree(0.9, 20)
    agree.under(F32)(1e-6, 10)
    for dtype in (F32, torch.bfloat16):
        agree.under(dtype).satisfies("the dtype is torch's default", lambda r: True, 0.2, 6)
    agree.on_meta(0.2, 6)


@exercise("mask_spans", points=2, level="values")
def test_spans_are_hidden_until_the_budget_is_reached(agree: Agree, draw: Draw) -> None:
    """whole spans in the given order, until at least budget · T places are hidden; a place counts once"""
    ids = draw.integers("16", 5, 50) * (torch.arange(16) % 2)  # 0 is a token like any other
    agree(ids, *spans((9, 2), (6, 1), (14, 1), (1, 3), (12, 1), (4, 1)), 0.3125)  # 5 of 16 needed: 2, 3, 4, 7
    agree(ids, *spans((11, 3), (4, 2), (0, 3), (7, 1)), 0.22)  # 3.52 needed: 3, 5
    agree(ids, *spans((3, 2), (4, 2), (9, 3), (0, 3)), 0.22)  # 2, 3 as one place is shared, 6
    agree(ids, *spans((13, 9), (2, 1), (5, 2), (8, 1)), 0.28)  # 4.48 needed: 3 before the end, 4, 6


@exercise("mask_spans", points=1, level="property")
def test_what_is_hidden_are_the_first_spans(agree: Agree, draw: Draw) -> None:
    """the first spans of the list are hidden, just enough of them to reach the budget"""
    pairs, needed = crowd(draw)
    says, hidden = f"exactly the places of the first {needed} spans are hidden", places(*pairs[:needed])
    right = torch.tensor([place in hidden for place in range(30)])
    parts = lambda r: (("missing", right & ~r), ("too many", r & ~right))  # noqa: E731
    shows = lambda r: "; ".join(f"{what}: {listed(which)}" for what, which in parts(r) if which.any())  # noqa: E731
    agree.satisfies(says, right.equal, draw.integers("30", 5, 50), *spans(*pairs), 0.44, shows=shows)


@exercise("mask_spans", points=1, level="edges")
def test_budgets_met_exactly_and_spans_used_up(agree: Agree, draw: Draw) -> None:
    """a budget met exactly counts as met; too few spans hide what they can; texts of one token and of hundreds"""
    ids = draw.integers("16", 5, 50)
    agree(ids, *spans((12, 4), (13, 2), (2, 3), (6, 1)), 0.25)
    agree(ids, *spans((3, 2), (9, 1)), 0.5)
    agree(ids, *spans((8, 8), (0, 5), (4, 5), (2, 1)), 1.0)
    agree(ids[:1], *spans((0, 2), (0, 1)), 0.15)
    agree(ids, *spans((5, 3)), 0.4)
    agree(draw.integers("40", 5, 50), *spans((3, 25), (36, 9), (0, 2), (1, 1)), 0.7)
    agree(draw.integers("400", 5, 50), *spans((0, 310), (350, 20), (330, 5)), 0.75)


@exercise("span_boundary_loss", points=2, level="values")
def test_the_loss_is_the_sum_of_two_means(agree: Agree, draw: Draw) -> None:
    """the mean cross-entropy of the boundary's logits plus that of the tokens' own logits, and their gradients"""
    logits, words = (draw("S V", scale=2.0), draw("S V", scale=2.0)), draw.integers("S", 0, draw.size("V"))
    words[0] = 0  # a word like any other
    for each in logits:
        each[1, words[1]] -= 25  # a surprise: one in 10^11 or so
    agree(*logits, words, gradients=True)


@exercise("span_boundary_loss", points=1, level="property")
def test_a_guess_costs_the_logarithm_of_v_twice(agree: Agree, draw: Draw) -> None:
    """where all words are equally likely the loss is 2 · log V, whatever the words are"""
    level, words = draw("S 1").expand(-1, 13), draw.integers("S", 0, 13)
    costs = lambda r: near(r, 2 * torch.tensor(13.0, dtype=r.dtype).log())  # noqa: E731
    agree.satisfies("where all words are equally likely, the loss is 2 · log 13", costs, level, -level, words)


@exercise("span_boundary_loss", points=1, level="edges")
def test_one_hidden_word_and_logits_far_apart(agree: Agree, draw: Draw) -> None:
    """one word alone, a vocabulary of one or of hundreds; logits thousands apart stay finite; float32 stays float32"""
    agree(draw("S 1"), draw("S 1"), draw.integers("S", 0, 1))
    agree(draw("1 V"), draw("1 V"), draw.integers("1", 0, draw.size("V")))
    logits, words = (draw("S V"), draw("S V")), draw.integers("S", 0, draw.size("V"))
    agree(*(x * 2000 for x in logits), words, gradients=True)
    agree(draw("11 11"), draw("11 11"), draw.integers("11", 0, 11))
    agree(draw("3 300"), draw("3 300"), torch.tensor([299, 43, 256]))  # more words than a byte can count
    agree.satisfies("float32 stays float32", lambda r: True, *(x.to(F32) for x in logits), words)
    agree.on_meta(*logits, words, unless_data_is_needed=True)


@exercise("sentence_pair", points=2, level="values")
def test_two_sentences_become_one_text(agree: Agree, draw: Draw) -> None:
    """[CLS] first [SEP] second [SEP]; the second sentence and its [SEP] are segment 1"""
    for _ in range(2):
        agree(draw.integers("n", 5, 50), draw.integers("m", 5, 50), CLS, SEP)
    agree(draw.integers("7", 5, 50), draw.integers("3", 5, 50), 2, 1)


@exercise("sentence_pair", points=1, level="property")
def test_each_segment_is_one_sentence(agree: Agree, draw: Draw) -> None:
    """segment 0 reads [CLS] first [SEP], segment 1 reads second [SEP], and there is no other"""
    first, second = draw.integers("n", 5, 50), draw.integers("m", 5, 50)
    parts = [[CLS, *first.tolist(), SEP], [*second.tolist(), SEP]]
    read = lambda r: [r[0][r[1] == k].tolist() for k in (0, 1)]  # noqa: E731
    shows = lambda r: "segment 0 reads {}, segment 1 reads {}".format(*read(r))  # noqa: E731
    says = "segment 0 reads [CLS] first [SEP], segment 1 reads second [SEP]"
    agree.satisfies(says, lambda r: read(r) == parts, first, second, CLS, SEP, shows=shows)


@exercise("sentence_pair", points=1, level="edges")
def test_sentences_of_one_word(agree: Agree, draw: Draw) -> None:
    """one word each, none or hundreds, special ids of 0, equal lengths, special ids inside sentences; any device"""
    agree(draw.integers("1", 5, 50), draw.integers("1", 5, 50), CLS, SEP)
    for n, m in ((3, 0), (0, 3), (0, 0)):
        agree(draw.integers("3", 5, 50)[:n], draw.integers("3", 5, 50)[:m], CLS, SEP)
    for first, second in (((5, 9, 6), (8, 4, 7, 4)), ((5, 4, 4, 6), (8, 9, 7)), ((4,), (4,)), ((2, 6), (2, 8))):
        agree(torch.tensor(first), torch.tensor(second), 2, 4)
    agree(*torch.tensor([[7, 3, 9, 0], [0, 6, 3, 8]]), 0, 3)
    agree(*torch.tensor([[0, 3, 9, 7], [6, 0, 3, 0]]), 0, 3)
    agree(draw.integers("n", 5, 50), draw.integers("m", 5, 50), 3, 0)
    agree(draw.integers("231", 5, 50), draw.integers("170", 5, 50), CLS, SEP)
    large = (draw.integers(length, 5, 50) + 2**24 for length in ("n", "m"))
    agree(*large, 2**24 + 1, 2**24 + 3)  # no float32 holds these
    agree.on_meta(draw.integers("n", 5, 50), draw.integers("m", 5, 50), CLS, SEP)


@exercise("BertEmbedding", points=2, level="values")
def test_three_vectors_are_added_and_normalised(agree: Agree, draw: Draw) -> None:
    """norm(token + position + segment), and gradients reach all three tables and the norm"""
    agree(*pair_of_texts(draw), build=(WORDS, LONGEST, SEGMENTS, D), gradients=True)


@exercise("BertEmbedding", points=1, level="property")
def test_every_vector_is_normalised(agree: Agree, draw: Draw) -> None:
    """where the norm has scale 1 and shift 0, every vector has mean 0 and mean square 1"""
    build = module(WORDS, LONGEST, SEGMENTS, D, fill={"norm.weight": 1.0, "norm.bias": 0.0})
    even = lambda r: near(r.mean(-1), 0.0) and near((100 * r.square().mean(-1)).round() / 100, 1.0)  # noqa: E731
    says = "where the norm has scale 1 and shift 0, every vector has mean 0 and mean square 1"
    agree.satisfies(says, even, *pair_of_texts(draw), build=build)


@exercise("BertEmbedding", points=1, level="edges")
def test_texts_of_one_token_and_of_the_full_length(agree: Agree, draw: Draw) -> None:
    """one text, one token, the longest text, one segment; after other texts; the model's dtype and device"""
    ids, segments = pair_of_texts(draw)
    agree(ids[:1, :1].clamp(min=3), torch.full((1, 1), 2), build=(WORDS, LONGEST, SEGMENTS, D))
    agree(ids, torch.zeros_like(ids), build=(WORDS, ids.shape[1], 1, 5))
    agree(draw.integers("1 137", 0, WORDS), draw.integers("1 137", 0, SEGMENTS), build=(WORDS, 140, SEGMENTS, D))
    agree(ids, segments, build=module(WORDS, LONGEST, SEGMENTS, D, training=True))
    before = [called(draw.integers("2 15", 0, WORDS), draw.integers("2 15", 0, SEGMENTS))]
    before += [called(ids.flip(1), segments.flip(0)), called(ids[:1, :3], segments[:1, :3], training=True)]
    agree(ids, segments, build=module(WORDS, LONGEST, SEGMENTS, D, after=before))
    build = module(WORDS, LONGEST, SEGMENTS, D, dtype=F32)
    agree.satisfies("float32 stays float32", lambda r: True, ids, segments, build=build)
    agree.on_meta(ids, segments, build=(WORDS, LONGEST, SEGMENTS, D))


@exercise("masked_lm_loss", points=2, level="values")
def test_the_loss_is_the_mean_over_labels(agree: Agree, draw: Draw) -> None:
    """the mean cross-entropy over all positions of the batch that have a label, and its gradient"""
    logits, labels = labelled(draw)
    logits[0, 0, 0] -= 25  # a surprise: one in 10^11 or so
    agree(logits, labels, gradients=True)


@exercise("masked_lm_loss", points=1, level="property")
def test_positions_without_a_label_change_nothing(agree: Agree, draw: Draw) -> None:
    """other logits at positions without a label, and more such positions, leave the loss unchanged"""
    logits, labels = labelled(draw)
    asked = (labels != NOTHING)[..., None]
    longer = torch.cat([torch.where(asked, logits, draw("B T V")), draw("B more V")], dim=1)
    nothing = torch.full((len(labels), longer.shape[1] - labels.shape[1]), NOTHING)
    says = "the loss is the same with other logits, and more positions, where there is no label"
    agree.relates(says, near, (logits, labels), (longer, torch.cat([labels, nothing], dim=1)))


@exercise("masked_lm_loss", points=1, level="edges")
def test_one_label_and_logits_far_apart(agree: Agree, draw: Draw) -> None:
    """one label alone, one everywhere; one word, hundreds; logits thousands apart stay finite; dtype and device stay"""
    logits, labels = labelled(draw)
    agree(draw("2 3 1"), draw.integers("2 3", 0, 1))
    agree(draw("1 1 V"), draw.integers("1 1", 1, WORDS))
    agree(logits, draw.integers("B T", 0, WORDS))
    agree(draw(f"2 {WORDS} {WORDS}"), draw.integers(f"2 {WORDS}", 0, WORDS))
    agree(draw("2 150 V"), draw.integers("2 150", 0, WORDS))  # more than a byte can count
    agree(draw("1 3 300"), torch.tensor([[299, 43, 256]]))  # more words than a byte can count
    sure = logits.clone()
    sure[0, 0, 0] += 900  # a loss of 0
    agree(sure, labels)
    agree(logits * 1000, labels, gradients=True)
    agree.satisfies("float32 stays float32", lambda r: True, logits.to(F32), labels)
    agree.on_meta(logits, labels, unless_data_is_needed=True)


@exercise("next_sentence_examples", points=2, level="values")
def test_neighbours_with_and_without_a_swap(agree: Agree, draw: Draw) -> None:
    """all neighbours in a document, in order; where swap is True, the picked one comes second; sentences may repeat"""
    one, _, three, four = documents = library(draw, 3, 1, 4, 2)  # 2, 0, 3 and 1 pairs
    one[1], three[2], four[0] = one[0], three[0], three[-1]  # twice in a row, in a document, as the end of another
    swap = torch.tensor([False, True, True, False, False, True])
    agree(documents, swap, torch.tensor([2, 6, 5, 8, 0, 3]))  # number 5 is the neighbour that it replaces
    agree(documents, ~swap, draw.integers("6", 0, 10))


@exercise("next_sentence_examples", points=1, level="property")
def test_labels_tell_what_was_done(agree: Agree, draw: Draw) -> None:
    """a label is False exactly where there was a swap, even if chance picked the sentence that came next"""
    swap = torch.tensor([True, False, True, True])
    says = "labels are False where swap is True, and True elsewhere"
    flipped = lambda r: bool((r[1] != swap).all())  # noqa: E731
    shows = lambda r: f"labels are {r[1].tolist()}"  # noqa: E731
    agree.satisfies(says, flipped, library(draw, 2, 4), swap, torch.tensor([1, 3, 4, 0]), shows=shows)


@exercise("next_sentence_examples", points=1, level="edges")
def test_documents_of_one_sentence_and_one_document(agree: Agree, draw: Draw) -> None:
    """a single document, documents of one sentence at either end; no swaps, only swaps, and no pair at all"""
    agree(library(draw, 5), torch.zeros(4, dtype=torch.bool), draw.integers("4", 0, 5))
    agree(library(draw, 1, 2, 1), torch.ones(1, dtype=torch.bool), torch.tensor([3]))
    agree(library(draw, 3, 2), torch.ones(3, dtype=torch.bool), torch.tensor([4, 0, 1]))
    agree(library(draw, 2, 1, 3), torch.ones(3, dtype=torch.bool), torch.tensor([0, 5, 5]))
    agree(library(draw, 1, 1), torch.ones(0, dtype=torch.bool), torch.ones(0, dtype=torch.int64))


@exercise("BertClassifier", points=2, level="values")
def test_logits_are_read_off_the_first_position(agree: Agree, draw: Draw) -> None:
    """embedding, post-norm blocks one after the other, pooler and tanh on position 0, head"""
    agree(*pair_of_texts(draw), build=bert(3))
    agree(*pair_of_texts(draw), build=bert())
    agree(*pair_of_texts(draw), build=bert(11))


@exercise("BertClassifier", points=2, level="values")
def test_every_block_gets_the_mask(agree: Agree, draw: Draw) -> None:
    """every block gets the mask, given by position or by name; gradients reach all parameters; no call keeps a mask"""
    texts = pair_of_texts(draw)
    blind = draw.mask("B 1 1 T")
    blind[1] = False
    agree(*texts, draw.mask("B 1 1 T"), build=bert(), gradients=True)
    agree(*texts, mask=draw.mask("B H T T"), build=bert())
    agree(*texts, blind, build=bert())
    agree(*texts, draw.mask("1 1 1 T"), build=bert())
    square = draw.integers("T T", 0, WORDS), draw.integers("T T", 0, SEGMENTS)
    agree(*square, draw.mask("T T"), build=bert())  # as many texts as tokens, then as heads
    agree(*(each[:2] for each in texts), draw.mask("H T T"), build=bert())
    others = [each.flip(0) for each in texts]
    longer = draw.integers("2 11", 0, WORDS), draw.integers("2 11", 0, SEGMENTS)
    before = [called(*others, draw.mask("T T")), called(*longer, training=True)]
    agree(*texts, mask=draw.mask("T T"), build=bert(after=before))
    before.append(called(*(each[:1, :3] for each in texts), mask=draw.mask("B H T T")[:1, :1, :3, :3]))
    agree(*texts, build=bert(after=[*before, called(*others, draw.mask("B 1 1 T"))]))


@exercise("BertClassifier", points=1, level="property")
def test_the_head_is_given_what_tanh_leaves(agree: Agree, draw: Draw) -> None:
    """where the pooler gives 1000 everywhere, tanh makes it 1, and a head of ones gives D"""
    fill = {"pooler.weight": 0.0, "pooler.bias": 1000.0, "head.weight": 1.0, "head.bias": 0.0}
    says = f"where the pooler gives 1000 everywhere and the head only adds up, every logit is D = {D}"
    agree.satisfies(says, lambda r: near(r, float(D)), *pair_of_texts(draw), build=bert(fill=fill))


@exercise("BertClassifier", points=1, level="property")
def test_hidden_tokens_change_nothing(agree: Agree, draw: Draw) -> None:
    """the logits stay the same, whatever tokens and segments the mask hides"""
    ids, segments = pair_of_texts(draw)
    mask = torch.arange(ids.shape[1]) < ids.shape[1] - 2
    other = torch.where(mask, ids, (ids + 3) % WORDS), torch.where(mask, segments, (segments + 1) % SEGMENTS)
    says = "the logits stay the same, whatever the mask hides"
    agree.relates(says, near, (ids, segments), other, mask=mask, build=bert())


@exercise("BertClassifier", points=1, level="edges")
def test_classifiers_of_any_size_and_kind(agree: Agree, draw: Draw) -> None:
    """one text of one token, one of many, one block, one class; dropout in the blocks alone; dtype and device stay"""
    ids, segments = pair_of_texts(draw)
    ids[0, 0] = WORDS - 1
    many = draw.integers("1 137", 0, WORDS), draw.integers("1 137", 0, SEGMENTS)
    agree(*many, build=(WORDS, 140, SEGMENTS, 4, 1, 6, 1, 2))
    agree(ids[:1, :1], segments[:1, :1], build=(WORDS, LONGEST, SEGMENTS, 4, 1, 6, 1, 1))
    agree(ids, segments, build=bert(dropout=1 - 1e-9, training=True))  # dropout is in the blocks alone
    agree.satisfies("float32 stays float32", lambda r: True, ids, segments, build=bert(dtype=F32))
    agree.on_meta(ids, segments, draw.mask("B 1 1 T"), build=bert())
    agree.on_meta(ids, segments, build=bert())


@exercise("freeze_all_but_head", points=1, level="values")
def test_the_model_comes_back_frozen(agree: Agree, draw: Draw) -> None:
    """the same model comes back, its numbers unchanged, and only the parameters of the head learn"""
    agree(bag(draw))
    agree(part("Namesakes", draw("D D")))
    agree(part("Namesakes", draw("D D"), deep=True))


@exercise("freeze_all_but_head", points=1, level="property")
def test_the_head_alone_learns(agree: Agree, draw: Draw) -> None:
    """all parameters of the attribute head learn; parameters that only have "head" in their name do not"""
    holds = lambda r: set(r["learning"]) == {name for name in r if name.startswith("head.")}  # noqa: E731
    for deep in (False, True):
        agree.satisfies("the parameters of head learn, and no others", holds, part("Namesakes", draw("D D"), deep=deep))


@exercise("freeze_all_but_head", points=1, level="edges")
def test_a_frozen_head_learns_again(agree: Agree, draw: Draw) -> None:
    """if the whole model was frozen, its head learns again; float32 stays float32"""
    agree(bag(draw, F32, frozen=True))


@exercise("word_pieces", points=2, level="values")
def test_the_longest_piece_that_fits_comes_next(agree: Agree, draw: Draw) -> None:
    """from the left always the longest piece of the vocabulary; `##` before every piece but the first"""
    with_letters = spelt(draw)
    for word, pieces in (
        ("abcdef", "[UNK] a ab abc ##d ##de ##def ##ef ##f ##bc ##cdef ##c abcd ef"),  # abcd ##ef
        ("abcdeabc", "ab abc ##d ##de ##deab ##abc ##bc ##c d de deab deabc"),  # abc ##deab ##c
        ("abababa", "[UNK] ab ##ab ##aba ##a ##b aba ##bab"),  # aba ##bab ##a
        ("abcdefg", "##abc ab abcd ##cdefg ##e ##f ##g ##ef"),  # abcd ##ef ##g, where two pieces would do
    ):
        agree(with_letters(word), listed_pieces(with_letters(pieces)))


@exercise("word_pieces", points=1, level="property")
def test_the_pieces_spell_the_word(agree: Agree, draw: Draw) -> None:
    """without `##` the pieces spell the word, and each of them is in the vocabulary"""
    letters = draw.random.sample("abcdefghijklmnop", 6)
    word = "".join(draw.random.choices(letters, k=12))
    pairs = {"".join(draw.random.sample(letters, 2)) for _ in range(9)}
    pieces = ["[UNK]", *letters, *(f"##{piece}" for piece in (*letters, *sorted(pairs), word[5:9]))]
    vocabulary = listed_pieces(" ".join(pieces))
    bare = lambda found: [str(piece).removeprefix("##") for piece in found]  # noqa: E731
    shows = lambda found: f"they are {found}, and spell {''.join(bare(found))!r}"  # noqa: E731
    holds = lambda found: "".join(bare(found)) == word and all(piece in vocabulary for piece in found)  # noqa: E731
    says = f"the pieces are in the vocabulary and spell {word!r}"
    agree.satisfies(says, holds, word, vocabulary, shows=shows)


@exercise("word_pieces", points=1, level="edges")
def test_a_word_that_cannot_be_cut_is_unknown(agree: Agree, draw: Draw) -> None:
    """if no piece fits at some place, the whole word is `[UNK]`, even if shorter pieces before it would have done"""
    with_letters = spelt(draw)
    for word, pieces in (
        ("abcde", "[UNK] ab abc ##c ##cde ##de ##e"),  # abc ##de would do: it is known
        ("abcde", "[UNK] ab abc ##cde ##d ##ce ##bcde"),  # abc ##d, and no ##e
        ("abcde", "ab abc ##cde de e c d"),  # abc, and no ##d, only d
        ("abcde", "[UNK] ##abcde ##a ##b ##c ##d ##e b"),  # nothing to begin with
        ("abcde", "a ##b ##c ##d ##bc"),  # all but the last letter
    ):
        agree(with_letters(word), listed_pieces(with_letters(pieces)))


@exercise("word_pieces", points=1, level="edges")
def test_words_of_one_piece_and_of_one_letter(agree: Agree, draw: Draw) -> None:
    """a word that is a piece itself, one letter or hundreds, a piece with id 0, capitals kept, an empty vocabulary"""
    with_letters = spelt(draw)
    agree(with_letters(150 * "ab"), listed_pieces(with_letters("a ##ab ##a ##b")))
    agree(with_letters("abc"), listed_pieces(with_letters("[UNK] a ab abc ##b ##c ##bc")))
    agree(with_letters("a"), listed_pieces(with_letters("b a ##a")))
    agree(with_letters("a"), listed_pieces("[UNK] ##a"))
    agree(with_letters("abcd"), listed_pieces(with_letters("ab a ##cd ##b ##c ##d")))
    agree(with_letters("abcd"), listed_pieces(with_letters("##cd a ab ##b ##c ##d")))
    agree(with_letters("abab"), listed_pieces(with_letters("ab a ##ab ##a ##b")))
    agree("Bab", listed_pieces("Bab bab B b ##ab"))
    agree("BAB", listed_pieces("bab b ##ab ##a ##b B ##A ##B"))
    agree(with_letters("abc"), {})


@exercise("course_weights", points=2, level="values")
def test_every_tensor_gets_its_name_in_the_course(agree: Agree, draw: Draw) -> None:
    """each tensor under its name in `BertClassifier`, in every block; queries, keys and norms are not swapped"""
    agree(published(draw, 2), 2, gradients=True)
    agree(published(draw, 3), 3)


@exercise("course_weights", points=1, level="property")
def test_the_names_are_those_of_the_classifier(agree: Agree, draw: Draw) -> None:
    """the names are those of all parameters of `BertClassifier` but its head"""
    for blocks in (1, draw.random.randrange(2, 5)):
        says = f"the names are those of a BertClassifier with num_blocks={blocks}, without its head"
        shows = partial(odd_names, blocks)
        agree.satisfies(says, lambda r, odd=shows: not odd(r), published(draw, blocks), blocks, shows=shows)


@exercise("course_weights", points=1, level="edges")
def test_what_the_classifier_lacks_is_left_out(agree: Agree, draw: Draw) -> None:
    """more tensors, more blocks, eleven blocks; dtypes and devices stay as they are"""
    more = {"embeddings.position_ids": torch.arange(5)[None], "cls.predictions.bias": draw("7"), "head.bias": draw("2")}
    agree(more | published(draw, 1), 1)
    agree(published(draw, 3), 1)
    agree(published(draw, 11), 2)  # number 10 begins like number 1
    agree(published(draw, 11), 11)
    agree({name: each.to(F32 if each.dim() == 2 else torch.float16) for name, each in published(draw, 1).items()}, 1)
    agree.on_meta(published(draw, 2), 2)


@exercise("course_weights", points=1, level="edges")
def test_a_missing_tensor_is_named(agree: Agree, draw: Draw) -> None:
    """if a tensor is missing, a KeyError says which, by its published name"""
    for name in (
        "encoder.layer.1.output.LayerNorm.bias",
        "embeddings.token_type_embeddings.weight",
        "encoder.layer.0.attention.self.key.weight",
        "pooler.dense.bias",
    ):
        all_others = {other: each for other, each in published(draw, 2).items() if other != name}
        agree.raises(KeyError, all_others, 2, naming=(name,))
    agree.raises(KeyError, published(draw, 1), 2, naming=("encoder.layer.1.",))


@exercise("sentence_vector", points=2, level="values")
def test_the_mean_of_the_real_tokens_at_length_one(agree: Agree, draw: Draw) -> None:
    """the mean of the vectors where the mask is True, divided by its length, and the gradients"""
    agree(*tokens(draw), gradients=True)


@exercise("sentence_vector", points=1, level="property")
def test_every_vector_has_length_one(agree: Agree, draw: Draw) -> None:
    """every vector has length 1; the same text has the same vector, whatever stands at its padding"""
    hidden, mask = tokens(draw)
    agree.satisfies("every vector has length 1", lambda r: near(r.norm(dim=-1), 1.0), hidden, mask)
    other = torch.where(mask[..., None], hidden, 1e12 * draw("B T D"))
    longer = torch.cat([draw("B 3 D"), other], dim=1), torch.cat([torch.zeros(4, 3, dtype=torch.bool), mask], dim=1)
    says = "the vectors stay the same with other numbers at the padding, and with more of it"
    agree.relates(says, near, (hidden, mask), longer)


@exercise("sentence_vector", points=1, level="edges")
def test_a_text_without_tokens_has_no_direction(agree: Agree, draw: Draw) -> None:
    """a text without any real token gets zeros and finite gradients, alone or among others"""
    hidden, mask = tokens(draw)
    mask[1] = False
    agree(hidden, mask, gradients=True)
    agree(hidden[:1], torch.zeros(1, 7, dtype=torch.bool), gradients=True)


@exercise("sentence_vector", points=1, level="edges")
def test_one_token_one_text_one_column(agree: Agree, draw: Draw) -> None:
    """one token is its own mean, one column leaves a sign; one text; large numbers; the dtype and device stay"""
    hidden, mask = tokens(draw)
    agree(hidden[:, -1:], mask[:, -1:])
    agree(hidden[:1], mask[:1])
    agree(draw("B T 1"), mask)
    agree(draw("7 7 7"), torch.eye(7, dtype=torch.bool) | draw.mask("7 7"))
    agree(draw("2 256 3"), torch.arange(256) >= torch.tensor([[0], [56]]))  # more than a byte can count
    agree(hidden * 1e4, mask)
    agree.satisfies("float32 stays float32", lambda r: True, hidden.to(F32), mask)
    agree.on_meta(hidden, mask, unless_data_is_needed=True)
