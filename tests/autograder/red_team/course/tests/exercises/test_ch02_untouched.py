"""Checks of the exercise that must stay untouched."""

from autograder.suite import Agree, Draw, exercise


@exercise("double", points=2, level="values")
def test_every_number_is_doubled(agree: Agree, draw: Draw) -> None:
    """every number of x is doubled"""
    agree(draw("B T D"))


@exercise("double", points=1, level="edges")
def test_gradients_reach_x(agree: Agree, draw: Draw) -> None:
    """gradients flow to x"""
    agree(draw("B D"), gradients=True)
