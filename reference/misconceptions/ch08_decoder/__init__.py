"""What goes wrong in chapter 8: the decoder, the whole model, its loss and its writing."""
