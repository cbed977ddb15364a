"""OLAT and OpenOLAT: their downloads and their table of an assessment."""
