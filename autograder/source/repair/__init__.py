"""Changes of a student's own text that may make it right."""
