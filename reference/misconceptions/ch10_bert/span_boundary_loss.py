"""What goes wrong in `span_boundary_loss`."""

import torch
from torch.nn import functional

from reference.ch10_bert import span_boundary_loss
from reference.misconceptions import misconception


@misconception("span_boundary_loss", "span-boundary-mean")
def mean_of_two(boundary_logits, token_logits, targets):
    """You take the mean of the two losses (or one mean over both sets of words) instead of their sum.

    SpanBERT adds them: each is a mean over the hidden words, and nothing is divided by 2.
    """
    return span_boundary_loss(boundary_logits, token_logits, targets) / 2


@misconception("span_boundary_loss", "span-boundary-token-only")
def token_only(boundary_logits, token_logits, targets):
    """Only the prediction at the words' own places counts, and the boundary's is forgotten.

    Add the mean cross-entropy of `boundary_logits`: it is what this loss is for.
    """
    return functional.cross_entropy(token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-boundary-only")
def boundary_only(boundary_logits, token_logits, targets):
    """Only the prediction from the boundary counts, and the words' own is forgotten.

    Add the mean cross-entropy of `token_logits`: SpanBERT keeps BERT's loss and puts another one beside it.
    """
    return functional.cross_entropy(boundary_logits, targets)


@misconception("span_boundary_loss", "span-boundary-sum-over-words")
def sum_over_words(boundary_logits, token_logits, targets):
    """You add up over the hidden words as well, instead of taking their mean.

    Sum the two losses, but make each of them a mean, or long spans weigh more than short ones.
    """
    return span_boundary_loss(boundary_logits, token_logits, targets) * len(targets)


@misconception("span_boundary_loss", "span-boundary-weighted")
def weighted(boundary_logits, token_logits, targets):
    """You give the boundary's loss half the weight of the other.

    Both count equally: a plain sum.
    """
    from_edges = functional.cross_entropy(boundary_logits, targets)
    return functional.cross_entropy(token_logits, targets) + 0.5 * from_edges


@misconception("span_boundary_loss", "span-boundary-added-logits")
def added_logits(boundary_logits, token_logits, targets):
    """You add the logits and take one cross-entropy of the sum.

    Then the two predictions help each other out. Each has to find the word alone: two losses, then the sum.
    """
    return functional.cross_entropy(boundary_logits + token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-product")
def product(boundary_logits, token_logits, targets):
    """You multiply the two losses.

    They are added: otherwise one of them could be ignored as soon as the other is small.
    """
    return functional.cross_entropy(boundary_logits, targets) * functional.cross_entropy(token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-softmax-twice")
def softmax_twice(boundary_logits, token_logits, targets):
    """You take the softmax of the logits and hand the result to a cross-entropy, which takes it once more.

    `functional.cross_entropy` wants the logits as they are.
    """
    return span_boundary_loss(boundary_logits.softmax(dim=-1), token_logits.softmax(dim=-1), targets)


@misconception("span_boundary_loss", "span-boundary-no-softmax")
def no_softmax(boundary_logits, token_logits, targets):
    """You take the logits for log-probabilities: there is no softmax in your loss.

    `functional.nll_loss` wants `log_softmax` of the logits; `functional.cross_entropy` does both.
    """
    return functional.nll_loss(boundary_logits, targets) + functional.nll_loss(token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-per-word")
def per_word(boundary_logits, token_logits, targets):
    """You return a loss for each word.

    Each of the two losses is a mean over the words, and the result has no axes.
    """
    losses = [functional.cross_entropy(x, targets, reduction="none") for x in (boundary_logits, token_logits)]
    return losses[0] + losses[1]


@misconception("span_boundary_loss", "span-boundary-pair")
def as_pair(boundary_logits, token_logits, targets):
    """You return the two losses, and the sum is missing.

    `backward()` needs one number: add them.
    """
    return functional.cross_entropy(boundary_logits, targets), functional.cross_entropy(token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-log-of-softmax")
def log_of_softmax(boundary_logits, token_logits, targets):
    """You take the logarithm of a softmax: where the right word is very unlikely, that is log 0.

    `log_softmax` and `functional.cross_entropy` never form the tiny probability and stay finite.
    """
    logs = [logits.softmax(dim=-1).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-number")
def number(boundary_logits, token_logits, targets):
    """You return a Python number, from which no gradient comes back.

    The training step calls `backward()` on the loss: return the tensor, without `.item()` or `float()`.
    """
    return span_boundary_loss(boundary_logits, token_logits, targets).item()


@misconception("span_boundary_loss", "span-boundary-edges-detached")
def edges_detached(boundary_logits, token_logits, targets):
    """No gradient comes back to the boundary's logits: they are detached.

    The vectors at the edges are meant to learn from this loss; leave them in the graph.
    """
    return span_boundary_loss(boundary_logits.detach(), token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-detached")
def detached(boundary_logits, token_logits, targets):
    """Your loss is cut off from all logits: no gradient comes back (detach, .data, no_grad or a newly created tensor).

    Compute with the given tensors themselves, by torch's operations throughout.
    """
    return span_boundary_loss(boundary_logits, token_logits, targets).detach()


@misconception("span_boundary_loss", "span-boundary-epsilon")
def epsilon(boundary_logits, token_logits, targets):
    """You add 1e-9 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    logs = [(logits.softmax(dim=-1) + 1e-9).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-epsilon-12")
def epsilon_12(boundary_logits, token_logits, targets):
    """You add 1e-12 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    logs = [(logits.softmax(dim=-1) + 1e-12).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-epsilon-8")
def epsilon_8(boundary_logits, token_logits, targets):
    """You add 1e-8 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    logs = [(logits.softmax(dim=-1) + 1e-8).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-unstable")
def unstable(boundary_logits, token_logits, targets):
    """You take the exponential of the logits as they are, which overflows for large ones.

    `log_softmax` and `logsumexp` subtract the largest first; so does `functional.cross_entropy`.
    """
    logs = [logits - logits.exp().sum(-1, keepdim=True).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-over-words")
def over_spans(boundary_logits, token_logits, targets):
    """Your softmax runs over the hidden words, not over the vocabulary.

    The vocabulary is the last axis, (S, V): `log_softmax(dim=-1)`.
    """
    logs = [logits.log_softmax(dim=0) for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-difference")
def difference(boundary_logits, token_logits, targets):
    """You take the difference of the two losses.

    They are added: both must become small.
    """
    return functional.cross_entropy(token_logits, targets) - functional.cross_entropy(boundary_logits, targets)


@misconception("span_boundary_loss", "span-boundary-tokens-twice")
def tokens_twice(boundary_logits, token_logits, targets):
    """You use `token_logits` for both losses.

    The boundary's loss is made of `boundary_logits`.
    """
    return 2 * functional.cross_entropy(token_logits, targets)


@misconception("span_boundary_loss", "span-boundary-boundary-twice")
def boundary_twice(boundary_logits, token_logits, targets):
    """You use `boundary_logits` for both losses.

    The words' own loss is made of `token_logits`.
    """
    return 2 * functional.cross_entropy(boundary_logits, targets)


@misconception("span_boundary_loss", "span-boundary-tokens-detached")
def tokens_detached(boundary_logits, token_logits, targets):
    """No gradient comes back to the words' own logits: they are detached.

    Both losses train the model: use both logits as they are.
    """
    return span_boundary_loss(boundary_logits, token_logits.detach(), targets)


@misconception("span_boundary_loss", "span-boundary-probabilities")
def probabilities(boundary_logits, token_logits, targets):
    """You add up probabilities: the logarithm is missing.

    The loss is the mean of -log p: `functional.cross_entropy` takes the logarithm itself.
    """
    return sum(functional.nll_loss(logits.softmax(dim=-1), targets) for logits in (boundary_logits, token_logits))


@misconception("span_boundary_loss", "span-boundary-epsilon-10")
def epsilon_10(boundary_logits, token_logits, targets):
    """You add 1e-10 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    logs = [(logits.softmax(dim=-1) + 1e-10).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-ignores-zero")
def ignores_zero(boundary_logits, token_logits, targets):
    """You leave out targets of 0, which is a word like any other.

    All S hidden words count: leave out `ignore_index`.
    """
    return sum(functional.cross_entropy(logits, targets, ignore_index=0) for logits in (boundary_logits, token_logits))


@misconception("span_boundary_loss", "span-boundary-float32")
def float32(boundary_logits, token_logits, targets):
    """Your loss is float32 whatever the logits are.

    A loss has the dtype of its logits, so that half precision stays half. Where do you name a dtype?
    """
    return span_boundary_loss(boundary_logits.float(), token_logits.float(), targets)


@misconception("span_boundary_loss", "span-boundary-global-max")
def global_max(boundary_logits, token_logits, targets):
    """You subtract the largest logit of all, so where logits lie far below it every exponential is 0.

    Each hidden word has a softmax of its own, and its own largest logit: `amax(-1, keepdim=True)`, or `log_softmax`.
    """
    both = torch.stack([boundary_logits, token_logits])
    both = both - both.max().detach()
    right = both.gather(-1, targets.expand(2, -1)[..., None])[..., 0]
    return (both.exp().sum(-1).log() - right).mean(-1).sum()


@misconception("span_boundary_loss", "span-boundary-clamped")
def clamped(boundary_logits, token_logits, targets):
    """You keep the probabilities at 1e-7 or more, so no word costs more than about 16, or gets a gradient below that.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    logs = [logits.softmax(dim=-1).clamp(min=1e-7).log() for logits in (boundary_logits, token_logits)]
    return sum(functional.nll_loss(log, targets) for log in logs)


@misconception("span_boundary_loss", "span-boundary-max-of-each-table")
def max_of_each_table(boundary_logits, token_logits, targets):
    """You subtract the largest logit of a whole table, so in a row far below it every exponential is 0.

    Each hidden word has a softmax of its own, and its own largest logit: `amax(-1, keepdim=True)`, or `log_softmax`.
    """
    shifted = [logits - logits.max().detach() for logits in (boundary_logits, token_logits)]
    logs = [each - each.exp().sum(-1, keepdim=True).log() for each in shifted]
    return sum(functional.nll_loss(each, targets) for each in logs)
