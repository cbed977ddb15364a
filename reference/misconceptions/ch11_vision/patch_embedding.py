"""What goes wrong in `PatchEmbedding`."""

import math

import torch

from reference.ch11_vision import PatchEmbedding, patchify
from reference.misconceptions import misconception


@misconception("PatchEmbedding", "patch-embedding-cls-without-position")
class ClsWithoutPosition(PatchEmbedding):
    """You add the positions before the class token joins, so it gets none (and position 0 is never used).

    There are N + 1 positions, the first for the class token: concatenate first, then add.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch)) + self.positions[:, 1:]
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1)


@misconception("PatchEmbedding", "patch-embedding-positions-shifted")
class PositionsShifted(PatchEmbedding):
    """You add the first N positions to the patches before the class token joins: all are one place off.

    Position 0 belongs to the class token and patch k has position k + 1: concatenate first, then add.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch)) + self.positions[:, :-1]
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1)


@misconception("PatchEmbedding", "patch-embedding-cls-last")
class ClsLast(PatchEmbedding):
    """You put the class token after the patches.

    It comes first, at position 0, which is where the model reads it; swap the two in `torch.cat`.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([tokens, self.cls.expand(len(images), -1, -1)], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-cls-not-expanded")
class ClsNotExpanded(PatchEmbedding):
    """You concatenate the class token as it is stored, (1, 1, D), which works for a batch of one only.

    Concatenation does not broadcast; `self.cls.expand(B, -1, -1)` gives one to every picture without copying.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls, tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-no-positions")
class NoPositions(PatchEmbedding):
    """You do not add the positions.

    Attention does not know the order of what it reads; add `self.positions` to all N + 1 vectors.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1)


@misconception("PatchEmbedding", "patch-embedding-no-cls")
class NoCls(PatchEmbedding):
    """There is no class token in your sequence: it has N vectors instead of N + 1.

    Put `self.cls`, expanded to the batch, in front of the patches.
    """

    def forward(self, images):
        return self.projection(patchify(images, self.patch)) + self.positions[:, 1:]


@misconception("PatchEmbedding", "patch-embedding-cls-added")
class ClsAdded(PatchEmbedding):
    """You add the class token to every patch.

    It is a vector of its own in the sequence, the first of N + 1: concatenate along the axis of positions.
    """

    def forward(self, images):
        return self.projection(patchify(images, self.patch)) + self.cls + self.positions[:, 1:]


@misconception("PatchEmbedding", "patch-embedding-channels-first")
class ChannelsFirst(PatchEmbedding):
    """Your patches go into the projection flattened as (C, P, P).

    The projection expects them as `patchify` makes them, (P, P, C), each pixel's channels side by side.
    """

    def forward(self, images):
        patches = patchify(images, self.patch).unflatten(2, (self.patch**2, -1)).transpose(2, 3).flatten(2)
        first = self.cls.expand(len(images), -1, -1)
        return torch.cat([first, self.projection(patches)], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-reshaped")
class Reshaped(PatchEmbedding):
    """You reshape the pictures to (B, N, P·P·C), which makes strips of them instead of squares.

    Cut them with `patchify`.
    """

    def forward(self, images):
        patches = images.reshape(len(images), -1, self.patch**2 * images.shape[1])
        first = self.cls.expand(len(images), -1, -1)
        return torch.cat([first, self.projection(patches)], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-mirrored")
class Mirrored(PatchEmbedding):
    """You swap height and width of the pictures.

    They are square, so no error appears, but everything is read column by column. In (B, C, H, W) height comes first.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images.transpose(2, 3), self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-columns-first")
class ColumnsFirst(PatchEmbedding):
    """Your patches are in the sequence column by column.

    Patch k, counted row by row as `patchify` does, is at place k + 1.
    """

    def forward(self, images):
        rows = images.shape[2] // self.patch
        tokens = self.projection(patchify(images, self.patch)).unflatten(1, (rows, rows)).transpose(1, 2).flatten(1, 2)
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-scaled")
class Scaled(PatchEmbedding):
    """You multiply the patches by √D, as the Transformer of 2017 does with its words.

    The Vision Transformer does not (eq. 1): projection plus position is all.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch)) * math.sqrt(self.cls.shape[-1])
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-activation")
class Activation(PatchEmbedding):
    """You put a ReLU after the projection.

    The embedding of a patch is a linear map of its pixels (eq. 1), without an activation.
    """

    def forward(self, images):
        tokens = torch.relu(self.projection(patchify(images, self.patch)))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-no-bias")
class NoBias(PatchEmbedding):
    """You multiply by the projection's weight and leave out its bias.

    Call the layer, `self.projection(patches)`; it does both.
    """

    def forward(self, images):
        tokens = patchify(images, self.patch) @ self.projection.weight.T
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-squeezed")
class Squeezed(PatchEmbedding):
    """You squeeze the result, which drops the batch when it holds one picture.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """

    def forward(self, images):
        return super().forward(images).squeeze()


@misconception("PatchEmbedding", "patch-embedding-frozen-cls")
class FrozenCls(PatchEmbedding):
    """Your class token cannot learn: no gradient reaches it (detach, .data, or copied into a new tensor).

    Expand the parameter itself, `self.cls.expand(B, -1, -1)`.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.detach().expand(len(images), -1, -1), tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-cls-replaced")
class ClsReplaced(PatchEmbedding):
    """In `forward` you change the parameter `cls` itself: you put another in its place, or write into it.

    A new one is unknown to the optimizer and may fit no other batch. Which tensor does this call need, and which stays?
    """

    def forward(self, images):
        self.cls = torch.nn.Parameter(self.cls.expand(len(images), -1, -1).clone())
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls, tokens], dim=1) + self.positions


@misconception("PatchEmbedding", "patch-embedding-frozen-positions")
class FrozenPositions(PatchEmbedding):
    """Your positions cannot learn: no gradient reaches them (detach, .data, or a buffer).

    In this model positions are learned like any other weight; add the parameter itself.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        return torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1) + self.positions.detach()


@misconception("PatchEmbedding", "patch-embedding-no-grad")
class NoGrad(PatchEmbedding):
    """No gradient comes back from your embedding at all: it computes under `no_grad`, or detaches the result.

    Then neither projection nor class token nor positions can learn; leave gradients switched on.
    """

    def forward(self, images):
        return super().forward(images).detach()


@misconception("PatchEmbedding", "patch-embedding-float32")
class Float32(PatchEmbedding):
    """Your result is float32 whatever the model and the pictures are.

    A sequence that starts as `torch.zeros(...)` has the default dtype; `torch.cat` keeps that of its parts.
    """

    def forward(self, images):
        return super().forward(images).float()


@misconception("PatchEmbedding", "patch-embedding-device")
class Device(PatchEmbedding):
    """You give every picture its class token through a tensor on the default device.

    On a GPU the two cannot be combined; `self.cls.expand(B, -1, -1)` stays where the parameter is.
    """

    def forward(self, images):
        tokens = self.projection(patchify(images, self.patch))
        first = torch.zeros(len(images), 1, 1, dtype=images.dtype) + self.cls
        return torch.cat([first, tokens], dim=1) + self.positions
