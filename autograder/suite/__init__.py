"""What a graded suite imports: the marker and the fixtures' types."""

from autograder.suite.agree import Agree
from autograder.suite.draw import Draw
from autograder.suite.marks import exercise
from autograder.suite.student import Student

__all__ = ["Agree", "Draw", "Student", "exercise"]
