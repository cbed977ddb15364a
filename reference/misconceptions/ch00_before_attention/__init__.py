"""What goes wrong in chapter 0: recurrence, influence, the first attention."""
