# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch16` checks it.

# %% [markdown]
# # Chapter 16 · Training
#
# **You start a training, have lunch, and come back to a single number: 2.31. Is that good? Was it better an hour ago?
# Will it fall any further? And would a model of ten times the size have been worth the wait?**
#
# The number alone answers none of these. You have built models that are right; now you decide how one learns, and you
# read what comes of it. Each question has a short function for its answer:
#
# | question | answer |
# |---|---|
# | how far does each number move in a step? | `adamw_step` |
# | how good is the model on what it has not learned from? | `evaluate` |
# | which of all its states do you keep? | `fit` |
# | what do the two curves say? | `name_run` |
# | what does a run cost, and what does writing cost? | `training_flops`, `cache_bytes` |
# | what would a larger model bring? | `power_law` |
#
# Letters: N parameters, B examples in a batch, D tokens of training text.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 16, training: a step, a score, the loop, what its curves say, what it costs, and what more would bring."""

import copy
import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import torch
from torch import nn

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]

# %% [markdown]
# ## A step
# Plain gradient descent, p − η g, has one rate η for all numbers of a model. But their gradients differ by powers of
# ten: the vector of a common word gets a gradient from every batch, that of a rare word from one batch in a thousand. A
# rate that is right for one is wrong for the other.
#
# *Adam* (Kingma and Ba 2014) gives each number a rate of its own. For each it keeps two running means, of the gradient
# and of its square, and divides the one by the root of the other:
#
# $$ m \leftarrow \beta_1 m + (1 - \beta_1) \, g, \qquad v \leftarrow \beta_2 v + (1 - \beta_2) \, g^2 $$
#
# $$ \hat m = \frac{m}{1 - \beta_1^t}, \qquad \hat v = \frac{v}{1 - \beta_2^t}, \qquad
#    p \leftarrow p - \eta \, \frac{\hat m}{\sqrt{\hat v} + \varepsilon} $$
#
# If the gradients of a number agree, the quotient is near ±1 and the number moves by η, however small they are. If they
# contradict each other, m is near 0 and it stays. ε, usually 1e-8, keeps the quotient finite where all gradients were
# zero.
#
# **Why the corrections?** Both means begin at 0, so they are too small at first: after one step m is g/10 and v is
# g²/1000, for β₁ = 0.9 and β₂ = 0.999. A mean of t gradients that are all equal lacks exactly the share βᵗ, so you
# divide by 1 − βᵗ, with t counted from 1. Without that the two errors do not cancel, because v begins more slowly than
# m, and steps are too long:
#
# | step t | 1 | 10 | 100 | 1,000 | 10,000 |
# |---|---|---|---|---|---|
# | uncorrected step, in units of η | 3.16 | 6.53 | 3.24 | 1.26 | 1.00 |
#
# The corrections go into the step only. What you keep for the next one is m and v themselves.
#
# **Why does the decay stand apart?** To keep a model's numbers small, pull each a little towards 0 in every step. This
# is *weight decay*, and λ is its strength. It is tempting to add λp to the gradient, which is the same in plain
# descent. In Adam it is not: the pull is then divided by √v̂ too, and numbers with large gradients hardly feel it.
# *AdamW* (Loshchilov and Hutter 2019) leaves the gradient alone and multiplies p by 1 − ηλ before the step, the same
# share for all.
#
# Shapes: p, g, m, v all have one shape, any → new p, m, v of that shape.
#
# torch's `Adam`, `AdamW` and their functions are not allowed here: one of them *is* the exercise.


