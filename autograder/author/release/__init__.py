"""What an instructor hands out: a folder, and an archive of it, that a student needs nothing else for."""
