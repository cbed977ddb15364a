"""Pictures of an answer beside what is expected: on the terminal, as PNG, and in a notebook."""

from autograder.pictures.notebook import show

__all__ = ["show"]
