"""What goes wrong in `complete`: how many words are added, which, and what is returned."""

import numpy as np

from reference.ch01_markov import (
    complete,
    mask_for,
    selective_vote,
)
from reference.misconceptions import misconception


@misconception("complete", "complete-one-too-many")
def one_too_many(prompt, skips, masks, vocab, steps):
    """You added one word more than `steps`.

    Let the loop run `steps` times: `for _ in range(steps)`.
    """
    return complete(prompt, skips, masks, vocab, steps + 1)


@misconception("complete", "complete-one-too-few")
def one_too_few(prompt, skips, masks, vocab, steps):
    """You added one word fewer than `steps`.

    Let the loop run `steps` times: `for _ in range(steps)`.
    """
    return complete(prompt, skips, masks, vocab, max(steps - 1, 0))


@misconception("complete", "complete-one-step")
def one_step(prompt, skips, masks, vocab, steps):
    """You added one word and then nothing more.

    Add up to `steps` words: `return` belongs after the loop, and the prompt stays part of the context.
    """
    return complete(prompt, skips, masks, vocab, min(steps, 1))


@misconception("complete", "complete-at-least-one")
def at_least_one(prompt, skips, masks, vocab, steps):
    """You added a word even where `steps` is 0.

    Ask whether a step is left before you add a word: `for _ in range(steps)`.
    """
    return complete(prompt, skips, masks, vocab, max(steps, 1))


@misconception("complete", "complete-past-zero-votes", "complete-prompt-changed")
def past_zero_votes_in_place(prompt, skips, masks, vocab, steps):
    for _ in range(steps):
        votes = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab)
        prompt.append(vocab[votes.argmax()])
    return prompt


@misconception("complete", "complete-past-zero-votes", "complete-first-mask-kept")
def past_zero_votes_with_the_first_mask(prompt, skips, masks, vocab, steps):
    text, mask = list(prompt), mask_for(prompt, masks, vocab)
    for _ in range(steps):
        text.append(vocab[selective_vote(text, skips, mask, vocab).argmax()])
    return text


@misconception("complete", "complete-past-zero-votes", "complete-last-of-ties")
def past_zero_votes_with_the_last_of_ties(prompt, skips, masks, vocab, steps):
    text = list(prompt)
    for _ in range(steps):
        text.append(max(zip(selective_vote(text, skips, mask_for(text, masks, vocab), vocab), vocab, strict=True))[1])
    return text


@misconception("complete", "complete-smallest")
def fewest_votes(prompt, skips, masks, vocab, steps):
    """You added the word with the fewest votes.

    Which of the votes wins, the fewest or the most?

    Add the word of the winner's place: `votes.argmax()`.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmin()])
    return text


@misconception("complete", "complete-short-context")
def last_two_words(prompt, skips, masks, vocab, steps):
    """You vote on the last two words of the text only.

    The context of each step is the whole text so far: the prompt and all words added.
    """
    text = list(prompt)
    for _ in range(steps):
        longer = complete(text[-2:], skips, masks, vocab, 1)
        if len(longer) == len(text[-2:]):
            break
        text.append(longer[-1])
    return text


@misconception("complete", "complete-no-repetition")
def never_the_same_word_again(prompt, skips, masks, vocab, steps):
    """You stopped where a word would come again.

    A word may come more often: the text ends only where every vote is zero.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any() or vocab[votes.argmax()] in text:
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-new-words-only")
def only_words_not_yet_said(prompt, skips, masks, vocab, steps):
    """You added only words that are not yet in the text.

    A word may come more often: add the winner of all words.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab) * ~np.isin(vocab, text)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-numbers")
def numbers_appended(prompt, skips, masks, vocab, steps):
    """You added the winner's number, not the word.

    The text is a list of words, and the next step looks up what you added. Which argument turns a place into a word?

    Add `vocab[votes.argmax()]`.
    """
    text = complete(prompt, skips, masks, vocab, steps)
    return text[: len(prompt)] + [vocab.index(word) for word in text[len(prompt) :]][:1]


@misconception("complete", "complete-joined")
def joined(prompt, skips, masks, vocab, steps):
    """You returned one text, not a list of words.

    Return the list: joining is up to the caller.
    """
    return " ".join(complete(prompt, skips, masks, vocab, steps))


@misconception("complete", "complete-last-word")
def last_word(prompt, skips, masks, vocab, steps):
    """You returned the last word only.

    Return the whole text: the prompt, followed by the words added.
    """
    return complete(prompt, skips, masks, vocab, steps)[-1]


@misconception("complete", "complete-nothing-without-votes")
def nothing_without_votes(prompt, skips, masks, vocab, steps):
    """Where all votes were zero, you returned None instead of the text so far.

    Stop there, and return the text as it is: the prompt and the words added before.
    """
    text = complete(prompt, skips, masks, vocab, steps)
    return text if len(text) == len(prompt) + steps else None


@misconception("complete", "complete-first-words-mask")
def mask_of_the_first_word(prompt, skips, masks, vocab, steps):
    """You asked for the mask of the text's first word.

    Which of the text's words is the query? The mask must be that one's.

    The last word is the query: `mask_for(text, masks, vocab)` takes it.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text[:1], masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-mask-on-votes")
