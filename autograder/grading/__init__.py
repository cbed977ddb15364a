"""Grading a class: submissions in, results and pages out."""
