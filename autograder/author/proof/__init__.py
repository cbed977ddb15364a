"""Proof that the grader can be trusted: mutants, right answers, names; run by authors, never while grading."""
