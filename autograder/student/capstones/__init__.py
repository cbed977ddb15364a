"""The learner's own pieces, trained: recipes, data, the loop, and what it leaves behind."""
