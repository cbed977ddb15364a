"""Google Classroom: what Drive lets one download of it."""
