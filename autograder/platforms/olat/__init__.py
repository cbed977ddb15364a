"""OpenOlat: its downloads."""
