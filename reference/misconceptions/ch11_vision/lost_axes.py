"""Axes of size 1 that are squeezed away, and a picture that is taken for a square."""

import math

import torch

from reference.ch11_vision import VisionTransformer
from reference.misconceptions import misconception


@misconception("VisionTransformer", "vit-classes-squeezed")
class ClassesSqueezed(VisionTransformer):
    """You squeeze the last axis of the logits, which drops the classes when there is one of them.

    An axis of size 1 is an axis: the result is (B, classes), with one class too.
    """

    def forward(self, images):
        return super().forward(images).squeeze(-1)


@misconception("VisionTransformer", "vit-images-squeezed")
class ImagesSqueezed(VisionTransformer):
    """You squeeze the pictures before they are embedded, which drops the batch or the channels if there is one.

    The embedding reads (B, C, H, W), with a single picture or a grey one too.
    """

    def forward(self, images):
        x = self.embedding(images.squeeze())
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("unpatchify", "unpatchify-height-for-width")
def height_for_width(patches, image_size, channels):
    """You take the height for the width as well, so the picture comes out (H, H) or does not fit.

    `image_size` holds two numbers. Which of them says how many pixels a row of the picture has?
    """
    height = image_size[0]
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(len(patches), height // patch, -1, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(len(patches), channels, height, height)


@misconception("unpatchify", "unpatchify-side-from-square")
def side_from_the_root_of_n(patches, image_size, channels):
    """You take H / √N for the side of a patch, as if the grid had as many columns as rows.

    A patch has P · P · C numbers, and you know C. What does that say about P?
    """
    height, width = image_size
    patch = height // math.isqrt(patches.shape[1])
    grid = patches.reshape(len(patches), height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(len(patches), channels, height, width)


@misconception("VisionTransformer", "vit-tokens-kept")
class TokensKept(VisionTransformer):
    """You keep the embedded pictures of an earlier batch of the same size, and use them again.

    Other pictures have other vectors. What belongs to one batch goes into local variables, not into `self`.
    """

    def forward(self, images):
        kept = vars(self).setdefault("kept", {})
        if images.shape not in kept:
            kept[images.shape] = self.embedding(images)
        x = kept[images.shape]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-gradients-with-mode")
class GradientsWithMode(VisionTransformer):
    """In evaluation mode no gradient comes back from your model: you switch gradients off together with the mode.

    `eval()` says how a model computes, not what is recorded; leave gradients to the caller.
    """

    def forward(self, images):
        with torch.set_grad_enabled(self.training):
            return super().forward(images)
