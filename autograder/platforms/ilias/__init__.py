"""ILIAS: its downloads."""
