"""What platforms let you download, and what they take back: one package each."""
