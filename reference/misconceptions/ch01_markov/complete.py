"""What goes wrong in `complete`."""

import numpy as np

from reference.ch01_markov import (
    mask_for,
    selective_vote,
    vote,
)
from reference.misconceptions import misconception


@misconception("complete", "complete-only-new-words")
def only_new_words(prompt, skips, masks, vocab, steps):
    """You returned the added words without the prompt.

    Begin with a copy of the prompt, append to it, and return all of it.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text[len(prompt) :]


@misconception("complete", "complete-steps-as-length")
def steps_as_length(prompt, skips, masks, vocab, steps):
    """You stopped when the whole text had `steps` words.

    `steps` counts the words to add; the prompt's own words do not count.
    """
    text = list(prompt)
    while len(text) < steps:
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-last-of-ties")
def last_of_ties(prompt, skips, masks, vocab, steps):
    """Of words with equal votes you added the one that sorts last.

    With equal votes the task wants the word that sorts first. Where does it stand in `vocab`?

    Take the first of the largest: `votes.argmax()` does, because `vocab` is sorted.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(max(zip(votes, vocab, strict=True))[1])
    return text


@misconception("complete", "complete-past-zero-votes")
def past_zero_votes(prompt, skips, masks, vocab, steps):
    """Where all votes were zero, you went on with the first word of the vocabulary.

    Stop there: the arg-max of zeros is 0, but no pair voted for that word.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-prompt-only")
def prompt_only(prompt, skips, masks, vocab, steps):
    """Each step looks at the prompt alone, so that the words you added change nothing.

    Vote on the text so far: each added word is the last word, and the query, of the next step.
    """
    votes = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab)
    return prompt + [vocab[votes.argmax()]] * (steps if votes.any() else 0)


@misconception("complete", "complete-unmasked")
def unmasked(prompt, skips, masks, vocab, steps):
    """You let all pairs vote, without the mask.

    Which of your functions takes a mask, and which gives the one that belongs to the text's last word?

    Use `selective_vote` with `mask_for(text, masks, vocab)`.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = vote(text, skips, vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-first-mask-kept")
def first_mask_kept(prompt, skips, masks, vocab, steps):
    """You found the mask once, for the prompt, and kept it for all steps.

    Ask for the mask in every step: the last word has changed, and with it what matters.
    """
    text, mask = list(prompt), mask_for(prompt, masks, vocab)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask, vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-prompt-changed")
def prompt_changed(prompt, skips, masks, vocab, steps):
    """You appended to the prompt itself, so that the caller's list has grown.

    The task says to leave the prompt as it is. What must you make before the loop?

    Begin with a copy, `text = list(prompt)`, and append to that.
    """
    for _ in range(steps):
        votes = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab)
        if not votes.any():
            break
        prompt.append(vocab[votes.argmax()])
    return prompt


@misconception("complete", "complete-ends-at-small-votes")
def ends_at_small_votes(prompt, skips, masks, vocab, steps):
    """You stopped where all votes were small, not only where they were zero.

    Votes are no probabilities, and a mask may make all of them tiny. Which votes say nothing at all?
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if votes.max() < 1e-3:
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-near-ties")
def near_ties(prompt, skips, masks, vocab, steps):
    """Where all votes are tiny, you take them for a tie, as `np.isclose` or rounding does, so the first word wins.

    A vote of 1e-12 is more than one of 0. Which votes are a tie, and what finds the largest one as it is?
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[np.isclose(votes, votes.max()).argmax()])
    return text
