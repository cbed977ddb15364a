"""Pages, tables and analysis of a graded class."""