# %% exercise="adamw_step"
def adamw_step(
    p: torch.Tensor,
    g: torch.Tensor,
    m: torch.Tensor,
    v: torch.Tensor,
    step: int,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """One step of AdamW for one parameter.

    Args:
        p, g: the parameter and its gradient, any shape.
        m, v: the running means of the gradient and of its square before this step, like p; zeros before the first.
        step: the number of this step, counted from 1.
        lr: η, the learning rate.
        beta1, beta2: the share of the old m and of the old v, from 0 up to, but not including, 1.
        eps: ε, added to the root, not under it.
        decay: λ; p is multiplied by 1 - lr * decay first, and the gradient knows nothing of that.

    Returns:
        p after the step, and m and v, uncorrected, for the next one: new tensors like p. They need no gradient.

    Source: Loshchilov and Hutter 2019, algorithm 2; as in `torch.optim.AdamW`, the decay is multiplied by the rate.
    """
    # TODO: adamw_step (attend hint adamw_step)
    raise NotImplementedError("adamw_step")


# %% [markdown]
# ## A score
# The training loss is measured on batches that the model is just learning from. To know what it can do elsewhere, ask
# it about data that are held out (chapter 7 tells validation from test), and change nothing by asking:
#
# | | what goes wrong without it |
# |---|---|
# | `model.eval()` first | dropout makes the score worse and random; batch norm learns from the held-out data |
# | no gradients (`torch.no_grad()`) | torch keeps every intermediate result, for a backward pass that never comes |
# | the mode as before, afterwards | the training goes on without its dropout, and raises no error |
#
# **One mean, over examples.** The loss of a batch is already a mean over its examples. The last batch is often smaller
# than the others, so the mean of these means would count its examples more than the rest: weigh each batch with its
# size. An example is a row of x, whatever the shape of a row.


# %% exercise="evaluate"
def evaluate(model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], loss: Loss) -> float:
    """Mean loss over the examples of all batches, in evaluation mode and without recording gradients.

    Args:
        model: gives predictions for x. All its parts come in one mode; afterwards they are in that mode, and nothing
            else has changed.
        batches: pairs of x (B, ...) and y (B, ...), a row for each example; B may differ from batch to batch, and so
            may the shape of a row. You can go through them once only, as through a generator, which has no length.
        loss: `loss(model(x), y)` is the mean over the examples of a batch, a tensor without axes.

    Returns:
        The mean over all examples, each counting the same, as a Python float.

    Raises:
        ValueError: there is no batch.
    """
    # TODO: evaluate (attend hint evaluate)
    raise NotImplementedError("evaluate")


# %% [markdown]
# ## The loop
# Here is the loop that trains any model. A step, in this order:
#
# | | step | |
# |---|---|---|
# | 1 | the rate of this step, in *every* group of the optimizer | `group["lr"]`, for each of `optimizer.param_groups` |
# | 2 | training mode | the model may come in evaluation mode |
# | 3 | forget the gradients, predict, loss, `backward()` | as in chapter 7 |
# | 4 | limit the gradients | their joint norm, as in chapter 15: after `backward()`, before `step()` |
# | 5 | `optimizer.step()` | |
#
# **The record.** After every `every` steps, and after the last one, write down three things: how many steps are done,
# the mean training loss *since the last record*, and the held-out loss, by your `evaluate`. For `steps=10, every=4` the
# records come after 4, 8 and 10 steps, and the last mean is over two steps.
#
# **Why since the last record?** The loss of one batch is too noisy to read. The mean since the start is smooth, but
# lags: it still counts the first batches, from a model that no longer exists.
#
# **The best, not the last.** The held-out loss often falls and then rises: the model begins to learn its training data
# by heart. So keep a copy of the whole state, parameters and buffers, whenever the held-out loss is lower than ever
# before, and put it back at the end. Two traps wait here. `model.state_dict()` holds the model's own tensors, not
# copies: the next step changes them. And the optimizer, as well as your caller, holds *this* model with *these*
# parameters: write the numbers into them, and do not put other parameters in their place.
#
# **And NaN?** Every comparison with NaN is False. A NaN is never the best; if no held-out loss is finite, the model
# stays as the last step left it.


