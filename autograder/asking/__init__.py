"""Questions about a student's own answer, each with one right choice that was found by running it."""
