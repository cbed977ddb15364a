"""Attend: an auto-graded course on Transformers."""

__version__ = "0.1.0"
