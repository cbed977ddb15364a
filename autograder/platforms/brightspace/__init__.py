"""Brightspace: its downloads."""
