"""Pictures of chapters 7 to 10: a classifier, a translator, a language model and BERT."""

from typing import Any

import torch

from autograder.student.pictures.drawing import TOP, Drawing
from autograder.student.pictures.lesson_picture import LessonPicture

TEXT = "[CLS] so long and thanks for all the fish [SEP]".split()
NONSENSE, HIDDEN = "apricot", "[MASK]"


def averages(pieces: Any) -> list[Drawing]:
    """Two padded texts, a number for each token, and the means with and without the padding."""
    ids = pieces.pad_sequences([[7, 3, 9], [1, 2, 3, 4, 5, 6, 7]], 5)  # (2, 5)
    real = ids != 0
    x = torch.where(real, ids / 10, 0.1)[..., None]  # (2, 5, 1); what the table has for padding is no zero
    plain, masked = x.mean(dim=1)[:, 0].tolist(), pieces.masked_mean(x, real)[:, 0].tolist()
    return [_average(*each) for each in zip(ids.tolist(), x[..., 0], plain, masked, strict=True)]


def _average(ids: list[int], x: torch.Tensor, plain: float, masked: float) -> Drawing:
    says = f"tokens {ids}: the mean of all positions is {plain:.2f}, of the real ones {masked:.2f}"
    drawing = Drawing(says, 344, 58).label("token", 44, 17, "end").label("vector", 44, 49, "end")
    drawing.tokens([token or "‹pad›" for token in ids], 50, 0, 36, [0 if token else None for token in ids])
    drawing.grid(x[None], 50, 32, cell=(36, 24), darkest=1.0)
    for y, name, mean, colour in ((0, "mean", plain, 1), (32, "masked", masked, 0)):
        drawing.grid([[mean]], 242, y, darkest=1.0).label(name, 285, y + 17, colour=colour)
    return drawing


def bridge(pieces: Any) -> list[Drawing]:
    """Which words the decoder sees where it is asked for the next one, in its two attentions."""
    words = "‹pad› ‹bos› ‹eos› Ann reads old maps".split()
    source = "Anna liest alte Karten ‹pad›".split()
    targets = torch.tensor([[3, 4, 5, 6, 2]])
    read = [words[number] for number in pieces.shift_right(targets, 1)[0].tolist()]
    asked = [words[number] for number in targets[0].tolist()]
    sees = pieces.padding_mask(torch.tensor([[1, 1, 1, 1, 0]]), 0)[0, 0].expand(5, 5)
    own = _sight("self-attention: the text so far", pieces.causal_mask(5), read, read, [])
    return [own, _sight("cross-attention: the source", sees, read, source, asked)]


def _sight(title: str, mask: torch.Tensor, rows: list[str], columns: list[str], asked: list[str]) -> Drawing:
    says = f"{title}: the positions that read {', '.join(rows)} see {mask.sum(-1).tolist()} words"
    drawing = Drawing(says, 250 + 66 * bool(asked), TOP + 138, title)
    drawing.grid(mask, 44, TOP + 18, rows, columns, (41, 24), numbered=False)
    for place, word in enumerate(asked):
        y = TOP + 30 + 24 * place
        drawing.arrow((252, y), (268, y), colour=1).label(word, 272, y + 4, colour=1)
    return drawing


def cache(pieces: Any) -> list[Drawing]:
    """The weights of four words at once, and in four calls with a cache; the values are the identity."""
    q = torch.tensor([[[[1.0, 0, 2, 0], [0, 2, 0, 1], [2, 1, 0, 0], [1, 1, 1, 1]]]])
    k = torch.tensor([[[[1.0, 1, 0, 0], [0, 1, 1, 0], [2, 0, 0, 1], [0, 2, 1, 1]]]])
    v = torch.eye(4)[None, None]  # each output is its row of weights
    at_once, _ = pieces.attend_with_cache(q, k, v)
    kept, rows = None, []
    for t in range(4):
        row, kept = pieces.attend_with_cache(*(each[:, :, t : t + 1] for each in (q, k, v)), kept)
        rows.append(row)
    steps = torch.cat(rows, dim=2)
    return [_calls("all four words in one call", at_once[0, 0], []), _calls("word by word", steps[0, 0], range(4))]


