"""What goes wrong in chapter 16: a step, a score, the loop, reading curves, counting costs, a straight line on logs."""
