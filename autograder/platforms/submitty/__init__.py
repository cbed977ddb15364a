"""Submitty: its downloads."""
