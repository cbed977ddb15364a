"""A process with torch loaded, in which `attend check` runs at once: `attend warm` starts it."""
