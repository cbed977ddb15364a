"""Sakai: its downloads and its file of grades."""
