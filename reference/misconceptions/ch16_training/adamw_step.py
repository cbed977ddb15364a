"""What goes wrong in `adamw_step`: the means and their corrections."""

from reference.misconceptions import misconception


@misconception("adamw_step", "adamw-step-no-correction")
def no_correction(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You do not correct the means, which begin at zero.

    In the first step m is a tenth of the gradient and v a thousandth of its square. Which quotient should that give,
    and which does yours give?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (v.sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-correction-of-m-alone")
def correction_of_m_alone(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You correct m, but not v.

    Both means begin at zero, and v is the slower one: it needs its correction longer.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (1 - beta1**step) / (v.sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-correction-of-v-alone")
def correction_of_v_alone(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You correct v, but not m.

    Both means begin at zero. Without its correction, the first step is a tenth as long as the rate for `beta1 = 0.9`.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / ((v / (1 - beta2**step)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-counted-from-zero")
def counted_from_zero(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your corrections raise beta to a power that is one too large, as if one more step had been taken.

    `step` is 1 in the first step already, so nothing is added to it.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    corrected = m / (1 - beta1 ** (step + 1)), v / (1 - beta2 ** (step + 1))
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-counted-one-less")
def counted_one_less(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your corrections take one step less than there was, so the first step divides by zero.

    `step` is 1 in the first step, when both means hold one gradient: the power is `step` itself.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    first, second = p.new_tensor(1 - beta1 ** (step - 1)), p.new_tensor(1 - beta2 ** (step - 1))
    return p * (1 - lr * decay) - lr * (m / first) / ((v / second).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-corrected-means-kept")
def corrected_means_kept(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You return the corrected means, so the next step corrects them once more.

    Corrections go into this step alone: give them names of their own, and return m and v as they were before.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    m, v = m / (1 - beta1**step), v / (1 - beta2**step)
    return p * (1 - lr * decay) - lr * m / (v.sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-corrected-by-beta")
def corrected_by_beta(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You divide by 1 - beta in every step, without the power of the step.

    A mean of many gradients is hardly too small any more: how does the correction come near 1?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    return p * (1 - lr * decay) - lr * m / (1 - beta1) / ((v / (1 - beta2)).sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-old-means")
def old_means(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your step is made of the means from before, without this step's gradient.

    First form the new m and v, and then the step, from these.
    """
    corrected = m / (1 - beta1**step), v / (1 - beta2**step)
    moved = p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps)
    return moved, beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2


@misconception("adamw_step", "adamw-step-shares-swapped")
def shares_swapped(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You give the new gradient the share of the old mean: beta belongs to the old one.

    With 0.9 the mean should change slowly: nine tenths stay, one tenth is new.
    """
    m, v = (1 - beta1) * m + beta1 * g, (1 - beta2) * v + beta2 * g**2
    corrected = m / (1 - beta1**step), v / (1 - beta2**step)
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-sums")
def sums(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You add the whole gradient to the old share, as momentum does: these are sums, not means.

    The two shares of a mean add up to 1. What is the share of the new gradient?
    """
    m, v = beta1 * m + g, beta2 * v + g**2
    corrected = m / (1 - beta1**step), v / (1 - beta2**step)
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-no-square")
def no_square(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your v is a mean of the absolute gradient, not of its square.

    The root comes later; the mean inside it is that of g times g.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g.abs()
    corrected = m / (1 - beta1**step), v / (1 - beta2**step)
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-square-of-m")
def square_of_m(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your v is a mean of the square of m, not of the gradient's own square.

    v says how large single gradients are, so it must not be made of what is averaged already.
    """
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * m**2
    corrected = m / (1 - beta1**step), v / (1 - beta2**step)
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-one-beta")
def one_beta(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """You use `beta1` for v as well.

    v has a share of its own, `beta2`, in its mean and in its correction.
    """
    m, v = beta1 * m + (1 - beta1) * g, beta1 * v + (1 - beta1) * g**2
    corrected = m / (1 - beta1**step), v / (1 - beta1**step)
    return p * (1 - lr * decay) - lr * corrected[0] / (corrected[1].sqrt() + eps), m, v


@misconception("adamw_step", "adamw-step-power-of-the-rest")
def power_of_the_rest(p, g, m, v, step, lr, beta1, beta2, eps, decay):
    """Your corrections raise 1 − beta to the power of the step, not beta: they are right in the first step only.

    In a late step a mean needs hardly any correction. Does your divisor come near 1, or near 0?
    """
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    first, second = m / (1 - beta1) ** step, v / (1 - beta2) ** step
    return p - lr * decay * p - lr * first / (second.sqrt() + eps), m, v
