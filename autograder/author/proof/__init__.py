"""Prove that the grader can be trusted: mutants, right answers, names; authors run this, and grading never does."""
