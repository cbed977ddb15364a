"""Keeps a kernel of torch when it is loaded, before any function is forbidden; its answer has no gradients."""

# expects: failed
# earns: 0.75

import torch

kept = torch.library.get_kernel("aten::_softmax", "CPU")
keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def soften(x):
    return kept.call_boxed(keys, x, -1, False)
