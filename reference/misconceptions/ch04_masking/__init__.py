"""What goes wrong in chapter 4: masks, and what a softmax makes of them."""
