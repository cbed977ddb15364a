"""The sandbox target: a student's code runs in a walled process of its own and answers with data."""
