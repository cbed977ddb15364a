"""What goes wrong in chapter 9: labels, the language model, its perplexity, its choices, its writing, its cache."""
