"""Pictures of an answer beside what is expected, and plots: in a terminal, a notebook, on a page, as PNG."""
