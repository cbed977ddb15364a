"""Errors, records, texts and files: every other package may import these."""
