"""Microsoft Teams: its downloads."""
