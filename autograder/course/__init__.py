"""The parts of a course: chapters, exercises, known mistakes."""