# %% exercise="fit"
def fit(
    model: nn.Module,
    batches: Iterator[tuple[torch.Tensor, torch.Tensor]],
    held_out: list[tuple[torch.Tensor, torch.Tensor]],
    loss: Loss,
    optimizer: torch.optim.Optimizer,
    rate: Callable[[int], float],
    limit: float,
    steps: int,
    every: int,
) -> list[tuple[int, float, float]]:
    """Train a model, record how it does, and leave it as it was at its best record.

    Step s, counted from 0, takes the next batch: it sets the rate, puts the model into training mode, computes
    `loss(model(x), y)` and its gradients for this batch alone, limits these and calls `optimizer.step()`.

    Args:
        model: gives predictions for x, and comes without gradients; some of its parameters may be frozen
            (`requires_grad=False`).
        batches: an iterator over pairs of x and y, which never ends; take no more than `steps` batches from it.
        held_out: pairs of x and y that it does not learn from, at least one.
        loss: the mean over a batch, a tensor without axes.
        optimizer: of the model's parameters, in one group or several; of any kind whose `step()` needs no argument.
        rate: `rate(s)` is the learning rate of step s, in every group.
        limit: above 0; if the joint norm of all gradients is larger, they are scaled to this norm before the step. A
            millionth added to the norm, as torch does, does no harm.
        steps: how many steps to take, at least 1.
        every: there is a record after each `every` steps, at least 1, and one after the last step.

    Returns:
        For each record the number of steps done, the mean of the losses of the steps since the record before, each step
        counting the same, and `evaluate` on `held_out`: a tuple of an int and two Python floats.

    The model ends with the parameters and buffers that it had at the record with the lowest held-out loss, the first of
    these at a tie; its parameters are the same objects as before. A loss that is NaN is never the lowest; if none is
    finite, the model stays as the last step left it. Its mode is up to you.
    """
    # TODO: fit (attend hint fit)
    raise NotImplementedError("fit")


# %% [markdown]
# ## Reading two curves
# A history is two curves, and four things can be wrong or right with them:
#
# ```text
#  diverged          memorises         stalls            learns
#  loss              loss              loss              loss
#  │         ╱       │╲        ╱ held  │─────────── held │╲
#  │        ╱        │ ╲__  __╱        │───────────      │ ╲╲___
#  │╲__    ╱         │  ╲ ╲╱           │                 │  ╲___‾‾‾ held
#  │   ╲__╱          │   ╲_____        │                 │      ‾‾‾
#  └─────────        └──────────       └──────────       └──────────
# ```
#
# | name | what you see | what to try |
# |---|---|---|
# | diverged | a loss is NaN or infinite, or training ends above its start | a smaller rate, a longer warm-up |
# | memorises | the held-out loss ends well above its lowest point | more data, dropout, a smaller model |
# | stalls | the training loss has hardly fallen | a larger rate, a larger model, a search for bugs |
# | learns | none of these | more steps |
#
# **The order matters.** A loss of NaN says nothing about the rest. And a model that memorises is no case for a larger
# rate, whatever its training loss looks like. So ask in this order, and stop at the first name that fits:
#
# 1. *diverged*: some loss, of training or held out, in any record, is NaN or infinite, or the last training loss is
#    higher than the first;
# 2. *memorises*: the last held-out loss is more than 5 % higher than the lowest;
# 3. *stalls*: the last training loss is more than 95 % of the first;
# 4. *learns*: otherwise.
#
# The two limits are a convention of this course; for a smooth run they could be tighter.


# %% exercise="name_run"
def name_run(history: list[tuple[int, float, float]]) -> str:
    """Say in a word what the two curves of a run show.

    Args:
        history: records as `fit` returns them, at least one: steps done, training loss, held-out loss. Losses are above
            0, or NaN or infinite.

    Returns:
        "diverged" if any loss is NaN or infinite, or the last training loss is above the first; else "memorises" if the
        last held-out loss is more than 5 % above the lowest; else "stalls" if the last training loss is more than 95 %
        of the first; else "learns". A value that is exactly 5 % or 95 %, up to rounding, may count either way.
    """
    # TODO: name_run (attend hint name_run)
    raise NotImplementedError("name_run")


# %% [markdown]
# ## What a run costs
# Count multiplications and additions. On the way forward, each parameter of a matrix is multiplied once for each token,
# and the product is added to a sum: 2 operations. On the way back there are two such products, one for the gradient of
# the input and one for that of the matrix: 4 more. So N parameters and a text of D tokens cost about
#
# $$ 6 \, N \, D $$
#
# That leaves out the scores of attention, which have no parameters. They are a small part while texts are short
# compared with the width. GPT-3 has 175 billion parameters and was trained on 300 billion tokens: 3.15 · 10²³
# operations. A graphics card that does 4 · 10¹⁴ in a second needs 25 years for them.


