"""Moodle: its downloads and its worksheets."""
