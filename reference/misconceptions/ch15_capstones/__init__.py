"""What goes wrong in chapter 15: words and pieces of words, and what a run needs to begin, to last and to end."""
