"""What goes wrong in chapter 5: axes cut, exchanged and joined wrongly, and heads that look at the wrong thing."""
