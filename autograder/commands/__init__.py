"""The commands, by who gives them: thin wrappers that parse, call and print."""
