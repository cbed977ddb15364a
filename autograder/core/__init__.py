"""What every other package may use: errors, records, texts, files."""
