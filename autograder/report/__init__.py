"""What a graded class is shown as: pages, tables, analysis."""
