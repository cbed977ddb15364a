"""Answers with objects whose classes bear the names of data."""

# expects: failed

kinds = [type(name, (), {}) for name in ("tensor", "array", "list", "tuple", "dict", "float", "None")]


def soften(x):
    kinds.append(kinds.pop(0))
    return kinds[-1]()