# %% exercise="training_flops"
def training_flops(parameters: int, tokens: int) -> int:
    """Count the operations of a training, forward and backward.

    Args:
        parameters: N, how many numbers the model learns.
        tokens: how many tokens it learns from, each counted as often as it is seen.

    Returns:
        6 for each parameter and token, as an exact Python int, however large.

    Source: Kaplan et al. 2020, section 2.1.
    """
    # TODO: training_flops (attend hint training_flops)
    raise NotImplementedError("training_flops")


# %% [markdown]
# **And what does writing cost?** What limits it is memory, not arithmetic: the cache of chapter 9 keeps a key and a
# value for each token, in each block, for each key head. With grouped queries (chapter 5) there are fewer key heads
# than query heads, and the cache is smaller in proportion.
#
# | model | blocks | key heads | width of a head | for a text of 4,096 tokens, 2 bytes a number |
# |---|---|---|---|---|
# | Llama 2, 7 billion | 32 | 32 | 128 | 2 GiB |
# | Llama 3, 8 billion | 32 | 8 | 128 | 0.5 GiB |


# %% exercise="cache_bytes"
def cache_bytes(num_blocks: int, kv_heads: int, head_width: int, length: int, batch: int, bytes_each: int) -> int:
    """Count the bytes of all keys and values that a model keeps while it writes.

    Args:
        num_blocks: how many blocks, each with a cache of its own.
        kv_heads: how many heads of keys, and as many of values, in each block.
        head_width: d, how many numbers a key has, and a value.
        length: how many tokens each text has so far.
        batch: how many texts are written at once.
        bytes_each: the bytes of one number, such as 2 in half precision.

    Returns:
        The bytes of keys and values together, as an exact Python int, however many.

    Source: Shazeer 2019, section 2.4.
    """
    # TODO: cache_bytes (attend hint cache_bytes)
    raise NotImplementedError("cache_bytes")


# %% [markdown]
# ## What more would bring
# Train models of several sizes, and draw the lowest held-out loss of each against its size, both axes logarithmic. The
# points lie near a straight line, over many powers of ten (Kaplan et al. 2020, figure 1). A straight line on such paper
# is a *power law*:
#
# $$ \text{loss} = a \cdot N^{-b} \qquad\Longleftrightarrow\qquad \log \text{loss} = \log a - b \log N $$
#
# So the fit is a straight line through the logarithms, by least squares: of x = log N and y = log loss, the slope is
# Σ (x − x̄)(y − ȳ) / Σ (x − x̄)², and the line goes through the point of both means, x̄ and ȳ. Then b is *minus* the
# slope, and log a is the height of the line at x = 0. The law says what is worth knowing before you pay for it: ten
# times the size multiplies the loss by 10⁻ᵇ.
#
# **How far can you trust it?** Between the sizes that you measured, well; beyond them, for a while. Part of a text
# cannot be predicted by any model, so the line must bend in the end: Hoffmann et al. 2022 add a constant to the law,
# the loss of a perfect model.


# %% exercise="power_law"
def power_law(sizes: list[float], losses: list[float]) -> tuple[float, float]:
    """Fit loss = a · size^-b by least squares of the logarithm of the loss on that of the size.

    Args:
        sizes: above 0, in any order, at least two different ones.
        losses: one for each size, above 0.

    Returns:
        a and b, two Python floats; b is above 0 if the loss falls with the size.

    Source: Kaplan et al. 2020, equation 1.1, with a = N_c^b.
    """
    # TODO: power_law (attend hint power_law)
    raise NotImplementedError("power_law")


