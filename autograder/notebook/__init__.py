"""The course in a notebook: %check, %hint, %explain and %show."""
