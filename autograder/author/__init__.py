"""Tools of an author: what is built from a chapter's source, and how a chapter begins."""
