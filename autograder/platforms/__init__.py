"""Course platforms: what each lets you download, and what it takes back."""
