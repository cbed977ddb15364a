"""What a course is made of, and what its words mean."""
