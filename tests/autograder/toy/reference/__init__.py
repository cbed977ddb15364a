"""What is right in the toy course."""
