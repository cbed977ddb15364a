"""Right answers to `adamw_step`."""

import math

import numpy as np
import torch


# %% in_one_line
def adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    m, v = torch.lerp(g, m, beta1), torch.lerp(g * g, v, beta2)
    return p - lr * (decay * p + m / (1 - beta1**step) / (torch.sqrt(v / (1 - beta2**step)) + eps)), m, v


# %% as_torch_does
def adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    p, m, v = p.clone(), m.clone(), v.clone()
    p.mul_(1 - lr * decay)
    m.lerp_(g, 1 - beta1)
    v.mul_(beta2).addcmul_(g, g.conj(), value=1 - beta2)
    denominator = (v.sqrt() / (1 - beta2**step) ** 0.5).add_(eps)
    p.addcdiv_(m, denominator, value=-lr / (1 - beta1**step))
    return p, m, v


# %% foreach
def adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    old, new = [m, v], [g, g.pow(2)]
    kept = torch._foreach_mul(old, [beta1, beta2])
    shares = torch._foreach_mul(new, [1.0 - beta1, 1.0 - beta2])
    m, v = torch._foreach_add(kept, shares)
    first, second = torch._foreach_div([m, v], [1 - beta1**step, 1 - beta2**step])
    return p * (1 - lr * decay) - lr * first / (second.sqrt() + eps), m, v


# %% own_class
class Mean:
    """A running mean that began at zero."""

    def __init__(self, value, share):
        self.value, self.share = value, share

    def take(self, new):
        return Mean(self.value + (1 - self.share) * (new - self.value), self.share)

    def corrected(self, count):
        return self.value / (1 - math.pow(self.share, count))


def adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    first, second = Mean(m, beta1).take(g), Mean(v, beta2).take(torch.square(g))
    size = second.corrected(step).pow(0.5) + eps
    shrunk = p - p * lr * decay
    return shrunk.sub(first.corrected(step) / size, alpha=lr), first.value, second.value


# %% with_numpy
def adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    betas = np.array([beta1, beta2])
    c1, c2 = (1 - betas**step).tolist()
    with torch.no_grad():
        new_m = m * beta1 + g * (1 - beta1)
        new_v = v * beta2 + g * g * (1 - beta2)
        new_p = torch.mul(p, 1 - lr * decay)
        new_p -= lr * (new_m / c1) / ((new_v / c2) ** 0.5 + eps)
    return new_p, new_m, new_v
