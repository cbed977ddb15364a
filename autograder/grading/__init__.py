"""Grade a class: submissions in, results and pages out."""
