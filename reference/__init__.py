"""What is right: the oracle of every chapter, in plain PyTorch and NumPy."""
