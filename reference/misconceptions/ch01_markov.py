"""What goes wrong in chapter 1: counting across ends, dividing by the wrong sum, pulling out columns."""

import numpy as np

from reference.ch01_markov import (
    mask_for,
    one_hot,
    second_order_matrix,
    selective_vote,
    skip_features,
    skip_matrix,
    vote,
)
from reference.misconceptions import misconception


@misconception("vocabulary", "vocabulary-first-seen")
def in_order_of_appearance(sentences):
    """Your words are in the order of their first appearance, not sorted.

    Sort the distinct words at the end: then a word's number does not depend on which sentence comes first.
    """
    return list(dict.fromkeys(word for sentence in sentences for word in sentence))


@misconception("vocabulary", "vocabulary-duplicates")
def with_duplicates(sentences):
    """Your vocabulary lists a word as often as it occurs.

    Collect the words in a set before sorting: a word needs one number, and V counts distinct words.
    """
    return sorted(word for sentence in sentences for word in sentence)


@misconception("vocabulary", "vocabulary-by-frequency")
def by_frequency(sentences):
    """Your words are sorted by how often they occur, not by the alphabet.

    Give the words themselves to `sorted`. By frequency, the numbers would change with every sentence you add.
    """
    words = [word for sentence in sentences for word in sentence]
    return sorted(dict.fromkeys(words), key=lambda word: -words.count(word))


@misconception("vocabulary", "vocabulary-lower-case")
def lower_case(sentences):
    """You made all words lower case.

    Keep the words as they are: "Ran" and "ran" are two words, and `one_hot` will look for both.
    """
    return sorted({word.lower() for sentence in sentences for word in sentence})


@misconception("vocabulary", "vocabulary-sorted-without-case")
def sorted_without_case(sentences):
    """Your words are sorted as if capitals were small letters.

    Use `sorted` without a key: Python's own order puts all capitals before the small letters.
    """
    return sorted({word for sentence in sentences for word in sentence}, key=lambda word: (word.lower(), word))


@misconception("one_hot", "one-hot-transposed")
def words_in_rows(tokens, vocab):
    """Your matrix has a row per word of the vocabulary and a column per token.

    Make it (T, V), a row per token: a text is then read from top to bottom, and row t can be multiplied with a table.
    """
    return np.array([[float(word == token) for token in tokens] for word in vocab])


@misconception("one_hot", "one-hot-bag-of-words")
def bag_of_words(tokens, vocab):
    """You added all tokens up into one vector, a bag of words that has lost their order.

    Keep a row for each token: (T, V), with a single 1 in each row.
    """
    return np.array([float(tokens.count(word)) for word in vocab])


@misconception("one_hot", "one-hot-integers")
def integers(tokens, vocab):
    """Your ones and zeros are integers.

    Make them float64, as `np.zeros` and `np.eye` do by default: these rows will meet shares and weights.
    """
    column = {word: number for number, word in enumerate(vocab)}
    return np.eye(len(vocab), dtype=int)[[column[token] for token in tokens]]


@misconception("one_hot", "one-hot-own-numbers")
def numbered_by_the_text(tokens, vocab):
    """You numbered the words of this text afresh instead of taking their places in `vocab`.

    The column of a word is its place in `vocab`, whatever text it stands in; otherwise two texts cannot be compared.
    """
    own = sorted(set(tokens))
    return np.eye(len(vocab))[[own.index(token) for token in tokens if token in vocab]]


@misconception("one_hot", "one-hot-unknown-zeros")
def zeros_for_unknown_words(tokens, vocab):
    """A word that is not in the vocabulary silently becomes a row of zeros.

    Raise a KeyError that names the word; a dictionary from word to number does so by itself.
    """
    return np.array([[float(word == token) for word in vocab] for token in tokens])


@misconception("one_hot", "one-hot-unknown-value-error")
def value_error_for_unknown_words(tokens, vocab):
    """A word that is not in the vocabulary raises ValueError, as `vocab.index` does, instead of KeyError.

    Look the word up in a dictionary from word to number: it raises KeyError, names the word, and is faster.
    """
    return np.eye(len(vocab))[[vocab.index(token) for token in tokens]]


@misconception("lookup", "lookup-transposed")
def table_transposed(one_hots, table):
    """You multiplied with the transposed table, which pulls out columns instead of rows.

    Leave the table as it is: one-hot rows on its left, `one_hots @ table`, pull out its rows.
    """
    return one_hots @ table.T


@misconception("lookup", "lookup-table-order")
def table_order(one_hots, table):
    """You gave each row that occurs once, in the order of the table, not a row per token.

    A mask of the words that occur forgets their order; the product `one_hots @ table` has a row for every token.
    """
    return table[one_hots.any(axis=0)]


