"""Replaces functions of torch for everybody, and hooks every module."""

# expects: failed

import torch

torch.nn.functional.softmax = torch.exp = lambda x, *_, **__: 0 * x
torch.nn.Module.__call__ = lambda self, *_: 0
torch.nn.modules.module.register_module_forward_pre_hook(lambda *_: None)


def soften(x):
    return torch.exp(x)
