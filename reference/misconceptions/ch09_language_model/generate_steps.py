"""Steps that ask, choose, join or end wrongly."""

import torch

from reference.misconceptions import misconception


@misconception("generate", "generate-leaves-training")
def leaves_training(model, prompt, steps, choose):
    """You put the model into training mode at the end, whatever mode it came in.

    Leave the mode alone, or remember `model.training` and put that back.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    model.train()
    return text


@misconception("generate", "generate-token-without-axis")
def token_without_axis(model, prompt, steps, choose):
    """You join the text (B, T) and the tokens (B,), which have a different number of axes.

    Make the tokens a column first: `token[:, None]`, or `unsqueeze(1)`.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)], dim=1)
    return text


@misconception("generate", "generate-token-as-row")
def token_as_row(model, prompt, steps, choose):
    """You make a row (1, B) of the new tokens, and the text needs a column.

    One token for each row of the text: `token[:, None]`, (B, 1).
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[None]], dim=1)
    return text


@misconception("generate", "generate-joined-along-batch")
def joined_along_batch(model, prompt, steps, choose):
    """You join text and tokens along the batch.

    A text grows along its positions: `dim=1`.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=0)
    return text


@misconception("generate", "generate-keeps-position-axis")
def keeps_position_axis(model, prompt, steps, choose):
    """You hand `choose` the logits with an axis for the position, (B, 1, V).

    It wants (B, V): index the last position, `logits[:, -1]`, instead of slicing it.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1:]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-item")
def item(model, prompt, steps, choose):
    """You make one number of the new tokens (`item()` or `int()`), but there is one for each row.

    Keep what `choose` returns a tensor (B,) and join it as a column.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, torch.full_like(text[:, :1], choose(logits).item())], dim=1)
    return text


@misconception("generate", "generate-last-axis")
def last_token_logit(model, prompt, steps, choose):
    """You take the last number of each row of logits, `[..., -1]`, not the last position.

    The logits are (B, T, V): the position is the second axis, `logits[:, -1]`.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[..., -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-one-step-less")
def one_step_less(model, prompt, steps, choose):
    """You take one step too few.

    `steps` tokens are added: `for _ in range(steps)`.
    """
    text = prompt
    for _ in range(steps - 1):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-window-of-steps")
def window_of_steps(model, prompt, steps, choose):
    """Your window is `steps` long, not `max_length`.

    The model reads up to `model.max_length` tokens: `text[:, -model.max_length :]`.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -steps:])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-prompt-cut")
def prompt_cut(model, prompt, steps, choose):
    """You cut the prompt to the last `max_length` tokens, so its beginning is missing from the result.

    Keep the whole text, and cut only what the model reads.
    """
    text = prompt[:, -model.max_length :]
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-chooses-twice")
def chooses_twice(model, prompt, steps, choose):
    """You call `choose` more often than there are steps.

    A choice may be chance, so ask once for each new token, keep what it returns, and ask for none that is not wanted.
    """
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        choose(logits)
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-detaches-model")
def freezes_model(model, prompt, steps, choose):
    """You switch off the gradients of the model's parameters and leave them off.

    Use `with torch.no_grad():`, which ends by itself, or leave it to the caller.
    """
    model.requires_grad_(False)
    text = prompt
    for _ in range(steps):
        logits = model(text[:, -model.max_length :])[:, -1]
        text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return text


@misconception("generate", "generate-newest-token-only")
def newest_token_only(model, prompt, steps, choose):
    """You let the model read the prompt once, and after that only the token that it has just written.

    This model keeps nothing from step to step: at every step it must read the text so far, at most its last
    `max_length` tokens.
    """
    text, read = prompt, prompt[:, -model.max_length :]
    for _ in range(steps):
        read = choose(model(read)[:, -1])[:, None]
        text = torch.cat([text, read], dim=1)
    return text


@misconception("generate", "generate-stops-at-zero")
def stops_at_zero(model, prompt, steps, choose):
    """You stop as soon as all rows have chosen the token 0, as if it ended a text.

    Here no token ends a text: each row gets as many new tokens as there are steps.
    """
    text = prompt
    with torch.no_grad():
        for _ in range(steps):
            token = choose(model(text[:, -model.max_length :])[:, -1])
            text = torch.cat([text, token[:, None]], dim=1)
            if (token == 0).all():
                break
    return text


@misconception("generate", "generate-minus-zero")
def minus_zero(model, prompt, steps, choose):
    """You take the new tokens as `text[:, -steps:]`, which is the whole text when `steps` is 0: -0 is 0.

    Print `[1, 2, 3][-0:]`. From which column on, counted from the left, are the tokens new?
    """
    text = prompt
    with torch.no_grad():
        for _ in range(steps):
            logits = model(text[:, -model.max_length :])[:, -1]
            text = torch.cat([text, choose(logits)[:, None]], dim=1)
    return torch.cat([prompt, text[:, -steps:]], dim=1)


@misconception("generate", "generate-negative-start")
def negative_start(model, prompt, steps, choose):
    """Where the text is shorter than `max_length`, your window begins at a negative number, which counts from its end.

    Then the beginning of the text may be missing from it. Work out your slice for 5 tokens and a `max_length` of 8; how
    could you count from the end for every text?
    """
    text = prompt
    for _ in range(steps):
        token = choose(model(text[:, text.shape[1] - model.max_length :])[:, -1])
        text = torch.cat([text, token[:, None]], dim=1)
    return text


@misconception("generate", "generate-prompt-changed-in-the-result")
def prompt_changed_in_the_result(model, prompt, steps, choose):
    """You move the tokens of a full window along in place, and they are the prompt's own, which the result begins with.

    A slice is a view of the same memory. Make a new tensor for the next window instead of writing into the old one.
    """
    window, said = prompt[:, -model.max_length :], []
    with torch.no_grad():
        for _ in range(steps):
            said.append(choose(model(window)[:, -1])[:, None])
            longer = torch.cat([window, said[-1]], dim=1)
            full = longer.shape[1] > model.max_length
            window = window.copy_(longer[:, 1:]) if full else longer
    return torch.cat([prompt, *said], dim=1)
