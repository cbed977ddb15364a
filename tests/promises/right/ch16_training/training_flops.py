"""Right answers to `training_flops`."""

import math
from functools import reduce
from operator import mul


# %% split
def training_flops(parameters, tokens):
    forward = 2 * parameters * tokens
    backward = 2 * forward
    return forward + backward


# %% product
def training_flops(parameters, tokens):
    return math.prod([6, parameters, tokens])


# %% reduced
def training_flops(parameters, tokens):
    return reduce(mul, (parameters, tokens), 6)


# %% shifted
def training_flops(parameters, tokens):
    per_token = (parameters << 2) + (parameters << 1)
    return int(per_token) * int(tokens)
