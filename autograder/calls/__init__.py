"""One call of an answer, made and observed."""
