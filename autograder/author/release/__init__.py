"""Make a release to hand out: a folder, and an archive of it, with everything that a student needs."""
