"""What goes wrong in chapter 14: inputs on which broken parts look whole."""
