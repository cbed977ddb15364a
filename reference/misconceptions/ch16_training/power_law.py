"""What goes wrong in `power_law`."""

import numpy as np

from reference.misconceptions import misconception


@misconception("power_law", "power-law-sign-of-b")
def sign_of_b(sizes, losses):
    """You return the slope itself; b is minus the slope.

    The line falls, so its slope is below 0, while in `size^-b` the sign is written already.
    """
    x, y = np.log(sizes), np.log(losses)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(slope)


@misconception("power_law", "power-law-log-a")
def log_a(sizes, losses):
    """You return the logarithm of a.

    The height of the line is log a: which function undoes the logarithm that you took?
    """
    x, y = np.log(sizes), np.log(losses)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(y.mean() - slope * x.mean()), float(-slope)


@misconception("power_law", "power-law-two-bases")
def two_bases(sizes, losses):
    """You take logarithms with base 10 and go back with base e.

    Any base will do, as long as it is the same both ways.
    """
    slope, height = np.polyfit(np.log10(sizes), np.log10(losses), 1)
    return float(np.exp(height)), float(-slope)


@misconception("power_law", "power-law-two-bases-back")
def two_bases_back(sizes, losses):
    """You take logarithms with base e and go back with base 10.

    Any base will do, as long as it is the same both ways.
    """
    slope, height = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(10**height), float(-slope)


@misconception("power_law", "power-law-mixed-bases")
def mixed_bases(sizes, losses):
    """You take logarithms with base 10 of the sizes and with base e of the losses.

    The slope is a quotient of two logarithms: both need the same base.
    """
    slope, height = np.polyfit(np.log10(sizes), np.log(losses), 1)
    return float(np.exp(height)), float(-slope)


@misconception("power_law", "power-law-no-logarithms")
def no_logarithms(sizes, losses):
    """You fit a straight line to sizes and losses themselves.

    On plain paper a power law is curved. Of what is it a straight line?
    """
    slope, height = np.polyfit(sizes, losses, 1)
    return float(height), float(-slope)


@misconception("power_law", "power-law-log-size-alone")
def log_size_alone(sizes, losses):
    """You take the logarithm of the sizes alone.

    The law is a straight line only where both axes are logarithmic.
    """
    slope, height = np.polyfit(np.log(sizes), losses, 1)
    return float(height), float(-slope)


@misconception("power_law", "power-law-log-loss-alone")
def log_loss_alone(sizes, losses):
    """You take the logarithm of the losses alone: that fits an exponential.

    The law is a straight line only where both axes are logarithmic.
    """
    slope, height = np.polyfit(sizes, np.log(losses), 1)
    return float(np.exp(height)), float(-slope)


@misconception("power_law", "power-law-turned")
def turned(sizes, losses):
    """You fit the sizes as a function of the losses.

    The loss is what the law predicts, so its distance from the line counts: which comes first in the fit?
    """
    slope, height = np.polyfit(np.log(losses), np.log(sizes), 1)
    return float(np.exp(height)), float(-slope)


@misconception("power_law", "power-law-turned-back")
def turned_back(sizes, losses):
    """You fit the sizes as a function of the losses, and turn the line round afterwards.

    That makes the distances along the size small. The law predicts the loss, so its distances count.
    """
    slope, height = np.polyfit(np.log(losses), np.log(sizes), 1)
    return float(np.exp(-height / slope)), float(-1 / slope)


@misconception("power_law", "power-law-ends-alone")
def ends_alone(sizes, losses):
    """You draw the line through the first and the last point alone.

    All points count in least squares, and they come in any order.
    """
    slope = np.log(losses[-1] / losses[0]) / np.log(sizes[-1] / sizes[0])
    return float(losses[0] / sizes[0] ** slope), float(-slope)


@misconception("power_law", "power-law-a-of-first")
def a_of_first(sizes, losses):
    """Your line has the right slope, but goes through the first point, not through the mean.

    The line of least squares goes through the mean of x and the mean of y.
    """
    slope, _ = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(losses[0] / sizes[0] ** slope), float(-slope)


@misconception("power_law", "power-law-through-origin")
def through_origin(sizes, losses):
    """You leave out the height of the line: it goes through 0, so a comes out as 1.

    A line has two numbers, slope and height, and both are fitted.
    """
    x, y = np.log(sizes), np.log(losses)
    return 1.0, float(-(x @ y) / (x @ x))


@misconception("power_law", "power-law-swapped")
def swapped(sizes, losses):
    """You return b before a.

    First a, the factor, then b, the exponent.
    """
    slope, height = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(-slope), float(np.exp(height))


@misconception("power_law", "power-law-biased-slope")
def biased_slope(sizes, losses):
    """Your two sums are divided differently: covariance by n - 1, variance by n.

    `np.cov` and `np.var` do so by default. In the quotient of the slope both must have the same divisor, or none.
    """
    x, y = np.log(sizes), np.log(losses)
    slope = np.cov(x, y)[0, 1] / np.var(x)
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)


@misconception("power_law", "power-law-scaled-coefficients")
def scaled_coefficients(sizes, losses):
    """Your coefficients are those of `Polynomial.fit` as it keeps them, for logarithms that are mapped to −1 … 1.

    They belong to another x than yours. Which method gives them for the x that you put in?
    """
    height, slope = np.polynomial.Polynomial.fit(np.log(sizes), np.log(losses), 1).coef
    return float(np.exp(height)), float(-slope)