# %% [markdown]
# ## See it run
# Three language models of chapter 9 read the same plays by Shakespeare, character by character, with your `fit` and
# your `adamw_step`. They differ in their width alone. Guess before you look: by how much does the loss fall, if a model
# has five times as many parameters?

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine(
        "adamw_step", "fit", "name_run", "training_flops", "power_law", "CausalLM", "next_token_pairs", "learning_rate"
    )
    text = mine.data("shakespeare")[:220_400]
    place = {character: number for number, character in enumerate(sorted(set(mine.data("shakespeare"))))}
    ids = torch.tensor([place[character] for character in text])
    held_out = [
        mine.next_token_pairs(ids[-20_400:].view(-1, 17)[::6])
    ]  # of the last tenth, 200 pieces of 17 characters

    class Own(torch.optim.Optimizer):
        """An optimizer that takes your steps."""

        def __init__(self, model: nn.Module) -> None:
            super().__init__(model.parameters(), {"lr": 0.0})
            self.done, self.means = 0, {p: (torch.zeros_like(p), torch.zeros_like(p)) for p in model.parameters()}

        @torch.no_grad()
        def step(self) -> None:
            self.done, lr = self.done + 1, self.param_groups[0]["lr"]
            for p, (m, v) in self.means.items():
                new, *self.means[p] = mine.adamw_step(p, p.grad, m, v, self.done, lr, 0.9, 0.99, 1e-8, 0.1)
                p.copy_(new)

    def batches() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        dice = torch.Generator().manual_seed(1)
        while True:  # 32 pieces of 17 characters
            yield mine.next_token_pairs(ids[torch.randint(200_000 - 17, (32, 1), generator=dice) + torch.arange(17)])

    def loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())

    def rate(step: int) -> float:
        return mine.learning_rate(step, warmup=40, total=400, peak=1e-2, floor=1e-3)

    curves, sizes, lowest = {}, [], []
    for width in (16, 40, 96):
        torch.manual_seed(0)
        model = mine.CausalLM(65, max_length=16, width=width, num_heads=4, hidden=4 * width, num_blocks=1, dropout=0.0)
        history = mine.fit(model, batches(), held_out, loss, Own(model), rate, 1.0, 400, 50)
        sizes.append(sum(p.numel() for p in model.parameters()))
        lowest.append(min(score for _, _, score in history))
        curves[f"{sizes[-1]:,} parameters"] = [(done, score) for done, _, score in history]
        cost = mine.training_flops(sizes[-1], 400 * 32 * 16)
        print(f"{sizes[-1]:,} parameters: {mine.name_run(history)}, down to {lowest[-1]:.2f}, {cost:.1e} operations")
    mine.curve(curves, x="steps", y="held-out loss").show()

# %%
if __name__ == "__main__":
    a, b = mine.power_law(sizes, lowest)
    print(f"loss = {a:.2f} · N^-{b:.4f}; ten times the size multiplies it by {10**-b:.3f}")
    for size in (*sizes, 10 * sizes[-1]):
        print(f"{size:,} parameters: the law says {a * size**-b:.2f}")

# %% [markdown]
# The largest model ends lowest, but not by much: each time, five times as many parameters and operations lower the loss
# by a tenth or less. The law says the same: b is about .017, so ten times the size would multiply the loss by .96.
# Kaplan et al. measured 0.076, for N without the embeddings, and from models that learned as long as they needed and
# from far more text; all of yours stop after the same 400 steps. A law holds for the way in which its points were made.
#
# ## What you have now
# You have the whole road from a right model to a trained one: a step, a score, a loop that keeps the best, and words
# and numbers for what came of it, what it cost, and what more would bring. What remains is to choose a model, and to
# wait: chapter 15 has models to choose from.
#
# **To read.** Adam: [Kingma and Ba 2014](https://arxiv.org/abs/1412.6980). Decay apart: [Loshchilov and Hutter
# 2019](https://arxiv.org/abs/1711.05101). Held-out data and early stopping: Goodfellow, Bengio and Courville 2016,
# [*Deep Learning*](https://www.deeplearningbook.org), chapters 5 and 7. Power laws: [Kaplan et al.
# 2020](https://arxiv.org/abs/2001.08361), [Hoffmann et al. 2022](https://arxiv.org/abs/2203.15556). The cache:
# [Shazeer 2019](https://arxiv.org/abs/1911.02150).
