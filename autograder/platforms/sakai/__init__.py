"""Sakai: its downloads."""
