"""Pictures of chapters 3 to 6: attention, masks, heads and blocks."""

from typing import Any

import torch

from autograder.student.pictures.drawing import TOP, Drawing
from autograder.student.pictures.lesson_picture import LessonPicture

PADDED = ["‹pad›", "‹pad›", *"Ann reads old maps".split()]


def flow(pieces: Any) -> list[Drawing]:
    """One query's way through attention, in the numbers of the lesson's last section."""
    q = torch.tensor([[1.0, 0.0, 1.0, 0.0]])
    k = torch.tensor([[1.0, 1.0, 1.0, 0.0], [2.0, 0.0, 2.0, 1.0]])
    v = torch.tensor([[10.0, 0.0], [0.0, 10.0]])
    scaled = pieces.scaled_dot_scores(q, k)
    output, weights = pieces.scaled_dot_product_attention(q, k, v)
    columns = {"q · k": pieces.dot_scores(q, k), "/ √4": scaled, "softmax": pieces.softmax(scaled, -1)}
    says = f"the query of old gives old and maps the weights {_row(weights)}; its output is {_row(output)}"
    drawing = Drawing(says, 366, 176).label("query of old", 40, 13).grid(q, 40, TOP, cell=(23, 24))
    drawing.label("keys", 40, 80).grid(k, 40, 88, ("old", "maps"), cell=(23, 26)).arrow((86, 48), (86, 66))
    for place, (name, column) in enumerate(columns.items()):
        x = 150 + 50 * place
        drawing.label(name, x + 18, 80, "middle").grid(column.mT, x, 88, cell=(36, 26))
        drawing.arrow((x - 13, 114), (x, 114))
    drawing.label("values", 332, 80, "middle").grid(v, 302, 88, cell=(30, 26)).label("×", 294, 118, "middle")
    drawing.arrow((332, 140), (332, 151)).label("output of old", 292, 168, "end")
    return [drawing.grid(output, 298, 152, cell=(34, 24))]


def _row(values: torch.Tensor) -> str:
    return " and ".join(f"{value:.2f}" for value in values.flatten().tolist())


def masks(pieces: Any) -> list[Drawing]:
    """Padding in front, the future, and both: True is dark."""
    padding = pieces.padding_mask(torch.tensor([[0, 0, 5, 8, 7, 6]]), 0)  # (1, 1, 1, 6)
    causal = pieces.causal_mask(6)
    both = pieces.combine_masks(padding, causal)[0, 0]
    parts = {"padding": padding.expand(1, 1, 6, 6)[0, 0], "no future": causal, "both": both}
    return [_mask(title, mask, title == "both") for title, mask in parts.items()]


def _mask(title: str, mask: torch.Tensor, has_dead_rows: bool) -> Drawing:
    dead = f"; {int((~mask.any(-1)).sum())} rows are empty" if has_dead_rows else ""
    drawing = Drawing(f"{title}: each query may attend to {mask.sum(-1).tolist()} keys{dead}", 168, TOP + 134, title)
    drawing.grid(mask, 44, TOP, PADDED, (), (20, 22), numbered=False)
    return drawing.frame(43, TOP - 1, 6 * 20 + 1, 2 * 22 + 1) if has_dead_rows else drawing


def heads(pieces: Any) -> list[Drawing]:
    """The columns of three words cut into two heads, and what a view in the place of that mixes; colours are words."""
    x = torch.tensor([[[10 * word + column for column in range(6)] for word in range(3)]])  # (1, 3, 6)
    whole = Drawing("three words of six columns each", 230, TOP + 78, "x: 3 words, D = 6")
    _words_in(whole, x[0], 48, TOP, ("it", "was", "hungry"))
    parts = {"split_heads(x, 2)": pieces.split_heads(x, 2)[0], "x.view(1, 2, 3, 3)": x.view(1, 2, 3, 3)[0]}
    return [whole, *(_heads(title, grids) for title, grids in parts.items())]


def _heads(title: str, grids: torch.Tensor) -> Drawing:
    drawing = Drawing(f"{title}: head 0 holds {grids[0].tolist()}", 210, TOP + 96, title)
    for head, grid in enumerate(grids):
        _words_in(drawing.label(f"head {head}", 110 * head, TOP + 11), grid, 110 * head, TOP + 18)
    return drawing


def _words_in(drawing: Drawing, grid: torch.Tensor, x: float, y: float, names: tuple[str, ...] = ()) -> None:
    for row, line in enumerate(grid.tolist()):
        if names:
            drawing.label(names[row], x - 6, y + 25 * row + 16, "end")
        drawing.tokens([f"{number:02d}" for number in line], x, y + 25 * row, 30, [number // 10 for number in line])


def residuals(_: Any) -> list[Drawing]:
    """The two orders of a block; the path from x to the end is drawn in colour."""
    return [_block("post-norm", ("attention", "+", "norm 1")), _block("pre-norm", ("norm 1", "attention", "+"))]


def _block(title: str, order: tuple[str, ...]) -> Drawing:
    second = [{"attention": "FFN", "norm 1": "norm 2"}.get(part, part) for part in order]
    drawing = Drawing(f"{title}: x, then {', '.join((*order, *second))}", 160, 296, title)
    drawing.label("x", 20, TOP + 14, "middle")
    y = _sublayer(drawing, order, TOP + 20)
    y = _sublayer(drawing, tuple(second), y)
    return drawing.label("out", 20, y + 12, "middle")


def _sublayer(drawing: Drawing, order: tuple[str, ...], y: float) -> float:
    """Draw a sublayer beside the path at x = 20, and return where the path is below it."""
    before = order.index("+")
    beside, after = order[:before], order[before + 1 :]
    bottom = y + 34 * len(beside) + 14
    drawing.arrow((20, y), (20, bottom), colour=0).arrow((20, y + 6), (95, y + 6), (95, y + 16))
    for place, part in enumerate(beside):
        top = y + 16 + 34 * place
        drawing.box(part, 55, top, 80, 24, 2 if "norm" in part else None)
        if place:
            drawing.arrow((95, top - 10), (95, top))
    drawing.arrow((95, bottom - 8), (95, bottom + 10), (30, bottom + 10)).box("+", 10, bottom, 20, 20)
    bottom += 20
    for part in after:
        drawing.arrow((20, bottom), (20, bottom + 14), colour=0).box(part, 0, bottom + 14, 62, 24, 2)
        bottom += 38
    drawing.arrow((20, bottom), (20, bottom + 14), colour=0)
    return bottom + 14


ATTENTION = {
    "flow": LessonPicture(
        "Follow the query of old: two scores, halved because √4 = 2, two weights that sum to 1, and the values mixed "
        "by them.",
        ("softmax", "dot_scores", "scaled_dot_scores", "scaled_dot_product_attention"),
        flow,
    ),
    "masks": LessonPicture(
        "Rows are queries, columns the same words as keys; dark = may attend. Under both masks the two framed rows "
        "are empty: they are dead.",
        ("padding_mask", "causal_mask", "combine_masks"),
        masks,
    ),
    "heads": LessonPicture(
        "A number's first digit is its word, its second the column; a colour is a word. Cut correctly, every head has "
        "a row for each word. The view has the right shape, and its head 0 has never heard of hungry.",
        ("split_heads",),
        heads,
    ),
    "residuals": LessonPicture(
        "The blue path is what a word keeps. On the left it goes through two norms in every block, on the right "
        "through none.",
        (),
        residuals,
    ),
}
