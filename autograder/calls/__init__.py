"""Calls of an answer, made and observed."""
