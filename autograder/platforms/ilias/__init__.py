"""ILIAS: its downloads and its status file."""
