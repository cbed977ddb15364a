"""Brightspace (D2L): its downloads and its grades."""
