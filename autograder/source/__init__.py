"""Python files and notebooks read as text, without running them."""
