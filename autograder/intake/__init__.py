"""Archives and folders become submissions."""
