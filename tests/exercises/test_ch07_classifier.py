"""Checks of chapter 7: padding, pooling, the loss, the model, accuracy, and an epoch.

D is 16, so that a root rounded to float32 costs nothing. The checks distinguish the classifier's dropouts by numbers
that only they can make. Accuracies are shares of 16, which are exact in float32 too.
"""

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near, part

FORBIDDEN = {
    "binary_cross_entropy": ("binary_cross_entropy*", "BCE*"),
    "SentimentClassifier": ("TransformerDecoder", "blocks.SentimentClassifier"),
}
F32 = torch.float32
LOOSE = 1e-6  # for a mean of Python numbers that went through float32
WORDS, LONGEST, D, H, F, UNITS = 13, 9, 16, 3, 11, 100  # of the classifier
ONES = {"encoder.norm2.weight": 0.0, "encoder.norm2.bias": 1.0}  # what the encoder gives, whatever it has dropped


def texts(draw: Draw, *lengths: int) -> list[list[int]]:
    """Texts of these lengths as lists of ids; 0 is one of the words."""
    drawn = [draw.integers(str(length), 0, 50).tolist() if length else [] for length in lengths]
    for text in filter(None, drawn):
        text[len(text) // 2] = 0
    return drawn


def labels(draw: Draw, axis: str) -> torch.Tensor:
    """Labels 0 and 1, both of them, as float64."""
    drawn = draw.integers(axis, 0, 2)
    drawn[0], drawn[-1] = 1, 0
    return drawn.double()


def some_real(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """x (B, T, D) and a mask (B, T) of rows with one, with some, and with all tokens real; in all, no multiple of B."""
    draw.fix(B=4, T=draw.random.randrange(5, 8))
    x, mask = draw("B T D"), draw.mask("B T")
    only = draw.random.randrange(mask.shape[1] - 1)
    mask[0], mask[0, only] = False, True
    mask[1, 0], mask[1, only], mask[1, -1] = False, False, True
    mask[2] = True
    mask[3, :3] = torch.tensor([True, True, False])
    mask[3, 0] = bool(mask.sum() % 4)
    return x, mask


def reviews(draw: Draw) -> torch.Tensor:
    """Ids (B, T) with padding 0 in front of all rows but the first, which has the largest id."""
    draw.fix(B=3, T=draw.random.randrange(5, 9))
    ids = draw.integers("B T", 1, WORDS)
    ids[0, 0], ids[1, :1], ids[2, :3] = WORDS - 1, 0, 0
    return ids


def classifier(**options: object) -> object:
    return module(WORDS, LONGEST, D, H, F, **options)


def dropping(draw: Draw, **fill: object) -> tuple[torch.Tensor, object]:
    """96 times the same text, and a classifier in training whose average is 1 throughout, before its own dropouts."""
    ids = reviews(draw)[:1, :4].repeat(96, 1)
    named = {name.replace("__", "."): value for name, value in fill.items()}
    return ids, classifier(dropout=0.5, training=True, fill={**ONES, "output.bias": 0.0, **named})


def values_of(logits: torch.Tensor) -> torch.Tensor:
    """The different numbers among them."""
    return (logits.double() * 1e6).round().unique() / 1e6


def shown(logits: torch.Tensor) -> str:
    """The different numbers among them, or the smallest of these if there are many."""
    found = [f"{value:.4g}" for value in values_of(logits).tolist()]
    listed = ", ".join(found[:8]) + (", …" if found[8:] else "")
    return f"the logits are {listed}" if found[1:] else f"all logits are {listed}"


def answers(draw: Draw, ones: tuple[float, ...], zeros: tuple[float, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """These logits of examples with label 1 and with label 0 in any order, and their labels."""
    rows = [(logit, 1) for logit in ones] + [(logit, 0) for logit in zeros]
    logits, truth = zip(*draw.random.sample(rows, len(rows)), strict=True)
    return torch.tensor(logits, dtype=torch.float64), torch.tensor(truth)


def learner(draw: Draw, sure: float = 1.0) -> object:
    """A model that begins in evaluation, where it is half as sure; in training it is surer of every other text."""
    draw.fix(V=WORDS, D=4)
    return part("BagOfWords", draw("V D"), draw("D D", scale=0.5), draw("1 D", scale=sure))


def batch(draw: Draw, size: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
    return draw.integers(f"{size} {length}", 0, WORDS), labels(draw, str(size))


@exercise("pad_sequences", points=2, level="values")
def test_padding_stands_in_front_and_the_last_tokens_stay(agree: Agree, draw: Draw) -> None:
    """short texts get padding in front, long ones keep their last max_length tokens; the result is int64"""
    agree(texts(draw, 4, 9, 2), 6)
    agree(texts(draw, 8, 9, 3), max_length=3)


@exercise("pad_sequences", points=2, level="values")
def test_pad_id_fills_up_to_max_length(agree: Agree, draw: Draw) -> None:
    """rows are filled up with pad_id to max_length, even where no text is that long; real tokens may equal pad_id"""
    agree(texts(draw, 9, 4, 7), 5, 60)
    agree(texts(draw, 5, 3), 8, pad_id=60)
    given = texts(draw, 5, 3, 9)
    given[0][0] = given[1][-1] = given[2][-6] = -100  # they are real tokens, whatever they look like
    given[0][1] = 70_000
    agree(given, 6, -100)


@exercise("pad_sequences", points=1, level="property")
def test_every_row_ends_as_its_text_does(agree: Agree, draw: Draw) -> None:
    """every row ends with the end of its text, and before it comes nothing but pad_id"""
    given, pad, length = texts(draw, 7, 3, 11, 2, 4), 77, draw.random.randrange(5, 7)
    kept = [text[-length:] for text in given]
    ends = lambda r: [row[length - len(text) :].tolist() for row, text in zip(r, kept, strict=True)] == kept  # noqa: E731
    holds = lambda r: ends(r) and int((r == pad).sum()) == sum(length - len(text) for text in kept)  # noqa: E731
    wanted = [[pad] * (length - len(text)) + text for text in kept]

    def shows(r: torch.Tensor) -> str:
        rows = zip(r.tolist(), wanted, given, strict=True)
        return next((f"{row} for the text {text}" for row, want, text in rows if row != want), "")

    says = "each row is as many pad_id as it needs, then the end of its text"
    agree.satisfies(says, holds, given, length, pad, shows=shows)


@exercise("pad_sequences", points=1, level="edges")
def test_texts_without_tokens_and_one_text_alone(agree: Agree, draw: Draw) -> None:
    """an empty text is padding throughout; one text, one token, all texts shorter than max_length; ids may be large"""
    agree(texts(draw, 0, 3), 4, 60)
    agree(texts(draw, 5), 1)
    agree([[]], 2)
    agree(texts(draw, 1, 2), 7)
    agree(texts(draw, 40, 3), 35)
    given = texts(draw, 3, 0)
    given[0][-1] = 2**24 + 1  # which float32 cannot hold
    agree.under(F32)(given, 4, 2**24 + 3)


@exercise("pad_sequences", points=1, level="edges")
def test_padded_texts_are_on_the_default_device(agree: Agree, draw: Draw) -> None:
    """the tensor is made on torch's default device, whatever it is"""
    agree.on_meta(texts(draw, 4, 6, 2), 5)


@exercise("masked_mean", points=2, level="values")
def test_the_mean_is_over_real_tokens_only(agree: Agree, draw: Draw) -> None:
    """sum of the vectors of real tokens, divided by their number, row by row"""
    agree(*some_real(draw))


@exercise("masked_mean", points=1, level="property")
def test_what_is_masked_changes_nothing(agree: Agree, draw: Draw) -> None:
    """whatever the vectors of padding are, and however many are added, the mean stays the same"""
    x, mask = some_real(draw)
    other = torch.where(mask[..., None], x, draw("B T D", scale=1e12))
    longer = torch.cat([draw("B 1 D"), other], dim=1), torch.cat([torch.zeros_like(mask[:, :1]), mask], dim=1)
    says = "with other vectors at the padding, and more padding in front, the mean stays the same"
    agree.relates(says, near, (x, mask), longer)


@exercise("masked_mean", points=1, level="edges")
def test_a_row_without_tokens_gives_zeros(agree: Agree, draw: Draw) -> None:
    """where no token is real the mean is zero, and the gradients are finite there too"""
    x, mask = some_real(draw)
    agree(x, mask, gradients=True)
    mask[-1] = False
    agree(x, mask)
    agree(x, mask, gradients=True)


@exercise("masked_mean", points=1, level="edges")
def test_means_of_any_size_and_dtype(agree: Agree, draw: Draw) -> None:
    """one row, one position, one feature keep their axes, and float32 and half precision stay"""
    x, mask = some_real(draw)
    agree(draw("B T 1"), mask)
    agree(draw("1 1 D"), torch.tensor([[True]]))
    agree(draw("1 T D"), mask[:1])
    agree(draw("B 1 D"), torch.tensor([[True], [False], [True], [True]]))
    agree(draw("4 4 4"), draw.mask("4 4"))
    agree(draw("2 300 3"), torch.arange(300) >= torch.tensor([[0], [41]]))  # more than a byte can count
    agree(x.to(F32), mask)
    agree.on_meta(x, mask, unless_data_is_needed=True)


@exercise("binary_cross_entropy", points=2, level="values")
def test_the_loss_is_the_mean_surprise_at_the_labels(agree: Agree, draw: Draw) -> None:
    """the mean of -log σ(z) where the label is 1, and of -log(1 - σ(z)) where it is 0"""
    draw.fix(B=draw.random.choice((5, 7, 9)))  # not as many ones as zeros
    agree(draw("B", scale=2.0), labels(draw, "B"))
    agree(draw("N", scale=0.5), torch.ones(draw.size("N"), dtype=torch.float64))


@exercise("binary_cross_entropy", points=1, level="values")
def test_labels_may_have_any_dtype(agree: Agree, draw: Draw) -> None:
    """labels may be integers or booleans as well, and the loss has the dtype of the logits"""
    draw.fix(B=5)
    for dtype in (torch.int64, torch.bool, torch.uint8):
        agree(draw("B", scale=2.0), labels(draw, "B").to(dtype))
    agree(draw("B").to(F32), labels(draw, "B").long())
    agree(draw("B").to(F32), labels(draw, "B"))
    agree.on_meta(draw("B"), labels(draw, "B").long(), unless_data_is_needed=True)


@exercise("binary_cross_entropy", points=1, level="property")
def test_turning_logits_and_labels_round_changes_nothing(agree: Agree, draw: Draw) -> None:
    """with -z for z and 1 - y for y, the loss is the same"""
    draw.fix(B=draw.random.randrange(3, 10))
    logits, truth = draw("B", scale=2.0), labels(draw, "B")
    logits[0] = 3.0
    says = "with -z for z and 1 - y for y, the loss is the same"
    agree.relates(says, near, (logits, truth), (-logits, 1 - truth))


@exercise("binary_cross_entropy", points=2, level="edges")
def test_the_loss_stands_any_logit(agree: Agree, draw: Draw) -> None:
    """the loss and its gradient are right, even for logits of a million, on the right side or the wrong one"""
    draw.fix(B=7)
    truth = labels(draw, "B").long()
    truth[:4] = torch.tensor([1, 0, 0, 1])  # of each size two that are right, and two that are wrong
    agree(draw("B"), truth, gradients=True)
    for size in (50.0, 1000.0, 1e6):
        agree(torch.tensor([size, -size, size, -size, 1.0, -1.0, 0.5]).double(), truth, gradients=True)


@exercise("binary_cross_entropy", points=1, level="edges")
def test_one_logit_has_a_loss_of_no_axes(agree: Agree, draw: Draw) -> None:
    """a single example, of either label; logits of exactly 0, whose gradients are (½ - y) / B"""
    for label in (0, 1):
        agree(draw("1"), torch.tensor([label]))
    agree(torch.zeros(5, dtype=torch.float64), labels(draw, "5"), gradients=True)


@exercise("SentimentClassifier", points=2, level="values")
def test_a_text_becomes_a_logit(agree: Agree, draw: Draw) -> None:
    """embedding, encoder, average over all positions, hidden layer with ReLU, output: one logit per text"""
    agree(reviews(draw), build=classifier(fill={"output.bias": -5.0}))


@exercise("SentimentClassifier", points=1, level="values")
def test_gradients_reach_every_layer(agree: Agree, draw: Draw) -> None:
    """gradients reach the tables, the encoder and both dense layers, in training too; evaluation drops nothing"""
    agree(reviews(draw), build=classifier(dropout=0.0, training=True, fill={"output.bias": -5.0}), gradients=True)
    agree(reviews(draw), build=classifier(dropout=0.5, fill={"output.bias": -5.0}), gradients=True)


@exercise("SentimentClassifier", points=1, level="property")
def test_without_position_vectors_order_does_not_matter(agree: Agree, draw: Draw) -> None:
    """if all position vectors are zero, the same words in another order give the same logit"""
    ids = reviews(draw)
    build = classifier(fill={"embedding.position": 0.0})
    says = "with all position vectors zero, the same words in another order get the same logit"
    agree.relates(says, near, (ids,), (ids.flip(1).roll(1, 1),), build=build)


@exercise("SentimentClassifier", points=1, level="property")
def test_the_average_is_thinned_out_in_training(agree: Agree, draw: Draw) -> None:
    """in training, dropout1 zeroes or doubles a feature of the average (rate 0.5), and the encoder's dropouts act"""
    reads, says_of_one = torch.zeros(UNITS, D), torch.zeros(1, UNITS)
    reads[0], says_of_one[0, 0] = 1.0, 1.0  # one unit sums up the average, adds 1, and alone counts
    ids, build = dropping(draw, hidden__weight=reads, hidden__bias=1.0, output__weight=says_of_one)

    def holds(r: torch.Tensor) -> bool:
        """All is 1 + 2 · n, n of the features being kept by dropout1, odd n and even ones; dropout2 may double it."""
        kept = values_of(r)[values_of(r) != 0]
        if (kept % 2 == 0).all():
            kept = kept / 2
        return len(kept) > 2 and bool((kept % 2 == 1).all()) and bool((kept % 4 == 3).any())

    says = (
        "dropout1 doubles n of 16 ones (n varies), a unit adds 1: "
        "without the 0s of dropout2 all is 1 + 2 n, or twice it"
    )
    agree.satisfies(says, holds, ids, build=build, shows=shown)
    fill = {"embedding": 0.0, "encoder.attention.w_o.weight": 0.0, "encoder.attention.w_o.bias": 1.0}
    fill |= {"encoder.feed_forward.2": 0.0, "encoder.norm1.bias": 0.0}
    fill |= {"encoder.norm1.weight": 1.0, "encoder.norm2.weight": 1.0}
    one = {"hidden.weight": reads, "hidden.bias": 1.0, "output.weight": says_of_one, "output.bias": 0.0}
    build = classifier(dropout=0.5, training=True, fill={**ONES, **fill, **one})
    says = "where the encoder's attention gives 1 everywhere, its own dropout makes logits that are no whole numbers"
    broken = lambda r: bool(((values_of(r) % 1 - 0.5).abs() < 0.49).any())  # noqa: E731
    agree.satisfies(says, broken, ids, build=build, shows=shown)


@exercise("SentimentClassifier", points=1, level="property")
def test_the_hidden_units_are_thinned_out_in_training(agree: Agree, draw: Draw) -> None:
    """in training, dropout2 sets each hidden unit to zero or doubles it (with a rate of 0.5)"""
    ids, build = dropping(draw, hidden__weight=0.0, hidden__bias=1.0, output__weight=1.0)
    holds = lambda r: len(values_of(r)) > 4 and bool((values_of(r) % 2 == 0).all())  # noqa: E731
    says = "where 100 hidden units are 1 and dropout2 keeps n of them (n varies), the logit is 2 n"
    agree.satisfies(says, holds, ids, build=build, shows=shown)


@exercise("SentimentClassifier", points=1, level="edges")
def test_classifiers_of_any_text_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """one text, one token, the longest text; the lecture's default sizes; no trace of earlier calls; dtype, device"""
    ids = reviews(draw)
    longer = called(draw.integers(f"2 {LONGEST}", 0, WORDS), training=True)
    agree(ids, build=classifier(after=[longer, called(ids[1:, 1:].clone()), called(ids.flip(0))]))
    agree(ids[:1], build=classifier())
    agree(ids[:1, :1], build=classifier())
    agree(draw.integers(f"B {LONGEST}", 0, WORDS), build=classifier(fill={"output.bias": -5.0}))
    agree(ids, build=module(dtype=F32))  # 660,457 parameters
    agree.on_meta(ids, build=classifier())


@exercise("accuracy", points=2, level="values")
def test_accuracy_is_the_share_on_the_right_side(agree: Agree, draw: Draw) -> None:
    """a logit above 0 says 1, one below says 0; the share that agrees with the labels, as a Python number"""
    logits, truth = answers(draw, (-2, -1, -1, -1, 0.2, 0.2, 0.4, 1, 3, 3), (-2, -2, -2, -2, -1, 0.4))
    for dtype in (torch.int64, torch.float64, torch.bool):
        agree(logits, truth.to(dtype))
    agree(logits.to(F32), 1 - truth)
    many = draw("512")
    agree(many, (many > 0).long() ^ (torch.arange(512) < 41))  # more are right than a byte can count


@exercise("accuracy", points=1, level="property")
def test_opposite_answers_are_right_where_these_are_wrong(agree: Agree, draw: Draw) -> None:
    """with all signs turned, what was right is wrong: the two accuracies sum to 1"""
    logits, truth = answers(draw, (-2, -1.5, -0.3, 0.2, 0.2, 0.4, 0.7, 1.5, 3, 3), (-3, -2, -2, -1.5, 2, 3))
    says = "the accuracy of the logits and that of their opposites sum to 1"
    shows = lambda a, b: f"{a:.4g} and {b:.4g}, which sum to {a + b:.4g}"  # noqa: E731
    agree.relates(says, lambda a, b: abs(a + b - 1) < 1e-6, (logits, truth), (-logits, truth), shows=shows)


@exercise("accuracy", points=1, level="edges")
def test_a_logit_of_zero_says_0(agree: Agree, draw: Draw) -> None:
    """a logit of exactly 0 counts as 0, one just above as 1; one text alone; all right is 1.0, all wrong is 0.0"""
    agree(*answers(draw, (0, 0, 0, 0.2, 0.4, 0.4, 0.4, 1, 3, 3), (-2, -2, -0.3, 0, 0.4, 3)))
    logits, truth = answers(draw, (-1e-9, 1e-9, 1e-9, 1e-9, 0.2, 0.4, 0.4, 1, 3, 3), (-2, -2, -1e-9, 0, 0.4, 3))
    for dtype in (torch.float64, F32):
        agree(logits.to(dtype), truth, tolerance=1e-6)
        least = torch.zeros((), dtype=dtype).nextafter(torch.ones((), dtype=dtype))  # its half is 0
        agree(least * torch.tensor([1, -1, 1, 1]), torch.tensor([1, 0, 0, 1]))
    agree(torch.tensor([-2.0, 1.0, -1.0]).double(), torch.tensor([0, 1, 1]), tolerance=1e-6)
    agree(torch.tensor([-2.0]).double(), torch.tensor([0]))
    agree(torch.tensor([2.0]).double(), torch.tensor([0]))


@exercise("train_epoch", points=2, level="values")
def test_every_batch_has_its_step(agree: Agree, draw: Draw) -> None:
    """in training mode, a step on each batch's mean loss, older gradients forgotten; the mean, as a Python float"""
    model = learner(draw)
    for stale in (False, True):
        agree(model, [batch(draw, 5, 6), batch(draw, 5, 4)], part("sgd", model, 0.5, stale=stale), tolerance=LOOSE)


@exercise("train_epoch", points=2, level="values")
def test_every_example_counts_the_same(agree: Agree, draw: Draw) -> None:
    """batches of different sizes, momentum, pairs from a generator: the mean over all examples, each before its step"""
    model = learner(draw)
    batches = [batch(draw, size, length) for size, length in ((5, 6), (2, 7), (3, 4))]
    agree(model, batches, part("sgd", model, 0.5, 0.9), tolerance=LOOSE)
    agree(model, part("streamed", batches[1:]), part("sgd", model, 0.5), tolerance=LOOSE)


@exercise("train_epoch", points=1, level="property")
def test_it_does_not_matter_how_the_examples_are_cut(agree: Agree, draw: Draw) -> None:
    """with a learning rate of 0, the same examples in batches of different sizes have the same mean loss"""
    model, (ids, truth) = learner(draw, sure=0.3), batch(draw, 9, 6)
    sizes = [2, 4, 3]
    cut = list(zip(ids.split(sizes), truth.split(sizes), strict=True))
    still = part("sgd", model, 0.0)
    same = lambda a, b: abs(a - b) < LOOSE  # noqa: E731
    says = "with a learning rate of 0, three batches have the same mean loss as their examples in one"
    shows = lambda a, b: f"{a:.6g} in three batches, {b:.6g} in one"  # noqa: E731
    agree.relates(says, same, (model, cut, still), (model, [(ids, truth)], still), shows=shows)


@exercise("train_epoch", points=1, level="property")
def test_the_loss_falls_on_a_batch_that_comes_again(agree: Agree, draw: Draw) -> None:
    """with the same batch six times over, the mean loss is lower than with it once"""
    model, (ids, truth) = learner(draw, sure=0.1), batch(draw, 6, 5)
    one = ids, torch.ones_like(truth)  # answers turn right and stay so, so that a share of them cannot fall
    steps = part("sgd", model, 0.01)
    falls = lambda a, b: b < a  # noqa: E731
    says = "where the same batch comes six times, the mean loss is lower than where it comes once"
    shows = lambda a, b: f"{b:.6g} where it comes six times, {a:.6g} where it comes once"  # noqa: E731
    agree.relates(says, falls, (model, [one], steps), (model, [one] * 6, steps), shows=shows)


@exercise("train_epoch", points=1, level="edges")
def test_batches_of_one_example_and_labels_of_any_dtype(agree: Agree, draw: Draw) -> None:
    """a batch of one example, texts of one token, labels that are integers or booleans, pairs that are lists"""
    model = learner(draw)
    one, (ids, truth) = batch(draw, 1, 1), batch(draw, 3, 1)
    agree(model, [one], part("sgd", model, 0.5), tolerance=LOOSE)
    for dtype in (torch.int64, torch.bool):
        agree(model, [[ids, truth.to(dtype)], one], part("sgd", model, 0.5), tolerance=LOOSE)
