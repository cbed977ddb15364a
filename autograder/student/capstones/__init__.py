"""Models of the student's own pieces: recipes, data, the training loop, and the report."""
