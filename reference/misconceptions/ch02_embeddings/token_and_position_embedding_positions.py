"""What goes wrong in `TokenAndPositionEmbedding`, continued: which positions, and how the rows are joined."""

import torch

from reference.ch02_embeddings import TokenAndPositionEmbedding
from reference.misconceptions import misconception


@misconception("TokenAndPositionEmbedding", "token-position-padding")
class CountsWordsOtherThanZero(TokenAndPositionEmbedding):
    """You take id 0 for padding and count the other words only, so from an id 0 on the positions are too small.

    No id is special here. Write down the positions of the ids 0, 7, 3: does it matter that there is a 0?

    Word t has position t: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(ids.ne(0).long().cumsum(dim=1) - 1)


@misconception("TokenAndPositionEmbedding", "token-position-padding-first-row")
class GivesZeroTheFirstPosition(TokenAndPositionEmbedding):
    """You take id 0 for padding: it gets row 0 of the positions, and the other words are counted from 1.

    No id is special here. Write down the positions of the ids 7, 0, 3: at which place does the 7 stand?

    Word t has position t: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids):
        words = ids.ne(0).long()
        return self.token(ids) + self.position(words.cumsum(dim=1) * words)


@misconception("TokenAndPositionEmbedding", "token-position-padding-empty")
class EmptiesTheVectorsOfZero(TokenAndPositionEmbedding):
    """You set the vectors of id 0 to zero, as if it were padding.

    No id is special here: every id gets its row of the token table plus the row of its position.
    """

    def forward(self, ids):
        return super().forward(ids) * ids.ne(0)[..., None]


@misconception("TokenAndPositionEmbedding", "token-position-padding-token")
class EmptiesTheTokenZero(TokenAndPositionEmbedding):
    """You leave out the token vector of id 0, as if it were padding.

    No id is special here: every id gets its row of the token table plus the row of its position.
    """

    def forward(self, ids):
        positions = self.position(torch.arange(ids.shape[1], device=ids.device))
        return self.token(ids) * ids.ne(0)[..., None] + positions


@misconception("TokenAndPositionEmbedding", "token-position-reversed")
class CountsBackwards(TokenAndPositionEmbedding):
    """You count the positions backwards: the last word gets row 0.

    Word t has position t, counted from the beginning.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device).flip(0))


@misconception("TokenAndPositionEmbedding", "token-position-subtracted")
class SubtractsPositions(TokenAndPositionEmbedding):
    """You subtract the positions from the tokens.

    Add the two rows.
    """

    def forward(self, ids):
        return 2 * self.token(ids) - super().forward(ids)


@misconception("TokenAndPositionEmbedding", "token-position-mean")
class TakesTheMean(TokenAndPositionEmbedding):
    """You take the mean of the two rows, half of their sum.

    Add the two rows, and divide by nothing.
    """

    def forward(self, ids):
        return super().forward(ids) / 2


@misconception("TokenAndPositionEmbedding", "token-position-sum-scaled")
class ScalesTheSum(TokenAndPositionEmbedding):
    """You scale the sum by √D.

    Learned vectors are added as they are: no root here.
    """

    def forward(self, ids):
        return super().forward(ids) * self.token.embedding_dim**0.5


@misconception("TokenAndPositionEmbedding", "token-position-normalised")
class NormalisesTheSum(TokenAndPositionEmbedding):
    """You normalise the sum, as a layer norm does.

    Return the sum as it is; a norm is a layer of its own and comes in chapter 6.
    """

    def forward(self, ids):
        return torch.nn.functional.layer_norm(super().forward(ids), (self.token.embedding_dim,))


@misconception("TokenAndPositionEmbedding", "token-position-first-sentence")
class ReadsTheFirstSentence(TokenAndPositionEmbedding):
    """Your vectors are those of the first sentence alone.

    Look up all ids, (B, T): `self.token(ids)` keeps both axes.
    """

    def forward(self, ids):
        return super().forward(ids[:1])


@misconception("TokenAndPositionEmbedding", "token-position-remembered-words")
class CountsEachWordAgain(TokenAndPositionEmbedding):
    """Your positions are how often the same word came before, not where the word stands.

    Word t has position t, whatever words came before it.
    """

    def forward(self, ids):
        before = (ids[:, :, None] == ids[:, None, :]).tril(-1).sum(dim=-1)
        return self.token(ids) + self.position(before)


@misconception("TokenAndPositionEmbedding", "token-position-length")
class AsksWithTheLength(TokenAndPositionEmbedding):
    """You index the position table with a Python number, such as the length T, where it takes a tensor of positions.

    A text of three words needs three rows of the table. Which numbers do you index it with, and how many are they?

    Make the positions first: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(ids.shape[1])


@misconception("TokenAndPositionEmbedding", "token-position-padding-kept")
class LeavesZeroAtTheFirstPosition(TokenAndPositionEmbedding):
    """You take id 0 for padding: it gets row 0 of the positions, and the words behind it are counted without it.

    No id is special here. Write down the positions of the ids 7, 0, 3: at which place does the 3 stand?

    Word t has position t: `torch.arange(ids.shape[1], device=ids.device)`.
    """

    def forward(self, ids):
        words = ids.ne(0).long()
        return self.token(ids) + self.position((words.cumsum(dim=1) - 1) * words)


@misconception("TokenAndPositionEmbedding", "token-position-as-many-as-sentences")
class CountsAsManyAsSentences(TokenAndPositionEmbedding):
    """You make as many positions as there are sentences: B of them, where each sentence needs T.

    ids are (B, T). Which of the two sizes does `len` give?

    Count along T: `torch.arange(ids.shape[1])`.
    """

    def forward(self, ids):
        return self.token(ids) + self.position(torch.arange(len(ids), device=ids.device))


@misconception("TokenAndPositionEmbedding", "token-position-keeps-first-length")
class KeepsTheFirstPositions(TokenAndPositionEmbedding):
    """You keep the positions of the first text, which are too few for a longer one.

    Let the layer read two words and then five: which positions do the last three get? What depends on the length of a
    text is made anew for each text.
    """

    def forward(self, ids):
        if not hasattr(self, "places"):
            self.places = torch.arange(ids.shape[1], device=ids.device)
        return self.token(ids) + self.position(self.places[: ids.shape[1]])


@misconception("TokenAndPositionEmbedding", "token-position-dropout")
class Dropped(TokenAndPositionEmbedding):
    """In training you drop some of the numbers.

    This layer has no dropout, and no rate for one. Return the sum as it is.
    """

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        return torch.nn.functional.dropout(self.token(ids) + self.position(places), 0.1, self.training)


@misconception("TokenAndPositionEmbedding", "token-position-frozen-in-evaluation")
class FreezesInEvaluation(TokenAndPositionEmbedding):
    """In evaluation no gradient reaches the tables: what you return is recorded in training only.

    A caller that wants no gradients says so itself, with `torch.no_grad()`. What in your code asks for `self.training`?
    """

    def forward(self, ids):
        vectors = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        return vectors if self.training else vectors.detach()
