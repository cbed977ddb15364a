"""Checks of chapter 9: labels, the model, its perplexity, its choices, its writing, a cache, and a task as a text.

d and D are powers of 4, whose roots float32 holds exactly. Where a nucleus is cut, p never comes near a sum of
probabilities, so rounding decides nothing.
"""

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near, part

FORBIDDEN = {
    "attend_with_cache": (
        *("scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"),
        "scaled_dot_product_attention_math",  # what the first one calls, as is the next
        "scaled_dot_product_flash_attention_for_cpu",
    ),
    "CausalLM": ("TransformerDecoder", "blocks.CausalLM"),
}
RETURNS = {"next_token_pairs": ("inputs", "labels"), "summarization_example": ("ids", "loss_mask")}
F32 = torch.float32
D, H, F = 16, 2, 11
WORDS, LONGEST = 23, 9  # of the models
IGNORED, PAD = -100, 7
SILENT = {f"blocks.{i}.{last}": 0.0 for i in range(2) for last in ("attention.w_o", "feed_forward.2")}
NUCLEI = (
    (0.25, 0.15, 0.14, 0.13, 0.12, 0.11, 0.06, 0.04),
    (0.3, 0.2, 0.1, 0.09, 0.085, 0.08, 0.075, 0.07),
    (0.7, 0.09, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01),
)


def model(blocks: int = 1, **options: object) -> object:
    return module(WORDS, LONGEST, D, H, F, blocks, **options)


def ids(draw: Draw) -> torch.Tensor:
    """Return texts (B, T), shorter than the longest, with the smallest id and the largest."""
    draw.fix(B=3, T=draw.random.randrange(4, 8))
    texts = draw.integers("B T", 0, WORDS)
    texts[0, 0], texts[0, -1] = 0, WORDS - 1
    return texts


