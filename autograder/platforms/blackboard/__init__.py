"""Blackboard: its downloads and its gradebook."""