def mask_on_the_votes(prompt, skips, masks, vocab, steps):
    """You masked the words that are voted for instead of the words that vote.

    Give the mask to `selective_vote`, which multiplies the features by it.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = mask_for(text, masks, vocab) * selective_vote(text, skips, np.ones(len(vocab)), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-one-past-zero-votes")
def one_past_zero_votes(prompt, skips, masks, vocab, steps):
    """Where all votes were zero, you added one more word before you stopped.

    Look at the votes first, and append only if one of them is not zero.
    """
    text = complete(prompt, skips, masks, vocab, steps)
    return text if len(text) == len(prompt) + steps else [*text, vocab[0]]


@misconception("complete", "complete-prompt-without-votes")
def prompt_without_votes(prompt, skips, masks, vocab, steps):
    """Where all votes were zero, you returned the prompt without the words added before.

    Stop there, and return the text as it is.
    """
    text = complete(prompt, skips, masks, vocab, steps)
    return text if len(text) == len(prompt) + steps else prompt


@misconception("complete", "complete-prompt-twice")
def prompt_twice(prompt, skips, masks, vocab, steps):
    """Your text begins with the prompt twice.

    Begin with a copy of the prompt, append to it, and return that.
    """
    return prompt + complete(prompt, skips, masks, vocab, steps)


@misconception("complete", "complete-prompt-votes")
def prompt_votes(prompt, skips, masks, vocab, steps):
    """You ask for the mask of the text so far, but let only the prompt vote in every step.

    Vote on the text so far: its last word is the current word, and the words added before vote too.
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(prompt, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[votes.argmax()])
    return text


@misconception("complete", "complete-minus-zero")
def minus_zero(prompt, skips, masks, vocab, steps):
    """You take the new words from the end, as `text[-added:]`, which is the whole text when none was added: -0 is 0.

    Print `[1, 2, 3][-0:]`. From which place on, counted from the front, are the words new?
    """
    text = complete(prompt, skips, masks, vocab, steps)
    return [*prompt, *text[-(len(text) - len(prompt)) :]]


@misconception("complete", "complete-unsteady-sort")
def ranked_by_an_unsteady_sort(prompt, skips, masks, vocab, steps):
    """Of many words with equal votes another than the first may win: your sort does not keep equal ones in order.

    `np.argsort` promises no order among equals unless you ask for a stable kind. Do you need all ranks, or one winner?
    """
    text = list(prompt)
    for _ in range(steps):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not votes.any():
            break
        text.append(vocab[np.argsort(-votes)[0]])
    return text
