"""What goes wrong in chapter 3: softmax, scores, attention."""
