"""What goes wrong in `build_digits`."""

import torch
from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


@misconception("build_digits", "digits-nine")
def nine_classes():
    """Your model knows nine digits, not ten.

    0 is a digit too: `num_classes=10`.
    """
    return mine.VisionTransformer(8, 4, 1, 9, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-in-colour")
def in_colour():
    """Your model expects pictures with three channels.

    These are grey: `channels=1`.
    """
    return mine.VisionTransformer(8, 4, 3, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-too-large")
def too_large():
    """Your model expects larger pictures than these.

    They have 8 × 8 pixels: `image_size=8`.
    """
    return mine.VisionTransformer(28, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-without-places")
def without_places():
    """Your model gives the same logits when the halves of a picture change places.

    A bag of patches is no picture, and nothing is seen of a picture that never reaches the class token. Is each patch's
    position added, and is `mine.VisionTransformer` left as it is?
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    nn.init.zeros_(model.embedding.positions)
    return model


@misconception("build_digits", "digits-nothing")
def nothing():
    """You return nothing: the `return` is missing.

    Build the model, and return it as the last line of the function.
    """
    return


@misconception("build_digits", "digits-class")
def class_of_digits():
    """You return the class, not a model.

    Call it with its sizes: `mine.VisionTransformer(8, 4, 1, 10, ...)`.
    """
    return mine.VisionTransformer


@misconception("build_digits", "digits-channels-as-classes")
def channels_and_classes_swapped():
    """Your model expects pictures of ten channels: the numbers of channels and of classes are swapped.

    In order: image_size, patch, channels, num_classes. Give them by name: `channels=1, num_classes=10`.
    """
    return mine.VisionTransformer(8, 4, 10, 1, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-no-channels")
def no_channels():
    """An argument of `mine.VisionTransformer` is missing: `num_blocks`, or one before it, so that the others move up.

    In order: image_size, patch, channels, num_classes, width, num_heads, hidden, num_blocks. Give them by name.
    """
    return mine.VisionTransformer(8, 4, 10, 32, 4, 64, 2)


@misconception("build_digits", "digits-softmax")
def with_softmax():
    """You end with a softmax: each row of your answer sums to 1.

    Return the logits themselves. `cross_entropy` in training takes the softmax, and a second one makes it learn slowly.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_hook(lambda _, __, logits: logits.softmax(-1))
    return model


@misconception("build_digits", "digits-pair")
def more_than_logits():
    """You return more than the logits.

    This model gives one tensor. If an attention returns a pair, take its first half: `output, _ = attention(...)`.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_hook(lambda _, __, logits: (logits, logits))
    return model


@misconception("build_digits", "digits-ids")
def digits_instead_of_logits():
    """You return one number for each picture instead of ten logits.

    Leave out the `argmax`: training needs all ten, and the grader takes the largest.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_hook(lambda _, __, logits: logits.argmax(-1))
    return model


@misconception("build_digits", "digits-axis-left")
def axis_left():
    """Your logits have an axis too many: (B, 1, 10).

    Take the class token as `x[:, 0]`, not `x[:, :1]`; or take the axis off with `squeeze(1)`.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_hook(lambda _, __, logits: logits[:, None])
    return model


@misconception("build_digits", "digits-squeezed")
def squeezed():
    """For a single picture your answer has lost its first axis.

    `squeeze()` without an axis takes off every axis of size 1, also that of the pictures. Name the axis.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_hook(lambda _, __, logits: logits.squeeze())
    return model


@misconception("build_digits", "digits-pictures-squeezed")
def pictures_squeezed():
    """You squeeze the pictures, and a picture alone loses the axis of the batch too.

    `squeeze(1)` takes off the channel only; `squeeze()` takes off every axis of size 1.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.project, self.head = nn.Linear(16, 32), nn.Linear(32, 10)
            self.places = nn.Parameter(torch.randn(4, 32))

        def forward(self, images):
            x = images.squeeze()
            x = x.unfold(1, 4, 4).unfold(2, 4, 4)
            x = self.project(x.reshape(x.shape[0], 4, 16)) + self.places
            return self.head(x.relu().mean(1))

    return Reader()


@misconception("build_digits", "digits-each-patch")
def each_patch():
    """You return ten logits for each patch, (B, 4, 10).

    A picture gets one answer: average the patches, or read the class token alone, before the last layer.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.cut, self.project, self.head = nn.Unfold(4, stride=4), nn.Linear(16, 32), nn.Linear(32, 10)

        def forward(self, images):
            return self.head(self.project(self.cut(images).mT).relu())

    return Reader()


@misconception("build_digits", "digits-each-token")
def each_token():
    """You return ten logits for each token, (B, 5, 10).

    Read the answer at the class token alone: `x[:, 0]`, before the last layer.
    """
    return nn.Sequential(mine.PatchEmbedding(8, 4, 1, 32), mine.EncoderBlock(32, 4, 64, 0.0), nn.Linear(32, 10))


@misconception("build_digits", "digits-normalised")
def normalised():
    """A picture without any ink gets NaN or infinity.

    You divide by its largest number or its deviation, which is 0 there. Pictures are from 0 to 1 already.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_pre_hook(lambda _, given: (given[0] / given[0].amax((1, 2, 3), keepdim=True),))
    return model


@misconception("build_digits", "digits-batch-mixed")
def batch_mixed():
    """Your model mixes the pictures of a batch: a picture alone gets other logits.

    torch's layers expect (N, B, D) unless you say `batch_first=True`; the axis of pictures must stay apart.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = mine.PatchEmbedding(8, 4, 1, 32)
            self.block = nn.TransformerEncoderLayer(32, 4, 64)
            self.head = nn.Linear(32, 10)

        def forward(self, images):
            return self.head(self.block(self.embedding(images)).mean(1))

    return Reader()


@misconception("build_digits", "digits-eleven")
def eleven_classes():
    """Your model knows eleven digits, not ten.

    0 to 9 are ten: `num_classes=10`.
    """
    return mine.VisionTransformer(8, 4, 1, 11, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-sixteen")
def sixteen_pixels():
    """Your model expects pictures of 16 × 16 pixels.

    They have 8 × 8 pixels: `image_size=8`.
    """
    return mine.VisionTransformer(16, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-twenty-eight")
def twenty_eight_pixels():
    """Your model expects pictures of 28 × 28 pixels, as those of MNIST.

    These have 8 × 8 pixels, in patches of 4 × 4: `image_size=8, patch=4`.
    """
    return mine.VisionTransformer(28, 7, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-vectors")
def vectors():
    """You return a vector for each picture, (B, 32), instead of ten logits.

    A last linear layer turns it into ten numbers: `nn.Linear(32, 10)`.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.head = nn.Identity()
    return model


@misconception("build_digits", "digits-batch-statistics")
def statistics_of_the_batch():
    """You take the mean of the pictures of the batch away from each, so a picture alone becomes an empty one.

    Leave the pixels as they are, from 0 to 1; or use one mean and one deviation for all pictures, fixed before.
    What a picture becomes must not depend on the others.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_pre_hook(lambda _, given: (given[0] - given[0].mean(0, keepdim=True),))
    return model


@misconception("build_digits", "digits-divided-once-more")
def divided_once_more():
    """You divide the pixels by 255, though they are from 0 to 1 already: hardly any ink is left.

    Leave out the division: give the model the pictures as they come.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    model.register_forward_pre_hook(lambda _, given: (given[0] / 255,))
    return model


@misconception("build_digits", "digits-one-logit")
def one_logit():
    """Your model has a single output, not one for each of the ten digits.

    A digit is a choice among ten, not a quantity: 3 is not between 2 and 4 in how it looks. Give each a logit.
    """
    return mine.VisionTransformer(8, 4, 1, 1, width=32, num_heads=4, hidden=64, num_blocks=2)
