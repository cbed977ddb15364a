"""What goes wrong in chapter 13: heads scored by pattern, named, their entropy taken, layers rolled out."""
