"""Checks of chapter 8: what the decoder reads, its blocks, the whole model, its loss and its writing.

D is 16 or 4, whose root float32 holds exactly, or the tolerance allows it. T and S differ, and so do the vocabularies.
"""

from typing import Any

import torch

from autograder.suite import Agree, Draw, called, exercise, module, near, part

READY = ("Transformer*",)
FORBIDDEN = {"DecoderBlock": READY, "Decoder": READY, "Transformer": READY}
WELCOME = {"Transformer": ("blocks.EncoderBlock",)}
F32 = torch.float32
D, H, F = 16, 2, 11
SOURCE_WORDS, TARGET_WORDS, LONGEST, PAD = 19, 13, 9, 7  # of the models
WORDS, BOS, EOS, STRAY, NEVER = 23, 1, 14, 3, -1  # of the texts; there are words before and after eos
QUIET = {"self_attention.w_o": 0.0, "cross_attention.w_o": 0.0, "feed_forward.2": 0.0}
ONE_EACH = {"feed_forward.2.weight": torch.eye(F).repeat(2, 1)[:D], "feed_forward.2.bias": 1.0}  # reads one hidden unit
EVEN = {"feed_forward.0.weight": 0.0, "feed_forward.0.bias": 1.0, "norm2": 0.0, **ONE_EACH}
EVEN |= {"norm3.weight": 1.0, "norm3.bias": 0.0}


