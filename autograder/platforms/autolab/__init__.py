"""Autolab: its downloads."""
