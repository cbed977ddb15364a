"""Speed and memory, compared with other tools: `make bench` measures and writes docs/measurements.md."""
