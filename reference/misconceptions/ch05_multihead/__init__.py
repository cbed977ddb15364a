"""What goes wrong in chapter 5: axes cut, swapped and joined wrongly, and heads that look at the wrong thing."""
