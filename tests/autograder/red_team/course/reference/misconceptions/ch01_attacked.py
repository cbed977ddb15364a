"""No known mistakes: what is wrong here is wrong on purpose."""