def labelled(draw: Draw, ignore_id: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits (B, T, V) and labels (B, T); in the first row most count, the smallest and the largest too."""
    draw.fix(B=3, V=WORDS, T=draw.random.randrange(6, 9))
    words = torch.tensor([word for word in range(WORDS) if word != ignore_id])
    labels = words[draw.integers("B T", 0, len(words))]
    labels[0, :2] = words[[0, -1]]
    labels[0, -1], labels[1, 2:], labels[2, 3:] = ignore_id, ignore_id, ignore_id
    return draw("B T V", scale=1.5), labels


def opinions(draw: Draw) -> torch.Tensor:
    """Return logits (B, V): a row that is sure, one that is less sure, and one that hardly is."""
    draw.fix(B=3, V=11)
    return draw("B V") * torch.tensor([[4.0], [1.5], [0.5]], dtype=torch.float64)


def nuclei(draw: Draw) -> torch.Tensor:
    """Return logits (B, V) of known probabilities, in another order in each row."""
    draw.fix(B=3, V=8)
    rows = [draw.random.sample(row, 8) for row in NUCLEI]
    return torch.tensor(rows, dtype=torch.float64).log() + draw("B 1")


def with_a_tie(r: torch.Tensor) -> bool:
    """Token 2 stays, and of tokens 1 and 4 one at least."""
    stays = r > 0
    return near(r.sum(-1), 1.0) and bool((stays[:, 2] & (stays[:, 1] | stays[:, 4]) & ~stays[:, [0, 3]].any(1)).all())


def writer(draw: Draw, window: int, training: bool = True) -> object:
    """Return a language model that reads at most `window` tokens, and for which 0 is never the likeliest."""
    draw.fix(B=3, V=WORDS)
    tokens, places = draw("V V"), draw(f"{window} V")
    tokens[:, 0], places[:, 0] = -20, 1
    return part("LanguageModel", tokens, places, training=training)


def first_wrong(got: torch.Tensor, right: torch.Tensor) -> str:
    wrong = (got != right).any(dim=1)
    return f"a row is {got[wrong][0].tolist()} instead of {right[wrong][0].tolist()}"


def positions(draw: Draw, *lengths: int) -> list[tuple[torch.Tensor, ...]]:
    """Return queries, keys and values for some positions, then for some more, and so on."""
    draw.fix(B=2, H=3, d=4)
    return [tuple(draw(f"B H {length} d") for _ in range(3)) for length in lengths]


def pieces(whole: tuple[torch.Tensor, ...], *lengths: int) -> list[tuple[torch.Tensor, ...]]:
    """Return the same positions, cut into chunks."""
    return list(zip(*(tensor.split(list(lengths), dim=2) for tensor in whole), strict=True))


@exercise("next_token_pairs", points=1, level="property")
def test_each_label_is_the_next_input(agree: Agree, draw: Draw) -> None:
    """the label at position t is the input at position t + 1, and no token gets lost"""
    draw.fix(T=draw.random.randrange(4, 9))
    text = draw.integers("B T", 1, 50)
    meet = lambda r: bool((r[1][:, :-1] == r[0][:, 1:]).all())  # noqa: E731
    whole = lambda r: bool((torch.cat([r[0], r[1][:, -1:]], dim=1) == text).all())  # noqa: E731

    def wrong_row(r: tuple[torch.Tensor, torch.Tensor]) -> str:
        row = int(((r[0] != text[:, :-1]) | (r[1] != text[:, 1:])).any(dim=1).int().argmax())
        return f"{text[row].tolist()} gives inputs {r[0][row].tolist()}, labels {r[1][row].tolist()}"

    says = "in each text the label at a position is the input at the next, and no token gets lost"
    agree.satisfies(says, lambda r: meet(r) and whole(r), text, shows=wrong_row)


@exercise("next_token_pairs", points=1, level="values")
def test_inputs_and_labels_are_one_token_apart(agree: Agree, draw: Draw) -> None:
    """inputs are all tokens except the last, labels all tokens except the first, whatever their ids are"""
    draw.fix(T=draw.random.randrange(4, 7))
    for _ in range(2):
        text = draw.integers("B T", 0, 50)
        text[0, 0] = text[1, 2] = 0
        agree(text)
    agree(draw.integers("3 7", 0, 50))


@exercise("next_token_pairs", points=1, level="edges")
def test_two_tokens_make_one_pair(agree: Agree, draw: Draw) -> None:
    """a single text and texts of two tokens keep their axes, ids above 2²⁴ stay exact, and no device is hard-coded"""
    draw.fix(T=draw.random.randrange(4, 9))
    agree(draw.integers("1 T", 1, 50))
    agree(draw.integers("B 2", 1, 50))
    agree(draw.integers("B T", 1, 50) + 2**24)
    agree.on_meta(draw.integers("B T", 0, 50))


@exercise("CausalLM", points=2, level="values")
def test_logits_are_states_times_the_token_table(agree: Agree, draw: Draw) -> None:
    """embedding, blocks with a causal mask, last norm, and the product with the token table"""
    agree(ids(draw), build=model(3))
    agree(draw.integers("2 7", 0, WORDS), build=model())  # shorter than the longest, but not by much
    agree(ids(draw), build=model(11))


@exercise("CausalLM", points=1, level="property")
def test_no_position_looks_ahead(agree: Agree, draw: Draw) -> None:
    """changing the tokens after position t changes no logits up to position t"""
    text = ids(draw)
    seen = draw.random.randrange(2, text.shape[1])
    other = text.clone()
    other[:, seen:] = (other[:, seen:] + 1) % WORDS
    says = "other tokens at the end of the text leave the logits before them unchanged"
    agree.relates(says, lambda a, b: near(a[:, :seen], b[:, :seen]), (text,), (other,), build=model(2))


@exercise("CausalLM", points=1, level="property")
def test_blocks_that_are_silent_leave_the_embedding(agree: Agree, draw: Draw) -> None:
    """where blocks add nothing, norm(embedding) times the table remains, in training too; a norm of 0 leaves 0"""
    for training in (False, True):
        agree(ids(draw), build=model(2, dropout=0.5, training=training, fill=SILENT))
    says = "with scale and shift of the last norm set to 0, all logits are 0"
    agree.satisfies(says, lambda r: near(r, 0.0), ids(draw), build=model(fill={"norm": 0.0}))


@exercise("CausalLM", points=1, level="edges")
def test_gradients_reach_the_table_from_both_ends(agree: Agree, draw: Draw) -> None:
    """gradients reach all parameters, the table from both ends; in training dropout has its rate, anew for each text"""
    for training in (True, False):
        agree(ids(draw), build=model(2, dropout=0.1 - 0.1 * training, training=training), gradients=True)
    agree(ids(draw), build=model(2, dropout=1 - 1e-9, training=True))  # the blocks add nothing
    text = ids(draw)[:1].expand(2, -1)
    build = model(dropout=0.5, training=True)
    says = "in training, dropout makes two equal texts come out different"
    agree.satisfies(says, lambda r: not near(*r), text, build=build, shows=lambda _: "both come out the same")


@exercise("CausalLM", points=1, level="edges")
def test_models_of_any_length_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """one text, one token, the longest text, float32, no hard-coded device, and nothing left of earlier calls"""
    for axes in ("1 5", "1 1", f"2 {LONGEST}"):
        agree(draw.integers(axes, 0, WORDS), build=model(2))
    text = draw.integers("6 6", 0, WORDS)
    text[0, 0] = 0
    agree(text, build=model())
    short, longest = called(text[:1, :2].clone()), called(draw.integers(f"2 {LONGEST}", 0, WORDS), training=True)
    agree(text, build=model(after=[short, longest, called(text.flip(0))]))
    agree(draw.integers("1 67", 0, WORDS), build=module(WORDS, 70, D, H, F, 1))
    agree.satisfies("float32 stays float32", lambda r: True, ids(draw), build=model(dtype=F32))
    agree.on_meta(ids(draw), build=model())


@exercise("perplexity", points=2, level="values")
def test_perplexity_is_e_to_the_mean_loss(agree: Agree, draw: Draw) -> None:
    """e to the power of the mean cross-entropy of all labels that count; the label -100 does not"""
    agree(*labelled(draw, IGNORED))


@exercise("perplexity", points=1, level="values")
def test_any_label_may_be_the_ignored_one(agree: Agree, draw: Draw) -> None:
    """labels equal to ignore_id do not count, wherever they are and whichever id it is"""
    for ignore_id in (PAD, 0, WORDS - 1):
        agree(*labelled(draw, ignore_id), ignore_id)


@exercise("perplexity", points=1, level="property")
def test_knowing_nothing_is_a_die_with_v_faces(agree: Agree, draw: Draw) -> None:
    """equal logits give V; more positions that do not count, whatever their logits, change nothing"""
    logits, labels = labelled(draw, PAD)
    says = f"where all tokens have the same logit, the perplexity is V = {WORDS}"
    agree.satisfies(says, lambda r: near(r, WORDS), logits * 0 + draw("B T 1"), labels, PAD)
    longer = torch.cat([logits, 9 * logits], dim=1), torch.cat([labels, torch.full_like(labels, PAD)], dim=1)
    agree.relates("more positions with label ignore_id change nothing", near, (logits, labels, PAD), (*longer, PAD))


@exercise("perplexity", points=1, level="edges")
def test_perplexity_is_stable_and_has_gradients(agree: Agree, draw: Draw) -> None:
    """gradients; large logits; labels almost impossible or certain; one token; a row without labels; float32"""
    logits, labels = labelled(draw, IGNORED)
    agree(logits, labels, gradients=True)
    agree(logits + 5000 * draw("B T 1"), labels, gradients=True)
    surprised, said = draw("3 4 V"), draw.integers("3 4", 0, WORDS)
    surprised[1, 2, said[1, 2]] -= 900  # one of twelve: e to the power of 75 is still a number
    surprised[0, 1, said[0, 1]] += 100  # and another is no surprise at all
    agree(surprised, said)
    agree(surprised, said.T.contiguous().T)  # as labels that were cut out of the ids: no `view` flattens them
    agree(draw(f"2 {WORDS} {WORDS}"), draw.integers(f"2 {WORDS}", 0, WORDS))
    agree(draw("2 150 V"), draw.integers("2 150", 0, WORDS))  # more than a byte can count
    agree(draw("1 1 V"), draw.integers("1 1", 0, WORDS))
    agree(draw("3 4 1"), torch.zeros(3, 4, dtype=torch.int64))  # where there is one token, all is known
    agree.satisfies("float32 stays float32", lambda r: True, logits.to(F32), labels)
    labels[1] = IGNORED
    agree(logits, labels)
    agree.on_meta(logits, labels, unless_data_is_needed=True)


@exercise("next_token_distribution", points=1, level="values")
def test_logits_are_divided_by_the_temperature(agree: Agree, draw: Draw) -> None:
    """softmax(logits / temperature); without further arguments, the plain softmax"""
    for temperature in (0.5, 8.0, 0.1):
        agree(opinions(draw), temperature)
    agree(opinions(draw))


@exercise("next_token_distribution", points=1, level="values")
def test_the_k_likeliest_tokens_stay(agree: Agree, draw: Draw) -> None:
    """top_k: in each row the k most likely tokens stay, in their places, and sum to 1 again"""
    agree(opinions(draw), top_k=3)
    agree(opinions(draw), 1.7, 5)


@exercise("next_token_distribution", points=2, level="values")
def test_the_smallest_set_that_reaches_p_stays(agree: Agree, draw: Draw) -> None:
    """top_p: in each row the smallest set of most likely tokens whose sum is at least p stays, and sums to 1 again"""
    agree(nuclei(draw), top_p=0.45)
    agree(nuclei(draw), 1.0, None, 0.88)
    agree(nuclei(draw), 2.0, top_p=0.42)
    agree(nuclei(draw), 0.5, top_p=0.72)


@exercise("next_token_distribution", points=2, level="values")
def test_top_p_follows_top_k(agree: Agree, draw: Draw) -> None:
    """both: first top_k, then top_p on what is left, which sums to 1 again"""
    agree(nuclei(draw), 1.0, 3, 0.65)
    agree(nuclei(draw), top_k=2, top_p=0.61)
    agree(nuclei(draw), 1.7, 6, 0.78)


@exercise("next_token_distribution", points=1, level="property")
def test_tokens_keep_their_places(agree: Agree, draw: Draw) -> None:
    """each row sums to 1, and reordering the vocabulary reorders the probabilities"""
    logits = opinions(draw) + torch.tensor([[90.0], [0.0], [-90.0]])  # the same probabilities
    logits[0, 0], logits[1, 0] = logits[0, 0] + 40, logits[1, 0] - 40  # what one row wants alone, another never
    order = torch.tensor(draw.random.sample(range(11), 11))
    turned = lambda a, b: near(a[:, order], b) and near(a.sum(-1), 1.0)  # noqa: E731
    for knobs in ({"top_k": 4}, {"top_p": 0.9}, {"temperature": 0.0}):
        says = "rows sum to 1, and reordering the vocabulary reorders the probabilities"
        agree.relates(says, turned, (logits,), (logits[:, order],), **knobs)


@exercise("next_token_distribution", points=1, level="edges")
def test_knobs_turned_all_the_way(agree: Agree, draw: Draw) -> None:
    """temperature 0 is the arg-max, a tiny one is not; top_k of 1 and above V, top_p near 0 and near 1; ties"""
    logits = opinions(draw)
    for knobs in ((0.0,), (0.0, 4, 0.9), (1.0, 1), (1.0, 11), (1.0, 50), (1.0, None, 0.01), (1.0, None, 1.0)):
        agree(logits, *knobs)
    close = logits.clone()
    close[:, 4], close[:, 7] = 9.0, 9.000001  # nearly as large
    agree(close, 0.0)
    close[:, 2], close[:, 7] = 9.0005, 9.001
    agree(close, 1e-3)
    agree(nuclei(draw), 1.0, None, 0.995)
    agree(draw("B 1"), 0.8, 1, 0.6)
    tied = torch.tensor([[0.1, 0.2, 0.4, 0.1, 0.2]] * 2, dtype=torch.float64).log() + draw("2 1")
    says = "where two tokens compete for the last place, one of them stays, or both, and rows sum to 1"
    for knobs in ({"top_k": 2}, {"top_p": 0.55}):
        agree.satisfies(says, with_a_tie, tied, **knobs)


@exercise("next_token_distribution", points=1, level="edges")
def test_logits_of_any_size_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """a single row, logits that are thousands apart, float32, and no hard-coded device"""
    logits = nuclei(draw)
    logits[-1] += 20  # the largest of all is in the last row
    agree(logits[:1], 0.8, 5, 0.66)
    agree(logits * 1000, 0.1)
    agree(logits * 1000, 900.0)
    agree(logits / 1000, 1e-3)  # equal probabilities, nearly
    agree(logits * 1000, 1.0, 4, 0.9)
    agree(logits - 50000, 1.0, 4, 0.92)
    agree.satisfies("float32 stays float32", lambda r: True, logits.to(F32), 0.8, 5, 0.66)
    agree(logits.to(F32), 0.0)
    agree.on_meta(logits, 0.8, 5, unless_data_is_needed=True)


@exercise("generate", points=2, level="values")
def test_the_text_grows_by_what_is_chosen(agree: Agree, draw: Draw) -> None:
    """each new token is chosen from the last position's logits, unchanged, with the whole text in view"""
    says = writer(draw, 12)
    for _ in range(2):
        agree(says, draw.integers("B 5", 0, WORDS), 4, part("ArgMax"))
    agree(says, draw.integers("B 2", 0, WORDS), 7, part("Nearest", 1.0))


@exercise("generate", points=2, level="values")
def test_the_model_reads_the_last_tokens(agree: Agree, draw: Draw) -> None:
    """a text longer than max_length: the model reads its last max_length tokens; the result is the whole text"""
    agree(writer(draw, 6), draw.integers("B 9", 0, WORDS), 5, part("ArgMax"))
    agree(writer(draw, 6, training=False), draw.integers("B 4", 0, WORDS), 7, part("ArgMax"))


@exercise("generate", points=1, level="property")
def test_choose_is_asked_once_per_step(agree: Agree, draw: Draw) -> None:
    """the prompt comes back unchanged, followed by what choose returned, whatever the logits are"""
    says, prompt, script = writer(draw, 6), draw.integers("B 4", 0, WORDS), draw.integers("5 B", 0, WORDS)
    script[1] = 0  # no token ends a text
    told, choose = torch.cat([prompt, script.T], dim=1), part("ScriptedChoice", script)
    sentence = "each row is its prompt, then the tokens that choose returned"
    holds = lambda r: bool((r == told).all())  # noqa: E731
    agree.satisfies(sentence, holds, says, prompt, 5, choose, shows=lambda r: first_wrong(r, told))


@exercise("generate", points=1, level="edges")
def test_no_steps_one_row_and_one_token(agree: Agree, draw: Draw) -> None:
    """no steps return the prompt; one row, one token and a window of one token work; prompt and model do not change"""
    for window, axes, steps in (
        (6, "B 4", 0),
        (3, "B 4", 0),
        (6, "1 3", 5),
        (6, "B 1", 3),
        (1, "B 3", 3),
        (5, "B 5", 2),
    ):
        agree(writer(draw, window), draw.integers(axes, 0, WORDS), steps, part("ArgMax"))


@exercise("attend_with_cache", points=1, level="values")
def test_without_a_cache_it_is_causal_attention(agree: Agree, draw: Draw) -> None:
    """without a cache: softmax(q kᵀ / √d) v over the keys up to the query's own"""
    agree.chained_calls(*positions(draw, 5))


@exercise("attend_with_cache", points=2, level="values")
def test_new_positions_see_the_past(agree: Agree, draw: Draw) -> None:
    """with a cache: each new position sees all earlier ones, itself, and no later one"""
    agree.chained_calls(*positions(draw, 3, 2))
    agree.chained_calls(*positions(draw, 2, 4, 1, 3))


@exercise("attend_with_cache", points=2, level="property")
def test_however_it_is_cut_the_answer_is_the_same(agree: Agree, draw: Draw) -> None:
    """the same positions all at once, one by one and in chunks give the same outputs"""
    (whole,) = positions(draw, 6)
    for lengths in ((1,) * 6, (4, 2), (1, 3, 2)):
        agree.chained_calls(whole, *pieces(whole, *lengths), after=(-1, -1, *range(1, len(lengths))))


@exercise("attend_with_cache", points=1, level="property")
def test_a_cache_can_be_used_twice(agree: Agree, draw: Draw) -> None:
    """two continuations of the same cache do not affect each other, nor do two texts that are written in turns"""
    agree.chained_calls(*positions(draw, 3, 1, 1, 1), after=(-1, 0, 0, 1))
    agree.chained_calls(*positions(draw, 2, 1, 3, 1, 1), after=(-1, 0, 1, 1, 0))
    agree.chained_calls(*positions(draw, 3, 2, 1, 1, 2), after=(-1, -1, 0, 1, 2))  # two texts in turns


@exercise("attend_with_cache", points=1, level="edges")
def test_attention_of_any_size_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """one position of one head, gradients, scores of 0 or far apart, float32, half precision, no hard-coded device"""
    agree.chained_calls(*(tuple(draw("1 1 1 4") for _ in range(3)) for _ in range(3)))
    agree.chained_calls(*positions(draw, 4), gradients=True)
    agree.chained_calls(*positions(draw, 3, 2), gradients=True)
    agree.chained_calls(*positions(draw, 65, 2))
    agree.chained_calls(*positions(draw, 4, 4))  # as many positions as columns
    chunks = positions(draw, 3, 2)
    agree.chained_calls(*((q * 1000, k, v) for q, k, v in chunks), gradients=True)
    agree.chained_calls(*((q, q * -5e4, v) for q, _, v in chunks))  # the scores that a query sees are far below 0
    agree.chained_calls(*((q, k * torch.arange(k.shape[2]).remainder(2)[:, None], v) for q, k, v in chunks))
    agree.chained_calls(tuple(draw("B H 3 11") for _ in range(3)), tolerance=1e-6)  # for a root rounded to float32
    agree.chained_calls(*(tuple(tensor.to(F32) for tensor in turn) for turn in chunks))
    beside = torch.tensor([[0.0], [-1e4], [1.0]], dtype=torch.float64)  # a past that no query sees needs no gradient
    chunks[0][0][..., 3], chunks[0][1][..., 3], chunks[1][0][..., 3] = beside
    agree.chained_calls(*chunks, gradients=True)
    for dtype in (torch.float64, torch.bfloat16):
        turns = (tuple(tensor.to(device="meta", dtype=dtype) for tensor in turn) for turn in chunks)
        agree.chained_calls(*turns, unless_data_is_needed=True)


@exercise("summarization_example", points=1, level="values")
def test_article_separator_summary_eos(agree: Agree, draw: Draw) -> None:
    """ids: article, separator, summary, eos; the mask is True at the summary and at eos"""
    article, summary = draw.integers("A", 3, 50), draw.integers("S", 3, 50)
    article[-1] = summary[0]  # a word of both
    agree(article, summary, 1, 2)
    agree(draw.integers("5", 3, 50), draw.integers("7", 3, 50), separator_id=60, eos_id=0)


@exercise("summarization_example", points=1, level="property")
def test_the_mask_picks_out_what_is_to_be_said(agree: Agree, draw: Draw) -> None:
    """the mask is True exactly at the summary and eos, and False at the article and the separator"""
    draw.fix(A=draw.random.choice((5, 7, 9)))
    article, summary = draw.integers("A", 3, 50), draw.integers("S", 3, 50)
    article[-1] = summary[0]  # a word of both
    said, given = torch.cat([summary, torch.tensor([2])]), torch.cat([article, torch.tensor([1])])
    holds = lambda r: r[0][r[1]].equal(said) and r[0][~r[1]].equal(given)  # noqa: E731
    says = "the mask is True at the summary and at eos, False at the article and the separator"
    shows = lambda r: f"it is True at the tokens {r[0][r[1]].tolist()}, False at {r[0][~r[1]].tolist()}"  # noqa: E731
    agree.satisfies(says, holds, article, summary, 1, 2, shows=shows)


@exercise("summarization_example", points=1, level="edges")
def test_texts_of_any_ids_and_lengths(agree: Agree, draw: Draw) -> None:
    """texts of one token; texts that contain the special ids themselves; no hard-coded device"""
    article, summary = draw.integers("A", 3, 50), draw.integers("S", 3, 50)
    agree(article[:1], summary[:1], 1, 2)
    for lengths in ((3, 3), (7, 7), (5, 6), (6, 8), (3, 11), (9, 10), (4, 40)):
        agree(*(draw.integers(str(length), 3, 50) for length in lengths), 1, 2)
    article[1], summary[0] = 1, 2
    agree(article, summary, 1, 2)
    article[0], summary[1] = 2, 1
    agree(article, summary, 1, 2)
    article[0] = summary[0] = 0
    agree(article, summary, 1, 2)
    article[-1], summary[-1] = 1, 2
    agree(article, summary, 1, 2)
    agree(article + 2**24, summary + 2**24, 2**24 + 3, 2**25 + 1)
    agree.on_meta(article, summary, 1, 2, unless_data_is_needed=True)
