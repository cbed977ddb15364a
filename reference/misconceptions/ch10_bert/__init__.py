"""What goes wrong in chapter 10: words and spans hidden wrongly, pairs and losses, BERT and its frozen self."""
