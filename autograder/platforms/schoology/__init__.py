"""Schoology: its downloads."""
