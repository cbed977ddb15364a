"""A class beside its code: who handed in what and when, and what grade comes of it."""
