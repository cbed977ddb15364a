"""What is right in the course of the red team."""
