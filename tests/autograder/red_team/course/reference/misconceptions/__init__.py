"""What is wrong: nothing that is known by name."""
