"""What goes wrong in chapter 12: convolutions, their matrices, the Fourier transform, a network across positions."""