@misconception("similarity", "similarity-cosine")
def cosine(a, b):
    """You divided by the lengths of the rows: that is the cosine, not the dot product.

    Return the plain dot products `a @ b.T`; a long row may count for more.
    """
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    return a @ b.T / lengths


@misconception("similarity", "similarity-swapped")
def swapped(a, b):
    """Your rows belong to b and your columns to a: the result is transposed.

    Put a on the left: `a @ b.T` has a row per row of a and a column per row of b.
    """
    return b @ a.T


@misconception("similarity", "similarity-scaled")
def scaled(a, b):
    """You divided the dot products by √D.

    Leave them plain here; the scale comes with scaled dot-product attention, in chapter 3.
    """
    return a @ b.T / np.sqrt(a.shape[1])


@misconception("similarity", "similarity-row-by-row")
def row_by_row(a, b):
    """You multiplied row t of a with row t of b only, entry by entry.

    Every row of a meets every row of b: the matrix product `a @ b.T` has all (T, S) pairs.
    """
    return (a * b).sum(axis=1)


@misconception("transition_matrix", "transition-columns")
def columns_normalised(sentences, vocab):
    """Your columns sum to 1 instead of your rows.

    Divide by the sum along axis 1, with `keepdims=True`: a row holds what may follow one word.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)


@misconception("transition_matrix", "transition-nan")
def nan_for_terminal_words(sentences, vocab):
    """A word that is never followed has a row of NaN, because you divided zero by zero.

    Divide by 1 where the row's sum is 0, for example by `np.maximum(sums, 1)`: the row stays zero.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=1, keepdims=True)


@misconception("transition_matrix", "transition-across-sentences")
def across_sentences(sentences, vocab):
    """You counted the first word of a sentence as following the last word of the one before.

    Count within one sentence at a time. Where a sentence ends, nothing follows.
    """
    hot = one_hot([word for sentence in sentences for word in sentence], vocab)
    counts = hot[:-1].T @ hot[1:]
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-swapped")
def next_in_rows(sentences, vocab):
    """Your rows are the next word and your columns the current one: the matrix is transposed.

    Count at [current, next], so that a word's row says what may follow it.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).T


@misconception("transition_matrix", "transition-last-positions-counted")
def all_occurrences_as_total(sentences, vocab):
    """You divided by how often a word occurs, sentence ends included, so that rows sum to less than 1.

    Divide by how often the word is followed: the sum of its row of counts.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    return sum(hot[:-1].T @ hot[1:] for hot in hots) / sum(hot.sum(axis=0) for hot in hots)[:, None]


@misconception("transition_matrix", "transition-counts")
def not_normalised(sentences, vocab):
    """Your entries are counts, not shares.

    Divide each row by its sum, so that it says with which share each word follows.
    """
    return sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))


@misconception("next_word", "next-word-column")
def column(word, transitions, vocab):
    """You pulled out the word's column: what comes before it, not what follows it.

    Put the one-hot vector on the left, `one_hot([word], vocab)[0] @ transitions`: on the left it pulls out a row.
    """
    return transitions @ one_hot([word], vocab)[0]


@misconception("next_word", "next-word-winner-only")
def winner_only(word, transitions, vocab):
    """You returned a 1 for the likeliest next word only.

    Return the whole row of shares; choosing from it is a later step.
    """
    return np.eye(len(vocab))[transitions[vocab.index(word)].argmax()]


@misconception("next_word", "next-word-matrix")
def one_row_matrix(word, transitions, vocab):
    """You returned a matrix of one row instead of a vector.

    `one_hot([word], vocab)` has shape (1, V): take its row 0, before or after the product.
    """
    return one_hot([word], vocab) @ transitions


@misconception("second_order_matrix", "second-order-swapped")
def current_first(sentences, vocab):
    """Your first axis is the current word and your second the previous one: the pair is swapped.

    Count at [previous, current, next]: the words stand in the order in which they are read.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->cpn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-across-sentences")
def pairs_across_sentences(sentences, vocab):
    """You counted pairs that reach from one sentence into the next.

    Count within one sentence at a time: the last word of one and the first of the next are no pair.
    """
    hot = one_hot([word for sentence in sentences for word in sentence], vocab)
    counts = np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-last-positions-counted")
def all_pairs_as_total(sentences, vocab):
    """You divided by how often a pair occurs, sentence ends included, so that rows sum to less than 1.

    Only pairs that are followed by a word count: divide by the sum of the counts along the last axis.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(sum(hot[:-1].T @ hot[1:] for hot in hots), 1)[:, :, None]