def _calls(title: str, weights: torch.Tensor, calls: Any) -> Drawing:
    names = [f"{'call' if calls else 'word'} {t + 1}" for t in range(4)]
    drawing = Drawing(f"{title}: the weights {_rounded(weights)}", 212, TOP + 120, title)
    drawing.grid(weights, 50, TOP + 18, names, [f"key {t + 1}" for t in range(4)], (40, 25), darkest=1.0)
    for t in calls:
        drawing.frame(50 + 40 * t, TOP + 18 + 25 * t, 39, 24)
    return drawing


def _rounded(grid: torch.Tensor) -> list[list[float]]:
    return [[round(number, 2) for number in row] for row in grid.tolist()]


def hiding(pieces: Any) -> list[Drawing]:
    """Ten tokens, the two drawn numbers of each, and what BERT reads and is asked for."""
    vocabulary = [*dict.fromkeys(TEXT), NONSENSE, HIDDEN]
    ids = torch.tensor([[vocabulary.index(word) for word in TEXT]])
    maskable = torch.tensor([[word not in ("[CLS]", "[SEP]") for word in TEXT]])
    select = torch.tensor([[0.02, 0.61, 0.05, 0.37, 0.12, 0.83, 0.44, 0.01, 0.76, 0.09]])
    action = torch.tensor([[0.5, 0.2, 0.34, 0.9, 0.85, 0.1, 0.7, 0.95, 0.6, 0.3]])
    random_ids = torch.full_like(ids, vocabulary.index(NONSENSE))
    read, labels = pieces.mask_tokens(ids, maskable, select, action, random_ids, vocabulary.index(HIDDEN))
    words = [vocabulary[number] for number in read[0].tolist()]
    asked = [vocabulary[number] if number >= 0 else "" for number in labels[0].tolist()]
    return [_hidden(words, asked, select[0].tolist(), action[0].tolist())]


def _hidden(read: list[str], asked: list[str], select: list[float], action: list[float]) -> Drawing:
    says = f"the text {' '.join(TEXT)} is read as {' '.join(read)}, and asked for are {', '.join(filter(None, asked))}"
    drawing = Drawing(says, 350, 20 + 24 * len(TEXT))
    heads = {"text": 33, "select": 96, "action": 146, "read as": 218, "asked for": 312}
    for name, x in heads.items():
        drawing.label(name, x, 12, "middle")
    for place, word in enumerate(TEXT):
        y = 20 + 24 * place
        colour = 1 if asked[place] else None
        drawing.box(word, 0, y, 66, 24).label(f"{select[place]:.2f}", 96, y + 16, "middle", colour)
        drawing.label(f"{action[place]:.2f}" if asked[place] else "", 146, y + 16, "middle", colour)
        drawing.box(read[place], 180, y, 76, 24, colour if read[place] != word else None)
        if asked[place]:
            drawing.arrow((258, y + 12), (274, y + 12), colour=1).box(asked[place], 276, y, 72, 24, 0)
    return drawing


MODELS = {
    "averages": LessonPicture(
        "Padding is in front, and its vector is not zero (here .10). It pulls the first text's mean far down; the "
        "masked mean does not notice it. The second text has lost its first two tokens.",
        ("pad_sequences", "masked_mean"),
        averages,
    ),
    "bridge": LessonPicture(
        "Rows: what each position reads, with what it is asked for on the right. Dark = it may look there. No position "
        "sees its answer, and all of them see the whole source except its padding.",
        ("shift_right", "causal_mask", "padding_mask"),
        bridge,
    ),
    "cache": LessonPicture(
        "The weights are the same. With a cache each call computes one row: only the framed key is new, and the keys "
        "to its left come out of the cache.",
        ("attend_with_cache",),
        cache,
    ),
    "hiding": LessonPicture(
        "A word is chosen if select is below .15; a special token never is. The action turns it into [MASK] or into "
        "nonsense, or leaves it as it is. The label is the true word in all three cases.",
        ("mask_tokens",),
        hiding,
    ),
}
