"""PrairieLearn: its downloads."""
