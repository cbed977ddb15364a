"""The commands of students, instructors and authors: thin wrappers that parse, call and print."""
