"""The course as an autograder of Gradescope: the zip, what runs for each submission, and its results.json."""
