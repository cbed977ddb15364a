"""People, groups, policy and grades: everything about a class except its code."""