def states(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return x (B, T, D) and memory (B, S, D)."""
    draw.fix(D=D, H=H, B=3)
    return draw("B T D"), draw("B S D")


def earlier(draw: Draw) -> list[Any]:
    """Calls before the one that counts: a shorter text, a longer one, and one of the same shapes with other masks."""
    masks = draw.mask("1 1 longer longer"), draw.mask("1 1 1 wider")
    longer = called(draw("1 longer D"), draw("1 wider D"), *masks, training=True)
    short = called(draw("1 1 D"), draw("1 1 D"), training=True)
    return [short, longer, called(*states(draw), draw.mask("B 1 T T"), draw.mask("B 1 1 S"))]


def with_dead_rows(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return masks of x and of the memory of which the last sentence sees nothing at all."""
    masks = draw.mask("B 1 T T"), draw.mask("B 1 1 S")
    for mask in masks:
        mask[0, :, 0], mask[-1] = False, False
    return masks


def has_two_numbers(x: torch.Tensor) -> bool:
    """Return whether every vector holds no number but its smallest and its largest."""
    low, high = x.aminmax(dim=-1, keepdim=True)
    return near((x - low) * (high - x), 0)


def ids(draw: Draw, axes: str, words: int) -> torch.Tensor:
    """Return texts with padding after all except the first, which has the smallest id and the largest."""
    found = draw.integers(axes, 0, words - 1)
    found += found >= PAD
    found[0, 0], found[0, -1] = 0, words - 1
    for row in found[1:]:
        row[draw.random.randrange(1, len(row)) :] = PAD
    return found


def pair(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a source (B, S) and what a decoder reads, (B, T)."""
    draw.fix(D=D, V=TARGET_WORDS, B=3, T=draw.random.randrange(4, 7))
    return ids(draw, "B S", SOURCE_WORDS), ids(draw, "B T", TARGET_WORDS)


def model(blocks: int = 1, width: int = D, **options: object) -> object:
    return module(SOURCE_WORDS, TARGET_WORDS, LONGEST, width, H, F, blocks, pad_id=PAD, **options)


def long_model(**options: object) -> object:
    """Make a model for texts so long that angles in float32 show in every value."""
    return module(SOURCE_WORDS, TARGET_WORDS, 100, D, H, F, 1, pad_id=PAD, **options)


def long_pair(draw: Draw) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a source and what a decoder reads for such a model, both without padding."""
    return ids(draw, "1 97", SOURCE_WORDS), ids(draw, "1 100", TARGET_WORDS)


def labels(draw: Draw, pad_id: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits (B, T, V) and targets (B, T), with `pad_id` after the shorter ones."""
    draw.fix(V=WORDS, B=draw.random.randrange(3, 5), T=draw.random.randrange(5, 9))
    targets = draw.integers("B T", 0, WORDS - 1)
    targets += targets >= pad_id
    targets[0, 0], targets[0, -1], targets[1, 3:] = 0, pad_id, pad_id
    return draw("B T V", scale=3.0), targets


def writer(
    draw: Draw,
    *ends: int,
    pad_id: int = PAD,
    strict: bool = True,
    stray: bool = False,
    training: bool = True,
    more: int = 0,
) -> object:
    """Make a model that writes a text for each end, its number of tokens or 0; unless strict, it goes on after that.

    If `stray`, the longer texts hold padding, bos and 0 before they end. All words but eos are larger by `more`.
    """
    script = draw.integers(f"{len(ends)} 9", 8, WORDS - 1)
    script += script >= EOS
    script[:, :1] = draw.integers(f"{len(ends)} 1", 8, EOS)
    script[:, 1:2] = draw.integers(f"{len(ends)} 1", EOS + 1, WORDS)
    script += more
    for row, end in zip(script, ends, strict=True):
        if stray and end > 4:
            row[0], row[2], row[3] = BOS, PAD, 0
        if end:
            row[end - 1] = EOS
    special = {"bos_id": BOS, "eos_id": EOS if strict else NEVER, "pad_id": pad_id, "stray_id": STRAY}
    return part("ScriptedModel", script, vocab_size=WORDS + more, **special, max_length=12, training=training)


def asking(draw: Draw, *rows: int) -> torch.Tensor:
    """Return a source (B, S) that makes the writer write these texts; S is more than the tokens of any text."""
    draw.fix(S=11)
    source = draw.integers(f"{len(rows)} S", 8, WORDS)
    source[:, 0] = torch.tensor(rows)
    return source


@exercise("shift_right", points=1, level="values")
def test_targets_move_by_one_place(agree: Agree, draw: Draw) -> None:
    """bos, then all tokens except the last; padding moves like any other token, and so does a bos that is there"""
    draw.fix(T=draw.random.randrange(4, 9))
    for bos in (61, 1, 0, 60, 60):
        targets = draw.integers("3 T", 2, 50)
        targets[0, -1], targets[1, bos % 2 :], targets[2, 0] = 0, 0, bos
        agree(targets, bos)


@exercise("shift_right", points=1, level="property")
def test_each_position_reads_the_token_before_its_own(agree: Agree, draw: Draw) -> None:
    """position 0 reads bos, and position t the target of position t - 1"""
    draw.fix(T=draw.random.randrange(4, 9))
    targets = draw.integers("B T", 2, 50)
    right = torch.cat([torch.ones_like(targets[:, :1]), targets[:, :-1]], dim=1)

    def wrong_row(r: torch.Tensor) -> str:
        row = int((r != right).any(dim=1).int().argmax())
        return f"row {row}, {targets[row].tolist()}, becomes {r[row].tolist()}"

    says = "position 0 reads bos, position t reads target t - 1"
    agree.satisfies(says, lambda r: torch.equal(r, right), targets, 1, shows=wrong_row)


@exercise("shift_right", points=1, level="edges")
def test_a_single_token_gives_way_to_bos(agree: Agree, draw: Draw) -> None:
    """one token per row leaves only bos, a single row keeps its axis, ids may be large, no device is hard-coded"""
    draw.fix(T=draw.random.randrange(4, 9))
    agree(draw.integers("B T", 2, 50) + 2**24, 2**25 + 1)
    agree(draw.integers("B 1", 2, 50), 1)
    agree(draw.integers("1 T", 2, 50), 1)
    agree.on_meta(draw.integers("B T", 2, 50), 1)


@exercise("DecoderBlock", points=2, level="values")
def test_three_sublayers_each_with_residual_and_norm(agree: Agree, draw: Draw) -> None:
    """without masks: self-attention, cross-attention, feed-forward network, each as norm(x + sublayer(x))"""
    agree(*states(draw), build=module(D, H, F))


@exercise("DecoderBlock", points=2, level="values")
def test_each_attention_has_its_own_mask(agree: Agree, draw: Draw) -> None:
    """self_mask hides positions of x, memory_mask those of the memory, passed by position or by name"""
    x, memory = states(draw)
    agree(x, draw("B T D"), draw.mask("B 1 T T"), draw.mask("B 1 1 T"), build=module(D, H, F))
    agree(x, memory, draw.mask("T T"), draw.mask("B H T S"), build=module(D, H, F))
    agree(x, memory, memory_mask=draw.mask("B 1 1 S"), build=module(D, H, F))
    agree(x, memory, draw.mask("B 1 T T"), build=module(D, H, F))
    masks = draw.mask("B 1 T T"), draw.mask("B 1 1 S")
    for given in (masks, ()):
        agree(x, memory, *given, build=module(D, H, F, 0.0, training=True))


@exercise("DecoderBlock", points=1, level="property")
def test_a_block_of_silent_sublayers_only_normalises(agree: Agree, draw: Draw) -> None:
    """where the sublayers give zeros, norm3(norm2(norm1(x))) remains, whatever dropout does"""
    x, memory = states(draw)
    for training in (False, True):
        agree(x, memory, build=module(D, H, F, dropout=0.5, training=training, fill=QUIET))


@exercise("DecoderBlock", points=1, level="property")
def test_dropout_thins_out_each_sublayer_in_training_alone(agree: Agree, draw: Draw) -> None:
    """in training dropout acts on sublayers' outputs alone, so copies of a sentence differ; evaluation drops nothing"""
    x, memory = (state[:1].expand_as(state) for state in states(draw))
    for loud in QUIET:
        silent = {name: 0.0 for name in QUIET if name != loud}
        build = module(D, H, F, dropout=0.5, training=True, fill=silent)
        says = f"in training, dropout after {loud.split('.')[0]} makes copies of a sentence differ"
        same = lambda r: "all copies come out the same"  # noqa: E731
        agree.satisfies(says, lambda r: not near(r[0], r[1]), x, memory, build=build, shows=same)
    says = "where the network gives 2 in all features, dropout makes 0s and 4s of them: two numbers in each vector"
    two = lambda r: has_two_numbers(r) and not near(r, r[..., :1])  # noqa: E731
    build = module(D, H, F, dropout=0.5, training=True, fill=EVEN)
    agree.satisfies(
        says,
        two,
        x,
        memory,
        build=build,
        shows=lambda r: f"a vector is {[round(number, 4) for number in r[0, 0].tolist()]}",
    )
    agree(*states(draw), build=module(D, H, F, dropout=0.5))
    agree(*states(draw), build=module(D, H, F, dropout=1 - 1e-9, training=True))  # nothing but norms of x is left


@exercise("DecoderBlock", points=1, level="property")
def test_what_the_masks_hide_changes_nothing(agree: Agree, draw: Draw) -> None:
    """changing hidden places of the memory, or the future, leaves the first position the same"""
    x, memory = states(draw)
    hidden, future = ~draw.mask("S"), torch.cat([x[:, :1], draw("B T D")[:, 1:]], dim=1)
    masks = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril(), ~hidden
    first, second = (x, memory, *masks), (future, memory.masked_fill(hidden[:, None], 1e4), *masks)
    same = lambda a, b: near(a[:, 0], b[:, 0])  # noqa: E731
    says = "hidden places and the future do not change the first position"
    agree.relates(says, same, first, second, build=module(D, H, F))


@exercise("DecoderBlock", points=1, level="edges")
def test_gradients_reach_memory_and_parameters(agree: Agree, draw: Draw) -> None:
    """gradients reach x, memory and all parameters, in training too, and are finite where a query may see nothing"""
    x, memory = states(draw)
    masks = with_dead_rows(draw)
    agree(x, memory, *masks, build=module(D, H, F, 0.0, training=True), gradients=True)
    agree(x, memory, *masks, build=module(D, H, F), gradients=True)


@exercise("DecoderBlock", points=1, level="edges")
def test_a_block_of_any_size_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """axes of size 1 stay, masks broadcast, earlier calls leave no trace; float32 stays, no device is hard-coded"""
    x, memory = states(draw)
    agree(x[:, :1], memory, memory_mask=draw.mask("B 1 1 S"), build=module(D, H, F))
    agree(draw("1 1 4"), draw("1 1 4"), build=module(4, 1, 1, fill={"feed_forward.0.bias": 9.0}))  # ReLU lets all pass
    agree(draw("B T 1"), draw("B S 1"), build=module(1, 1, 2))
    agree(x, memory, draw.mask("1 1 1 T"), draw.mask("1 H 1 S"), build=module(D, H, F))
    agree(x, memory, draw.mask("H T T"), draw.mask("S"), build=module(D, H, F))
    agree(draw("T T D"), draw("T S D"), draw.mask("T T"), draw.mask("T S"), build=module(D, H, F))  # B = T, then B = H
    agree(draw("H T D"), draw("H S D"), draw.mask("H T T"), draw.mask("H T S"), build=module(D, H, F))
    agree(x, memory, draw.mask("B 1 T T"), draw.mask("B 1 1 S"), build=module(D, H, F, after=earlier(draw)))
    agree(x, memory, build=module(D, H, F, after=earlier(draw)))
    some = draw.mask("1 B").reshape(-1, 1, 1, 1)
    agree(x[:, :1], memory[:, :1], some, some.flip(0), build=module(D, H, F))
    agree.satisfies("float32 stays float32", lambda r: True, x.to(F32), memory.to(F32), build=module(D, H, F))
    agree.on_meta(x, memory, draw.mask("B 1 T T"), draw.mask("B 1 1 S"), build=module(D, H, F))
    agree.on_meta(x, memory, build=module(D, H, F))


@exercise("Decoder", points=2, level="values")
def test_x_goes_from_block_to_block(agree: Agree, draw: Draw) -> None:
    """two, three or eleven blocks, one after the other, all with the same memory and the same masks"""
    x, memory = states(draw)
    agree(x, draw("B T D"), draw.mask("B 1 T T"), draw.mask("B 1 1 T"), build=module(4, D, H, F))
    agree(x, memory, draw.mask("T T"), memory_mask=draw.mask("B 1 1 S"), build=module(3, D, H, F))
    agree(x, memory, memory_mask=draw.mask("B 1 1 S"), build=module(2, D, H, F))
    agree(x, memory, draw.mask("B 1 T T"), build=module(2, D, H, F))
    agree(x, memory, build=module(11, D, H, F))


@exercise("Decoder", points=1, level="property")
def test_the_last_block_has_the_last_word(agree: Agree, draw: Draw) -> None:
    """nothing comes after the norm of the last block: where it gives 5 everywhere, so does the decoder"""
    last = {"blocks.1.norm3.weight": 0.0, "blocks.1.norm3.bias": 5.0}
    says = "where the last block's norm3 gives 5 everywhere, so does the decoder"
    agree.satisfies(says, lambda r: near(r, 5.0), *states(draw), build=module(2, D, H, F, fill=last))


@exercise("Decoder", points=1, level="edges")
def test_gradients_reach_every_block(agree: Agree, draw: Draw) -> None:
    """gradients reach all blocks; all dropouts have the rate; axes of size 1; earlier calls; no hard-coded device"""
    x, memory = states(draw)
    masks = with_dead_rows(draw)
    agree(x, memory, *masks, build=module(2, D, H, F, 0.0, training=True), gradients=True)
    agree(x, memory, *masks, build=module(2, D, H, F), gradients=True)
    agree(x, memory, build=module(2, D, H, F, 0.0, training=True))
    agree(x, memory, build=module(2, D, H, F, 1 - 1e-9, training=True))  # nothing but norms of x is left
    agree(draw("1 1 4"), draw("1 1 4"), build=module(1, 4, 1, 1))
    agree(draw("B T 1"), draw("B S 1"), build=module(1, 1, 1, 2))
    agree(x, memory, draw.mask("1 1 1 T"), draw.mask("1 1 1 S"), build=module(1, D, H, F))
    agree(draw("T T D"), draw("T S D"), draw.mask("T T"), draw.mask("T S"), build=module(1, D, H, F))  # B = T, B = H
    agree(draw("H T D"), draw("H S D"), draw.mask("H T T"), draw.mask("H T S"), build=module(1, D, H, F))
    agree(x, memory, *masks, build=module(2, D, H, F, after=earlier(draw)))
    agree(x, memory, build=module(2, D, H, F, after=earlier(draw)))
    agree.on_meta(x, memory, *masks, build=module(1, D, H, F))
    agree.on_meta(x, memory, build=module(1, D, H, F))


@exercise("Transformer", points=2, level="values")
def test_encode_gives_the_memory(agree: Agree, draw: Draw) -> None:
    """encode: tokens times √D plus positions in the model's precision, then all blocks, the source's padding hidden"""
    draw.fix(S=draw.random.randrange(4, LONGEST))
    agree(ids(draw, "B S", SOURCE_WORDS), build=model(2, method="encode"))
    agree(ids(draw, "B S", SOURCE_WORDS), build=model(1, width=4, method="encode"))
    agree(ids(draw, "B S", SOURCE_WORDS), build=model(11, width=4, method="encode"))
    agree(long_pair(draw)[0], build=long_model(method="encode"))
    agree(ids(draw, "B S", SOURCE_WORDS), build=model(1, width=6, method="encode"), tolerance=1e-6)


@exercise("Transformer", points=2, level="values")
def test_decode_gives_logits(agree: Agree, draw: Draw) -> None:
    """decode: its own tokens and positions, the decoder with padding and future hidden, the output layer"""
    source, target = pair(draw)
    agree(target, draw("B S D"), source, build=model(method="decode"))
    source, target = long_pair(draw)
    agree(target, draw("1 97 D"), source, build=long_model(method="decode"))


@exercise("Transformer", points=2, level="values")
def test_forward_joins_the_two_halves(agree: Agree, draw: Draw) -> None:
    """forward decodes target_in together with the encoded source, and gradients reach all parameters"""
    agree(*pair(draw), build=model(2, dropout=0.0, training=True), gradients=True)
    agree(*pair(draw), build=model(), gradients=True)
    agree(*long_pair(draw), build=long_model())


@exercise("Transformer", points=1, level="property")
def test_no_position_looks_ahead(agree: Agree, draw: Draw) -> None:
    """changing the tokens after position t changes no logits up to position t"""
    source, target = pair(draw)
    seen = draw.random.randrange(2, target.shape[1])
    other = torch.cat([target[:, :seen], target.flip(0)[:, seen:]], dim=1)
    other[1, seen:] = 1
    same = lambda a, b: near(a[:, :seen], b[:, :seen])  # noqa: E731
    says = f"other words from position {seen} on change no logits before it"
    agree.relates(says, same, (source, target), (source, other), build=model())


@exercise("Transformer", points=1, level="property")
def test_a_sentence_does_not_depend_on_its_batch(agree: Agree, draw: Draw) -> None:
    """without its padding and without its neighbours, a pair of sentences gets the same logits"""
    source, target = pair(draw)
    words = [int((text[1] != PAD).sum()) for text in (source, target)]
    alone = source[1:2, : words[0]], target[1:2, : words[1]]
    same = lambda a, b: near(a[0], b[1, : words[1]])  # noqa: E731
    says = "a pair alone, without its padding, gets the logits that it gets in the batch"
    agree.relates(says, same, alone, (source, target), build=model())


@exercise("Transformer", points=1, level="edges")
def test_models_of_any_size_dtype_and_device(agree: Agree, draw: Draw) -> None:
    """one word; padding in front or nothing else; long texts; dropout in blocks only; float32, device, earlier calls"""
    source, target = pair(draw)
    read, wrote = called(source.flip(0), method="encode"), called(source.flip(0), target.flip(0), training=True)
    short = called(source[:1, :2].clone(), target[:1, :3].clone())
    other = called(target.flip(0), draw("B S D"), source.flip(0), method="decode")
    agree(source, build=model(method="encode", after=[short, other, read]))
    own = called(source, method="encode")
    for last in (read, own, other):
        agree(target, draw("B S D"), source, build=model(method="decode", after=[short, last]))
    agree(source, target, build=model(after=[called(source, target, dtype=torch.bfloat16), read, other, short, wrote]))
    agree(source[:1, :1], target[:1, :1], build=model())
    source[0, : source.shape[1] // 2], target[0, :2], source[-1], target[-1] = PAD, PAD, PAD, PAD
    agree(source, target, build=model())
    agree(ids(draw, "3 6", SOURCE_WORDS), ids(draw, "3 6", TARGET_WORDS), build=model())
    agree(*long_pair(draw), build=long_model())
    agree(*pair(draw), build=model(dropout=1 - 1e-9, training=True))  # dropout is in the blocks alone
    text = draw.integers(f"1 {LONGEST}", 8, TARGET_WORDS)
    wide = model(dtype=F32, after=[called(text, text, dtype=torch.float64)])
    agree.satisfies("float32 stays float32", lambda r: True, text, text, build=wide)
    agree.on_meta(source, target, build=model(), half_precision=False)  # which waves of complex numbers do not have


@exercise("sequence_loss", points=2, level="values")
def test_the_loss_is_the_mean_over_real_tokens(agree: Agree, draw: Draw) -> None:
    """cross-entropy summed over the tokens that are not padding, divided by their number"""
    for pad_id in (PAD, 0, WORDS - 1):
        agree(*labels(draw, pad_id), pad_id)


@exercise("sequence_loss", points=2, level="values")
def test_labels_are_smoothed(agree: Agree, draw: Draw) -> None:
    """with label_smoothing ε, the goal is 1 - ε on the right word plus ε / V on each of the V words"""
    for smoothing in (0.1, 0.4):
        agree(*labels(draw, PAD), PAD, smoothing)
    agree(*labels(draw, 0), pad_id=0, label_smoothing=0.9)


@exercise("sequence_loss", points=1, level="property")
def test_more_padding_changes_nothing(agree: Agree, draw: Draw) -> None:
    """appended padding, whatever its logits, leaves the loss unchanged"""
    logits, targets = labels(draw, PAD)
    more = draw("B more V"), draw.integers("B more", PAD, PAD + 1)
    longer = tuple(torch.cat(parts, dim=1) for parts in zip((logits, targets), more, strict=True))
    for smoothing in (0.0, 0.2):
        first, second = (logits, targets, PAD, smoothing), (*longer, PAD, smoothing)
        agree.relates("padding added at the end leaves the loss unchanged", near, first, second)


@exercise("sequence_loss", points=2, level="edges")
def test_the_loss_is_finite_and_has_gradients(agree: Agree, draw: Draw) -> None:
    """gradients reach the logits, even thousands apart; a lone token; a row of padding alone; dtype and device stay"""
    logits, targets = labels(draw, PAD)
    for smoothing, scale in ((0.0, 1), (0.1, 1), (0.0, 1000), (0.1, 1000)):
        agree(logits * scale, targets, PAD, smoothing, gradients=True)
    agree(draw("1 1 V"), draw.integers("1 1", 8, WORDS), PAD)
    sure = logits.clone()
    sure[0, 0, targets[0, 0]] += 900  # a loss of 0
    agree(sure, targets, PAD)
    agree(draw(f"2 {WORDS} {WORDS}"), draw.integers(f"2 {WORDS}", 8, WORDS), PAD)
    agree(draw("2 150 V"), draw.integers("2 150", 8, WORDS), PAD)  # more tokens than a byte can count
    agree(logits.to(F32), targets, PAD)
    targets[1] = PAD
    agree(logits, targets, PAD, 0.1)
    agree.on_meta(logits, targets, PAD, 0.1, unless_data_is_needed=True)


@exercise("greedy_decode", points=2, level="values")
def test_every_row_ends_with_its_own_eos(agree: Agree, draw: Draw) -> None:
    """rows of equal and of different lengths: each up to its eos, then padding, as wide as the longest row"""
    short, middle, long = sorted(draw.random.sample(range(2, 7), 3))
    says = writer(draw, *draw.random.choice(((short, middle, long), (long, middle, short))), strict=False)
    agree(says, asking(draw, 1, 1), BOS, EOS, 9)
    agree(says, asking(draw, 1, 0, 2, 1), BOS, EOS, 9)


@exercise("greedy_decode", points=1, level="values")
def test_a_row_without_an_end_is_cut_off(agree: Agree, draw: Draw) -> None:
    """where a row does not end, max_length tokens are written; rows that have ended are padded"""
    says = writer(draw, 0, draw.random.randrange(2, 5), 0, training=False)
    agree(says, asking(draw, 2, 1, 0, 1), BOS, EOS, 7)
    agree(says, asking(draw, 0, 2), BOS, EOS, draw.random.randrange(3, 6))


@exercise("greedy_decode", points=1, level="property")
def test_no_step_is_taken_after_all_rows_have_ended(agree: Agree, draw: Draw) -> None:
    """once every row has said its eos, the model is not called again"""
    agree(writer(draw, 2, 5), asking(draw, 1, 0), BOS, EOS, 9)
    agree(writer(draw, 2, 5), asking(draw, 1, 0), BOS, EOS, 5)


@exercise("greedy_decode", points=1, level="edges")
def test_texts_of_one_word_and_rows_of_one(agree: Agree, draw: Draw) -> None:
    """eos may be the first word, of some rows or of all; one row, one token; pad_id 0; bos and padding inside a text"""
    says = writer(draw, 1, 4, 1, pad_id=0, strict=False)
    agree(says, asking(draw, 0, 1), BOS, EOS, 7)
    agree(says, asking(draw, 0, 2, 0), BOS, EOS, 7)
    agree(says, asking(draw, 1), BOS, EOS, 6)
    agree(says, asking(draw, 1, 0), BOS, EOS, 1)
    agree(says, asking(draw, 2, 1)[:, :1].clone(), BOS, EOS, 6)
    agree(writer(draw, 2, 4, more=70_000), asking(draw, 1, 0), BOS, EOS, 6)  # ids of more than two bytes
    says = writer(draw, 3, 6, stray=True)
    agree(says, asking(draw, 1, 0), BOS, EOS, 8)
    agree(says, asking(draw, 1), BOS, EOS, 3)
