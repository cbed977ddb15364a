"""What goes wrong in chapter 6: layer norm, feed-forward networks, dropout, and the blocks made of them."""
