"""One judge, many judges, and many machines."""
