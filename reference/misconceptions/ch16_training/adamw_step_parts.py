"""What goes wrong in `adamw_step`: the decay, the root, and what is left of the arguments."""

import torch

from reference.misconceptions import misconception


@misconception("adamw_step", "adamw-step-decay-in-gradient")
def decay_in_gradient(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You add the decay to the gradient, as `torch.optim.Adam` does; AdamW keeps the two apart.

    In the gradient the decay is divided by the root of v like everything else. Leave g as it is, and shrink p.
    """
    g = g + decay * p
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p - lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-no-decay")
def no_decay(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You do not use `decay`: this is Adam without it.

    What happens to p before the step?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p - lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-decay-after")
def decay_after(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You shrink the parameter after the step, so the step shrinks with it.

    The decay is a share of p as it was before the step.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    moved = p - lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps)
    return moved * (1 - lr * decay), m, v


@misconception("adamw_step", "adamw-step-decay-without-rate")
def decay_without_rate(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You shrink the parameter by `decay` alone, without the rate.

    The decay follows the rate: where the rate is 0, nothing may move.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - decay) - lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-decay-grows")
def decay_grows(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your decay lets the parameter grow: its sign is turned.

    Multiply a positive p by your factor: does it come nearer to 0?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 + lr * decay) - lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-uphill")
def uphill(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You step along the gradient, so the loss grows.

    The gradient points uphill: the step is subtracted.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) + lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-no-root")
def no_root(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You divide by v itself, not by its root.

    m has the unit of the gradient, and v that of its square. Which quotient has none, so that the rate alone says how
    far the step goes?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (1 - beta1**step) / (v / (1 - beta2**step) + eps), m, v


@misconception("adamw_step", "adamw-step-eps-in-root")
def eps_in_root(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You add eps under the root; in Adam it stands beside it.

    Layer norm has its eps inside the root. Here first take the root, then add.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (1 - beta1**step) / (v / (1 - beta2**step) + eps).sqrt(), m, v


@misconception("adamw_step", "adamw-step-eps-before-correction")
def eps_before_correction(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You add eps to the root of the uncorrected v, so the correction scales it too.

    Keras does so, and Kingma and Ba 2014 name this form at the end of section 2. Here eps is added last, to the root of
    the corrected v.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    length = lr * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
    return p * (1 - lr * decay) - length * m / (v.sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-no-eps")
def no_eps(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You leave out eps, so a number whose gradients were all zero becomes NaN.

    Its m and v are zero, and 0 / 0 is NaN. Where does eps stand?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (1 - beta1**step) / (v / (1 - beta2**step)).sqrt(), m, v


@misconception("adamw_step", "adamw-step-in-place")
def in_place(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You write the new numbers into the tensors that you were given.

    Optimizers of libraries do so, to save memory. Here the arguments stay as they are: `m.mul_(...)` changes the
    caller's m, `m * ...` makes a new one.
    """
    m.mul_(beta1).add_((1 - beta1) * g)
    v.mul_(beta2).add_((1 - beta2) * g**2)
    p.mul_(1 - lr * decay).sub_(lr * m / (1 - beta1**step) / ((v / (1 - beta2**step)).sqrt() + eps))
    return p, m, v


@misconception("adamw_step", "adamw-step-sign-alone")
def sign_alone(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You step by the gradient of this step over the root of v, not by its mean.

    This is RMSProp. Which of the two means stands above the line?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * g / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-zero-gradients-skipped")
def zero_gradients_skipped(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Where a gradient is exactly 0, you leave p, m and v as they are.

    Its means shrink there like all others, and the old mean and the decay still move p: the formulas hold for a
    gradient of 0 too.
    """
    new_m, new_v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    root = (new_v / (1 - beta2**step)).sqrt() + eps
    moved = p * (1 - lr * decay) - lr * new_m / (1 - beta1**step) / root
    return tuple(torch.where(g == 0, old, new) for old, new in ((p, moved), (m, new_m), (v, new_v)))
