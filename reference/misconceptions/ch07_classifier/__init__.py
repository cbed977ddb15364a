"""What goes wrong in chapter 7: padding, pooling, the loss, the classifier, its accuracy and its training."""
