"""Canvas: its downloads and its gradebook."""
