"""Computes in half the precision."""

# expects: failed
# earns: 0.75


def soften(x):
    grown = x.float().exp()
    return (grown / grown.sum(-1, keepdim=True)).to(x.dtype)
