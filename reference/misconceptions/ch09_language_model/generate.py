"""Texts that are read, chosen or put together wrongly."""

import torch

from reference.misconceptions import misconception


@misconception("generate", "generate-last-token-only")
def last_token_only(model, prompt, steps, choose):
    """You feed the model only the last token of the text, so it does not know what comes before it.

    This model keeps nothing from step to step: give it the text, at most its last `max_length` tokens.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -1:])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-prompt-only")
def prompt_only(model, prompt, steps, choose):
    """You give the model the prompt at every step, never what it has written since.

    It goes on from its own words: put each new token behind the text that the model reads next.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(prompt[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-first-position")
def first_position(model, prompt, steps, choose):
    """You choose from the logits of the first position, which speak of the second token.

    The token that is not there yet is what the last position predicts: `logits[:, -1]`.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, 0])[:, None]], dim=1)
    return text


@misconception("generate", "generate-last-row")
def last_row(model, prompt, steps, choose):
    """You choose from the last row of the batch, `logits[-1]`.

    Every row writes its own text; take the last position of each: `logits[:, -1]`.
    """
    text = prompt
    for _ in range(steps):
        chosen = choose(model(text[:, -model.max_length :])[-1])
        text = torch.cat([text, chosen[-1].expand(len(text), 1)], dim=1)
    return text


@misconception("generate", "generate-all-positions")
def all_positions(model, prompt, steps, choose):
    """You hand `choose` the logits of all positions.

    It wants (B, V), those of the last position: `logits[:, -1]`.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -model.max_length :]))[:, -1:]], dim=1)
    return text


@misconception("generate", "generate-not-logits")
def not_logits(model, prompt, steps, choose):
    """You hand `choose` something other than the logits: probabilities, their logarithms, or a one-hot row.

    `choose` may first apply a temperature or a cut, and takes the softmax itself. Pass on `logits[:, -1]` as it is.
    """
    text = prompt
    for _ in range(steps):
        weights = model(text[:, -model.max_length :])[:, -1].softmax(-1)
        text = torch.cat([text, choose(weights)[:, None]], dim=1)
    return text


@misconception("generate", "generate-never-chooses")
def never_chooses(model, prompt, steps, choose):
    """You take the largest logit yourself; `choose` is never called.

    Who decides which token comes next: `generate`, or the caller?

    The caller decides which token comes next: `token = choose(logits[:, -1])`, which gives one id for each row.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, model(text[:, -model.max_length :])[:, -1].argmax(-1, keepdim=True)], dim=1)
    return text


@misconception("generate", "generate-in-front")
def in_front(model, prompt, steps, choose):
    """You put the new token in front of the text.

    Texts grow at their end: the text first in `torch.cat`, then the token.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([choose(model(text[:, -model.max_length :])[:, -1])[:, None], text], dim=1)
    return text


@misconception("generate", "generate-new-only")
def new_only(model, prompt, steps, choose):
    """You return only what was written, without the prompt.

    The answer is (B, T + steps), the prompt first.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text[:, prompt.shape[1] :]


@misconception("generate", "generate-one-step-more")
def one_step_more(model, prompt, steps, choose):
    """You take one step too many.

    `steps` tokens are added, none for 0: `for _ in range(steps)`.
    """
    text = prompt
    for _ in range(steps + 1):
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-stops-at-max-length")
def stops_at_max_length(model, prompt, steps, choose):
    """You stop when the text is `max_length` long.

    Longer texts can be written: the model then reads only the last `max_length` tokens.
    """
    text = prompt
    for _ in range(min(steps, max(0, model.max_length - prompt.shape[1]))):
        text = torch.cat([text, choose(model(text)[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-steps-is-length")
def steps_is_length(model, prompt, steps, choose):
    """You stop when the text is `steps` long, prompt included.

    `steps` is the number of tokens to be added.
    """
    text = prompt
    while text.shape[1] < steps:
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-no-window")
def no_window(model, prompt, steps, choose):
    """You give the model texts longer than it can read: they are not cut, or along the wrong axis.

    Cut a window: `text[:, -model.max_length :]`.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text)[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-first-tokens")
def first_tokens(model, prompt, steps, choose):
    """Your window holds the first `max_length` tokens, so that nothing new is read any more.

    It moves along with the text: `text[:, -model.max_length :]`, with a minus.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, : model.max_length])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-window-one-less")
def window_one_less(model, prompt, steps, choose):
    """Your window is one token too short.

    The model reads up to `max_length` tokens: `text[:, -model.max_length :]`.
    """
    text = prompt
    for _ in range(steps):
        start = max(0, text.shape[1] - model.max_length + 1)
        text = torch.cat([text, choose(model(text[:, start:])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-window-one-more")
def window_one_more(model, prompt, steps, choose):
    """Your window is one token too long for the model.

    It reads at most `max_length` tokens, the newest included: `text[:, -model.max_length :]`.
    """
    text = prompt
    for _ in range(steps):
        start = max(0, text.shape[1] - model.max_length - 1)
        text = torch.cat([text, choose(model(text[:, start:])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-cut-to-window")
def cut_to_window(model, prompt, steps, choose):
    """You throw away what no longer fits the window, so it is missing from the result.

    Keep the whole text, and cut only what the model reads.
    """
    text = prompt
    for _ in range(steps):
        text = text[:, -model.max_length :]
        text = torch.cat([text, choose(model(text)[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-window-in-blocks")
def window_in_blocks(model, prompt, steps, choose):
    """Once the text is longer than the window, you let the model begin afresh with what comes after it.

    The window slides: at every step the last `max_length` tokens.
    """
    text = prompt
    for _ in range(steps):
        start = (text.shape[1] - 1) // model.max_length * model.max_length
        text = torch.cat([text, choose(model(text[:, start:])[:, -1])[:, None]], dim=1)
    return text


@misconception("generate", "generate-squeezed")
def squeezed(model, prompt, steps, choose):
    """You squeeze the result, and with a single row or token an axis is gone.

    The answer is (B, T + steps), whatever B is.
    """
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text.squeeze()


@misconception("generate", "generate-prompt-changed")
def prompt_changed(model, prompt, steps, choose):
    """You move the tokens of the prompt along in place, and the caller's tensor is overwritten.

    A slice is a view of the same memory: make new tensors with `torch.cat` instead of writing into it.
    """
    text, window = prompt.clone(), prompt[:, -model.max_length :]
    for _ in range(steps):
        token = choose(model(window)[:, -1])[:, None]
        text = torch.cat([text, token], dim=1)
        if window.shape[1] < model.max_length:
            window = torch.cat([window, token], dim=1)
        else:
            window.copy_(torch.cat([window[:, 1:], token], dim=1))
    return text


@misconception("generate", "generate-leaves-eval")
def leaves_evaluation_mode(model, prompt, steps, choose):
    """You put the model into evaluation mode and leave it there.

    Training would silently go on without dropout; leave the mode alone.
    """
    model.eval()
    text = prompt
    for _ in range(steps):
        text = torch.cat([text, choose(model(text[:, -model.max_length :])[:, -1])[:, None]], dim=1)
    return text
