"""What goes wrong in chapter 1: counting across ends, dividing by the wrong sum, pulling out columns."""
