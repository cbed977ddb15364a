"""How fast, how much memory, compared with what: `make bench` measures, docs/measurements.md tells."""
