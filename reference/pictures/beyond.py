"""Pictures of chapters 11 to 15: patches, mixing, the names of heads, probes and pieces of words."""

from typing import Any

import torch

from autograder.student.pictures.drawing import TOP, Drawing
from autograder.student.pictures.lesson_picture import LessonPicture

TOKENS = "[CLS] the cat [SEP] the dog [SEP]".split()
SENTENCES = [0, 0, 0, 0, 1, 1, 1]
COUNTED = {"read": 4, "reader": 3, "leader": 2}


def patches(pieces: Any) -> list[Drawing]:
    """A bright disc, cut into six patches, and these as rows."""
    row, column = torch.meshgrid(torch.arange(8), torch.arange(12), indexing="ij")
    disc = (-((row - 3.5) ** 2 + (column - 4.5) ** 2) / 9).exp()
    rows = pieces.patchify(disc[None, None], 4)[0]  # (6, 16)
    picture = Drawing("a picture of 8 x 12 pixels, cut into two rows of three patches", 220, TOP + 146, "8 × 12 pixels")
    picture.grid(disc, 1, TOP + 1, cell=(18, 18), numbered=False, darkest=1.0)
    for number in range(6):
        x, y = 1 + 72 * (number % 3), TOP + 1 + 72 * (number // 3)
        picture.frame(x, y, 71, 71).badge(str(number), x + 3, y + 3)
    words = Drawing("the same as six rows of 16 numbers", 290, TOP + 146, "6 rows of 16 numbers")
    names = [f"patch {number}" for number in range(6)]
    return [picture, words.grid(rows, 52, TOP + 1, names, (), (14, 24), numbered=False, darkest=1.0)]


def mixers(pieces: Any) -> list[Drawing]:
    """The matrix that each kind of mixing multiplies eight positions with."""
    filters = torch.tensor([[0.25, 0.5, 0.25]])
    waves = pieces.fourier_mixing(torch.eye(8)[..., None])[..., 0].mT  # column j is what position j becomes
    x = torch.tensor([[2.0, 0], [0, 2], [2, 1], [0, 0], [0, 2], [1, 2], [2, 0], [1, 1]])
    _, attention = pieces.scaled_dot_product_attention(x, x, x)
    grids = {"attention": attention, "convolution, K = 3": pieces.filter_matrix(filters, 8)[0], "Fourier": waves}
    return [
        Drawing(f"{title}: a matrix of 8 x 8 weights", 150, TOP + 146, title).grid(
            grid, 2, TOP + 1, cell=(18, 18), numbered=False
        )
        for title, grid in grids.items()
    ]


def patterns(pieces: Any) -> list[Drawing]:
    """Four heads with a pattern of their own and a little of everything else, under the names that they get."""
    special = torch.tensor([[word.startswith("[") for word in TOKENS]]).float()
    pure = {
        "next": torch.eye(7).roll(1, 1),
        "previous": torch.eye(7).roll(-1, 1),
        "same_word": torch.tensor([[float(one == other) for other in TOKENS] for one in TOKENS]),
        "special": special.expand(7, 7),
    }
    return [_head(pieces, pattern, grid / grid.sum(-1, keepdim=True) * 0.8 + 0.2 / 7) for pattern, grid in pure.items()]


def _head(pieces: Any, pattern: str, weights: torch.Tensor) -> Drawing:
    scores = pieces.pattern_scores(weights, TOKENS, SENTENCES, ("[CLS]", "[SEP]"))
    title = f"{pieces.name_head(scores)} {scores[pattern]:.2f}"
    return Drawing(f"a head named {title}", 164, TOP + 128, title).grid(
        weights, 42, TOP, TOKENS, (), (17, 18), numbered=False
    )


def probes(pieces: Any) -> list[Drawing]:
    """The right softmax and one along the wrong axis, on scores that hide the mistake and on scores that show it."""
    parts = {"a blind probe": [[2.0, 0, 1], [0, 1, 2], [1, 2, 0]], "a sharp probe": [[2.0, 0, 1], [3, 0, 0], [1, 1, 0]]}
    return [_probe(pieces, title, torch.tensor(scores)) for title, scores in parts.items()]


def _probe(pieces: Any, title: str, scores: torch.Tensor) -> Drawing:
    right, wrong = pieces.softmax(scores, -1), pieces.softmax(scores, -2)
    same = "the same" if torch.allclose(right, wrong) else "different"
    grids = {"scores": scores, "over keys": right, "over queries": wrong}
    drawing = Drawing(f"{title}: the two softmaxes give {same} numbers", 344, TOP + 122, title)
    for place, (name, grid) in enumerate(grids.items()):
        drawing.label(name, 118 * place + 53, TOP + 13, "middle")
        drawing.grid(grid, 118 * place, TOP + 20, cell=(36, 25), darkest=scores.max().item() if not place else 1.0)
    colour = 0 if same == "the same" else 1
    return drawing.label(f"{'=' if not colour else '≠'} {same}", 230, TOP + 116, "middle", colour)


def merges(pieces: Any) -> list[Drawing]:
    """The lesson's three words after each merge, and a word that was never seen."""
    learned = pieces.learn_merges(COUNTED, 4)
    drawing = Drawing(f"the merges {', '.join(' '.join(pair) for pair in learned)}", 350, 30 + 34 * 5)
    for x, word in ((66, "reader"), (220, "bread")):
        drawing.label(word if word in COUNTED else f"{word}, never seen", x, 14)
    for step in range(5):
        y = 24 + 34 * step
        drawing.label(" + ".join(learned[step - 1]) if step else "letters", 0, y + 16)
        for x, word in ((66, "reader"), (220, "bread")):
            for piece in pieces.apply_merges(word, learned[:step]):
                drawing.box(piece, x, y, 22 * len(piece), 24, 0 if len(piece) > 1 else None)
                x += 22 * len(piece)
    return [drawing]


BEYOND = {
    "patches": LessonPicture(
        "A patch is a square of the picture and a row of the sequence. Its 16 numbers lie in four places of memory, "
        "which no reshape alone can bring together.",
        ("patchify",),
        patches,
    ),
    "mixers": LessonPicture(
        "Row t shows what position t is mixed from; blue is above 0, orange below. Only attention's matrix would be "
        "another one for another text.",
        ("scaled_dot_product_attention", "filter_matrix", "fourier_mixing"),
        mixers,
    ),
    "patterns": LessonPicture(
        "Rows are queries, columns the same tokens as keys. Four fifths of each head follow its pattern, the rest goes "
        "everywhere. Above each: the name that it gets, and the score that earned it.",
        ("pattern_scores", "name_head"),
        patterns,
    ),
    "probes": LessonPicture(
        "In the blind probe every row and every column holds the same three scores in a symmetric order, so that a "
        "softmax along the wrong axis gives the right numbers.",
        ("softmax",),
        probes,
    ),
    "merges": LessonPicture(
        "A row for each merge, learned from read, reader and leader. The same merges cut bread in two.",
        ("learn_merges", "apply_merges"),
        merges,
    ),
}
