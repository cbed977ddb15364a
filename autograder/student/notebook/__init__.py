"""The course in a notebook: %check, %hint, %explain, %show and %train."""