@misconception("second_order_matrix", "second-order-nan")
def nan_for_unseen_pairs(sentences, vocab):
    """Pairs that are never followed have rows of NaN, because you divided zero by zero.

    Divide by 1 where the sum is 0, for example by `np.maximum(sums, 1)`: most of the V² rows stay zero.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)


@misconception("second_order_matrix", "second-order-with-skips")
def any_earlier_word(sentences, vocab):
    """You took any earlier word as the previous one.

    Here the pair are neighbours: previous, current and next stand side by side. Skips come next.
    """
    return skip_matrix(sentences, vocab)


@misconception("skip_matrix", "skip-neighbours-only")
def neighbours_only(sentences, vocab):
    """You counted pairs of neighbours only: nothing is skipped.

    At each position take every word before it in the sentence, at whatever distance.
    """
    return second_order_matrix(sentences, vocab)


@misconception("skip_matrix", "skip-current-included")
def current_included(sentences, vocab):
    """You counted the current word as standing before itself.

    Stop one short of the position: `sentence[:t]` holds the words before position t, without t itself.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-future-included")
def future_included(sentences, vocab):
    """You paired each word with all words of its sentence, those that come later included.

    Only what stands before the current position may speak: at prediction time the rest is not yet written.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        counts += np.einsum("e,tc,tn->ecn", hot.max(axis=0), hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-duplicates-counted")
def duplicates_counted(sentences, vocab):
    """A word that stands twice before a position was counted twice there.

    Take the set of the earlier words, so that each counts once per position.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        before = np.cumsum(hot, axis=0) - hot
        counts += np.einsum("te,tc,tn->ecn", before[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-neighbour-left-out")
def neighbour_left_out(sentences, vocab):
    """You left out the word right before the current one.

    "Anywhere before" includes the neighbour: the earlier words are all of `sentence[:t]`.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-3], hot[2:-1], hot[3:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-last-positions-counted")
def all_positions_as_total(sentences, vocab):
    """You divided by all positions, a sentence's last one included, so that rows sum to less than 1.

    A last position is followed by nothing and does not count: divide by the sum of the counts along the last axis.
    """
    counts, totals = np.zeros((len(vocab),) * 3), np.zeros((len(vocab),) * 2)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
        totals += seen.T @ hot
    return counts / np.maximum(totals, 1)[:, :, None]


@misconception("skip_matrix", "skip-across-sentences")
def skips_across_sentences(sentences, vocab):
    """You looked back into earlier sentences.

    Begin anew with each sentence: only words before the position in the same sentence make a pair.
    """
    hot = one_hot([word for sentence in sentences for word in sentence], vocab)
    seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
    counts = np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-swapped")
def skips_current_first(sentences, vocab):
    """Your first axis is the current word and your second the earlier one: the pair is swapped.

    Count at [earlier, current, next]: the words stand in the order in which they are read.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
        counts += np.einsum("te,tc,tn->cen", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-current-as-total")
def share_of_the_current_word(sentences, vocab):
    """You divided by how often the current word is followed at all, with or without `earlier` before it.

    Divide each row [earlier, current] by its own sum: among the positions that have `earlier` before them.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(sum(one_hot(sentence[:-1], vocab).sum(axis=0) for sentence in sentences), 1)[:, None]


@misconception("skip_features", "features-last-included")
def last_included(context, vocab):
    """You counted the last word as standing before itself.

    Leave out the last position: the features are the words of `context[:-1]`.
    """
    return np.array([float(word in context) for word in vocab])


@misconception("skip_features", "features-duplicates-counted")
def occurrences(context, vocab):
    """A word that stands twice before the last one has activity 2.

    Activities are 1 or 0, present or not: write a 1 instead of adding one.
    """
    return np.array([float(context[:-1].count(word)) for word in vocab])


@misconception("skip_features", "features-neighbour-only")
def neighbour_only(context, vocab):
    """Only the word right before the last one is active.

    All words before the last one are features, at whatever distance.
    """
    return np.array([float(word in context[-2:-1]) for word in vocab])


@misconception("skip_features", "features-last-word-never")
def last_word_never(context, vocab):
    """You left the last word out even where it also stood earlier.

    Leave out the last position, not the word: what stands in `context[:-1]` is active, whatever it is.
    """
    return np.array([float(word in context and word != context[-1]) for word in vocab])


@misconception("vote", "vote-averaged")
def votes_averaged(context, skips, vocab):
    """You divided the votes by the number of active pairs.

    Add the rows up and leave the sum: 5 to 4 tells how many pairs spoke, .56 to .44 does not.
    """
    features = skip_features(context, vocab)
    return features @ skips[:, vocab.index(context[-1])] / max(features.sum(), 1)


@misconception("vote", "vote-as-probabilities")
def votes_as_probabilities(context, skips, vocab):
    """You divided the votes by their sum, as if they were probabilities.

    Add the rows up and leave the sum: 5 to 4 are votes and need not sum to 1.
    """
    votes = skip_features(context, vocab) @ skips[:, vocab.index(context[-1])]
    return votes / votes.sum() if votes.any() else votes


@misconception("vote", "vote-duplicates-counted")
def votes_of_every_occurrence(context, skips, vocab):
    """A word that stands twice before the last one votes twice.

    Each pair votes once: multiply with `skip_features`, which are 0 or 1.
    """
    return one_hot(context[:-1], vocab).sum(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-last-included")
def last_word_votes(context, skips, vocab):
    """The last word votes as if it stood before itself.

    Only words of `context[:-1]` are active; `skip_features` says which.
    """
    return one_hot(context, vocab).max(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-neighbour-only")
def neighbour_votes(context, skips, vocab):
    """Only the word right before the last one votes.

    All words before the last one vote: add the rows of all active features.
    """
    return one_hot(context[-2:-1], vocab).sum(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-axes-swapped")
def last_word_on_the_first_axis(context, skips, vocab):
    """You took the rows skips[last word, earlier] instead of skips[earlier, last word].

    The first axis of `skips` is the earlier word: fix the last word on the second one, `skips[:, i]`.
    """
    return skip_features(context, vocab) @ skips[vocab.index(context[-1])]


@misconception("selective_vote", "selective-mask-ignored")
def mask_ignored(context, skips, mask, vocab):
    """Your mask changes nothing: all active pairs vote.

    Multiply the feature activities by the mask before the rows are added up.
    """
    return vote(context, skips, vocab)


@misconception("selective_vote", "selective-mask-inverted")
def mask_inverted(context, skips, mask, vocab):
    """Your mask works the wrong way round: it silences the words it should let speak.

    1 means "may vote", here and for every mask of the course: multiply by the mask, not by 1 − mask.
    """
    return ((1 - mask) * skip_features(context, vocab)) @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-mask-on-votes")
def mask_on_votes(context, skips, mask, vocab):
    """You masked the words that are voted for instead of the words that vote.

    Multiply the feature activities by the mask first, then add up the rows.
    """
    return mask * vote(context, skips, vocab)


@misconception("selective_vote", "selective-absent-words-vote")
def absent_words_vote(context, skips, mask, vocab):
    """Every word the mask allows votes, even one that does not stand in the context.

    Multiply the mask with the feature activities: whoever votes must be allowed and present.
    """
    return mask @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-averaged")
def masked_votes_averaged(context, skips, mask, vocab):
    """You divided the votes by the sum of the masked activities.

    Add the masked rows up and leave the sum: they are votes, not shares. Weights that sum to 1 come with the softmax.
    """
    activities = mask * skip_features(context, vocab)
    return activities @ skips[:, vocab.index(context[-1])] / (activities.sum() or 1)


@misconception("mask_for", "mask-for-column")
def mask_column(context, masks, vocab):
    """You pulled out a column of the masks instead of a row.

    Put the query on the left, `query @ masks`: the mask of word i is row i.
    """
    return masks @ one_hot(context[-1:], vocab)[0]


@misconception("mask_for", "mask-for-all-words")
def masks_added(context, masks, vocab):
    """You added up the masks of all words of the context.

    Only the last word asks: its one-hot vector alone is the query.
    """
    return one_hot(context, vocab).sum(axis=0) @ masks


@misconception("mask_for", "mask-for-word-before")
def word_before_asks(context, masks, vocab):
    """You pulled out the mask of the last word but one.

    The most recent word is the query: `context[-1]`.
    """
    return masks[vocab.index(context[-2])]


@misconception("mask_for", "mask-for-matrix")
def mask_as_matrix(context, masks, vocab):
    """You returned a matrix of one row instead of a vector.

    The query has shape (1, V), and so has its product with the masks: return row 0 of it.
    """
    return one_hot(context[-1:], vocab) @ masks


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

    Stop there: the arg-max of zeros is 0, but nobody voted for that word.
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

    Use `selective_vote` with the mask of the text's last word, `mask_for(text, masks, vocab)`.
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

    Begin with a copy, `text = list(prompt)`, and append to that.
    """
    for _ in range(steps):
        votes = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab)
        if not votes.any():
            break
        prompt.append(vocab[votes.argmax()])
    return prompt
