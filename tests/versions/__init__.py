"""Runs the tests on each Python of this machine, and writes down where they ran: `make versions`."""
