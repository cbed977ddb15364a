"""The course in a notebook: %check, %hint and %show."""
