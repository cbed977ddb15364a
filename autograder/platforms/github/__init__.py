"""GitHub Classroom: its downloads, and the workflow that checks each push."""
