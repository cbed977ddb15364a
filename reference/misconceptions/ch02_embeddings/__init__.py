"""What goes wrong in chapter 2: words and positions as vectors."""
