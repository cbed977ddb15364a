"""VPL, the programming activity of Moodle: its downloads."""
