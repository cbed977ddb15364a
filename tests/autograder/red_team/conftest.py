"""The hostile submissions are run by `test_red_team.py`, and nothing here is a test."""

collect_ignore = ["course"]
