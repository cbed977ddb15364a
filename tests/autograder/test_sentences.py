"""The sentences of docstrings: what is one, and how the list of their checks is kept."""

from __future__ import annotations

from autograder.author.sentences import CONVENTIONS, FOLDER, brought_up_to_date, held, sentences_of
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER

SOURCE = '''
class Layer:
    """A layer. It has one norm.

    Args:
        width: D, of x
            and of y. At least 1.
        rate, seed: of dropout.

    Source: Vaswani (2017). Section 3.
    """

    def forward(self, x):
        """Apply it to x.

        Returns:
            y (B, D); a mean e.g. of x (Vaswani et al. 2017, eq. 3).

        Raises:
            ValueError: D is wrong.
            `TypeError`: x is none.
        """

    def _own(self):
        pass


def other():
    """Something else."""
'''


def test_arguments_results_and_errors_are_sentences_of_their_own_and_sources_are_none() -> None:
    assert sentences_of(SOURCE, "Layer") == [
        "A layer.",
        "It has one norm.",
        "width: D, of x and of y.",
        "At least 1.",
        "rate, seed: of dropout.",
        "Apply it to x.",
        "y (B, D); a mean e.g. of x (Vaswani et al. 2017, eq. 3).",
        "ValueError: D is wrong.",
        "`TypeError`: x is none.",
    ]
    assert sentences_of(SOURCE, "missing") == []


def test_new_sentences_wait_for_their_checks_and_what_is_gone_is_left_out(toy_copy: Course) -> None:
    path = toy_copy.root / FOLDER / f"{CHAPTER}.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[double]\n"x: any shape." = ["test_a"]\n"Gone." = ["test_b"]\nconventions = ["test_c"]\n')
    path.write_text(brought_up_to_date(toy_copy, CHAPTER), encoding="utf-8")
    written = held(toy_copy, CHAPTER)["double"]
    assert written["x: any shape."] == ["test_a"]
    assert written[CONVENTIONS] == ["test_c"]
    assert "Gone." not in written
    assert written["Twice every number of `x`."] == []
    assert path.read_text(encoding="utf-8") == brought_up_to_date(toy_copy, CHAPTER)
