"""Tools of a student: a working copy and hints."""
