"""Pictures of chapters 3 to 6: attention, masks, heads and blocks."""

from typing import Any

import torch

from autograder.student.pictures.drawing import TOP, Drawing
from autograder.student.pictures.lesson_picture import LessonPicture

PADDED = ["‹pad›", "‹pad›", *"Ann reads old maps".split()]


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


ATTENTION = {
    "masks": LessonPicture(
        "Rows are queries, columns the same words as keys; dark = may attend. Under both masks the two framed rows "
        "are empty: they are dead.",
        ("padding_mask", "causal_mask", "combine_masks"),
        masks,
    ),
}
