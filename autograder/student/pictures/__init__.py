"""Pictures of an answer beside what is expected: on the terminal, as PNG, in a notebook, and on a page."""
