"""Class tokens and positions in `PatchEmbedding` that are missing or in the wrong place."""

import torch

from reference.ch11_vision import PatchEmbedding, patchify
from reference.misconceptions import misconception


@misconception("PatchEmbedding", "patch-embedding-joined-along-batch")
class JoinedAlongBatch(PatchEmbedding):
    """You join class token and patches along the batch or the features, not along the sequence.

    The sequence is the second axis: `torch.cat([...], dim=1)`.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=-1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-positions-multiplied")
class PositionsMultiplied(PatchEmbedding):
    """You multiply by the positions where they should be added.

    `torch.cat([cls, tokens], dim=1) + self.positions`.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) * self.positions


@misconception("PatchEmbedding", "patch-embedding-one-position")
class OnePosition(PatchEmbedding):
    """Every place gets the same position, the first.

    There are N + 1 positions, one for each place: add `self.positions` as it is.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions[:, :1]


@misconception("PatchEmbedding", "patch-embedding-positions-rolled")
class PositionsRolled(PatchEmbedding):
    """The class token gets the last position and the patches the first N.

    Places count from the class token on: it is at position 0, patch k at k + 1.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions.roll(1, dims=1)


@misconception("PatchEmbedding", "patch-embedding-zeros-for-cls")
class ZerosForCls(PatchEmbedding):
    """You put zeros in front, not the class token.

    `self.cls` is learned: expand it for each picture.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([torch.zeros_like(tokens[:, :1]), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-mean-for-cls")
class MeanForCls(PatchEmbedding):
    """You put the mean of the patches in front, not the class token.

    `self.cls` is one learned vector, the same for every picture.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([tokens.mean(dim=1, keepdim=True), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-turned-patches")
class TurnedPatches(PatchEmbedding):
    """Within your patches rows and columns of pixels are swapped.

    A patch is read row by row, (P, P, C), as `patchify` gives it.
    """

    def forward(self, images):
        cut = patchify(images, self.patch).unflatten(2, (self.patch, self.patch, -1)).transpose(2, 3).flatten(2)
        return torch.cat([self.cls.expand(len(images), -1, -1), self.projection(cut)], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-normed")
class Normed(PatchEmbedding):
    """You normalise the vectors.

    The blocks have norms of their own: class token, projected patches and positions are all.
    """

    def forward(self, images):
        return torch.nn.functional.layer_norm(super().forward(images), self.cls.shape[-1:])


@misconception("PatchEmbedding", "patch-embedding-positions-by-row")
class PositionsFromOneOn(PatchEmbedding):
    """You give the first patch the class token's position too: patch k has position k.

    The class token is at place 0, patch k at place k + 1.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        first = self.cls.expand(len(images), -1, -1) + self.positions[:, :1]
        return torch.cat([first, tokens + self.positions[:, :-1]], dim=1)


@misconception("PatchEmbedding", "patch-embedding-batch-kept")
class BatchKept(PatchEmbedding):
    """You keep the class tokens that you made for the first batch, and use them for every other.

    The next batch may be smaller or larger. What depends on a batch is made in each call.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        if "first" not in vars(self):
            self.first = self.cls.expand(len(images), -1, -1)
        return torch.cat([self.first, tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-cls-everywhere")
class ClsEverywhere(PatchEmbedding):
    """You add the class token to every patch as well: broadcasting spreads it over all N + 1 places.

    It belongs in the first place alone. While it is zero, as in a new model, nothing shows: set it to ones and look.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.nn.functional.pad(tokens, (0, 0, 1, 0)) + self.cls + self.positions


@misconception("PatchEmbedding", "patch-embedding-cls-grows")
class ClsGrows(PatchEmbedding):
    """Each call adds the first position to the parameter `cls` itself, in place, so the next call adds it once more.

    A parameter changes when the optimizer steps, and at no other time. The sum of the two is a new tensor.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch)) + self.positions[:, 1:]
        self.cls.data += self.positions.data[:, :1]
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1)
