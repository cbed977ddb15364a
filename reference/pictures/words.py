"""Pictures of chapters 0 to 2: recurrence, votes and positions."""

from typing import Any

import torch

from autograder.student.pictures.drawing import TOP, Drawing
from autograder.student.pictures.lesson_picture import LessonPicture

PROGRAM = "check the program log and find out whether it ran please".split()
BATTERY = "check the battery log and find out whether it ran down please".split()


def echo(pieces: Any) -> list[Drawing]:
    """The states of the lesson's recurrent network with one number each, and what each word still does to the last."""
    words, nothing = torch.tensor([[1.0], [0.0], [0.0]]), torch.zeros(1)
    weights = torch.tensor([[1.0]]), torch.tensor([[0.5]]), nothing
    states = pieces.rnn(words[None], nothing[None], *weights)[0, :, 0].tolist()
    reached = pieces.influence(words, nothing, *weights).tolist()
    says = f"states {_listed(states)} after the words 1, 0, 0, whose influences on the last are {_listed(reached)}"
    drawing = Drawing(says, 356, 150).label("state", 0, 17).label("word", 0, 77).label("influence", 0, 133)
    for place, state in enumerate(states):
        x = 66 + 104 * place
        drawing.box(f"{state:.2f}", x, 0, 52, 26, 0).box(f"{words[place].item():g}", x, 60, 52, 26)
        drawing.arrow((x + 26, 60), (x + 26, 27))
        drawing.grid([[reached[place]]], x, 116, cell=(52, 24), darkest=1.0)
        if place:
            drawing.arrow((x - 52, 13), (x, 13), colour=0).label("× ½", x - 26, 32, "middle")
            drawing.arrow((x - 10, 128), (x - 42, 128), colour=1)
    return [drawing]


def _listed(values: list[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def votes(pieces: Any) -> list[Drawing]:
    """What each earlier word says comes after "ran": without a mask, and with the one that hears two words."""
    vocabulary = pieces.vocabulary([PROGRAM, BATTERY])
    skips = pieces.skip_matrix([PROGRAM, BATTERY], vocabulary)
    context = PROGRAM[:-1]
    features = pieces.skip_features(context, vocabulary)
    heard = pieces.one_hot(["battery", "program"], vocabulary).sum(axis=0)
    after = [vocabulary.index(word) for word in ("down", "please")]
    earlier = [vocabulary.index(word) for word in context[:-1]]
    rows = skips[earlier, vocabulary.index("ran")][:, after]  # (9, 2)
    parts = {
        "all words vote": (features, pieces.vote(context, skips, vocabulary)),
        "with the mask of ran": (features * heard, pieces.selective_vote(context, skips, heard, vocabulary)),
    }
    return [
        _vote(title, rows * active[earlier, None], total[after].tolist(), context[:-1])
        for title, (active, total) in parts.items()
    ]


def _vote(title: str, rows: Any, total: list[float], words: list[str]) -> Drawing:
    below = TOP + 16 + 20 * len(words) + 8
    says = f"{title}: {total[0]:g} votes for down, {total[1]:g} for please"
    drawing = Drawing(says, 160, below + 24, title)
    drawing.grid(rows, 62, TOP + 16, words, ("down", "please"), (48, 20), darkest=1.0)
    return drawing.grid([total], 62, below, ["together"], cell=(48, 22), darkest=max(total))


def clock(pieces: Any) -> list[Drawing]:
    """The table of sinusoidal positions, and the dot product of each two of its rows."""
    table = pieces.sinusoidal_positions(24, 16).double()
    places = [place if place % 4 == 0 else "" for place in range(24)]
    height = 24 + 12 * 24
    hands = Drawing("24 rows of 16 numbers: waves that get slower from left to right", 200, height, "row p")
    hands.grid(table, 24, TOP, places, (), (11, 12), numbered=False)
    pairs = Drawing("the product of rows p and q is the same along each diagonal", 290, height, "row p · row q")
    pairs.grid(table @ table.mT, 24, TOP, places, (), (11, 12), numbered=False)
    return [hands, pairs]


WORDS = {
    "echo": LessonPicture(
        "One number each: the state halves the one before it, adds the word, and takes the tanh. Read from the right, "
        "the influence on the last state fades by more than half at every word.",
        ("rnn", "influence"),
        echo,
    ),
    "votes": LessonPicture(
        "A row for each word before ran: what follows the two, in shares. Eight rows know nothing; the mask keeps the "
        "one that does.",
        ("vocabulary", "one_hot", "skip_matrix", "skip_features", "vote", "selective_vote"),
        votes,
    ),
    "clock": LessonPicture(
        "Blue is above 0, orange below. Left: a pair of columns is a hand, and each hand is slower than the one to its "
        "left. Right: the product of two rows depends on their distance alone, so it is the same along each diagonal.",
        ("sinusoidal_positions",),
        clock,
    ),
}
