"""What does an exercise's work, or all but a line of it, is refused where a student may come upon it.

A way that takes more effort than the answer is not: docs/threat-model.md says so.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

import pytest
import torch
import torch.onnx.ops
from torch import distributions, nn
from torch.nn import functional as F

from autograder.internals.forbid import ForbiddenError, forbid
from tests.promises.world import COURSE

BY_ONNX = {str(operator): function for operator, function in torch.onnx.ops.aten_decompositions().items()}
X, MASK = torch.arange(12.0).reshape(3, 4) % 5, torch.ones(3, 4, dtype=torch.bool)
Q, IDS, TABLE = torch.ones(1, 2, 3, 8), torch.tensor([[1, 2], [0, 1]]), torch.ones(4, 5)
SEQUENCE, FILTERS, IMAGES = torch.ones(2, 3, 7), torch.ones(3, 1, 3), torch.ones(2, 3, 8, 8)
LOGITS, LABELS = torch.ones(4), torch.tensor([0.0, 1, 1, 0])
CELL = torch.ones(3, 5), torch.ones(5, 4), torch.ones(5, 5), torch.ones(5), torch.ones(5)
HALF = torch.ones(1, 3, 4)
RATES = {"lr": 0.1, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "weight_decay": 0.1}
FOR_CPU = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
CERTAIN, SURE = distributions.Bernoulli(LABELS), distributions.Binomial(1, LABELS)


def learned(kind: type[torch.optim.Optimizer]) -> None:
    """Take a step of an optimizer of this kind."""
    parameter = nn.Parameter(torch.ones(2))
    parameter.grad = torch.ones(2)
    kind([parameter]).step()  # type: ignore[call-arg]


READY_MADE: Mapping[str, Mapping[str, Callable[[], object]]] = {
    "softmax": {
        "a function": lambda: F.softmax(X, -1),
        "a layer": lambda: nn.Softmin(-1)(X),
        "a layer of two": lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2])(X, torch.tensor([0, 3, 5])),
        "of torch.special": lambda: torch.special.softmax(X, -1),
        "of torch.masked": lambda: torch.masked.softmax(X, -1, mask=MASK),
        "of torch.sparse": lambda: torch.sparse.softmax(X.to_sparse(), -1),
        "of torch.ops": lambda: torch.ops.aten._softmax(X, -1, False),
        "a transform of torch.distributions": lambda: distributions.SoftmaxTransform()(X),
        "a transform's own method": lambda: distributions.SoftmaxTransform()._call(X),  # type: ignore[no-untyped-call]
        "a distribution": lambda: distributions.Categorical(logits=X).probs,
        "a layer called by torch.func": lambda: torch.func.functional_call(nn.Softmax(-1), {}, (X,)),
        "a cross-entropy": lambda: F.cross_entropy(X, torch.tensor([0, 1, 2])),
        "within attention": lambda: F.scaled_dot_product_attention(X, X, X),
        "within attention with heads": lambda: F.scaled_dot_product_attention(Q, Q, Q),
        "within attention for this processor": lambda: FOR_CPU(Q, Q, Q),
        "within attention of torch.onnx": lambda: torch.onnx.ops.attention(Q, Q, Q),
    },
    "cosine_scores": {
        "a function": lambda: F.cosine_similarity(X[:, None], X[None], -1),
        "a loss": lambda: F.cosine_embedding_loss(X, X, torch.ones(3), reduction="none"),
        "a loss as a layer": lambda: nn.CosineEmbeddingLoss()(X, X, torch.ones(3)),
    },
    "masked_attention": {
        "a function": lambda: F.scaled_dot_product_attention(Q, Q, Q),
        "a layer": lambda: nn.MultiheadAttention(8, 2)(Q[0], Q[0], Q[0]),
        "of torch.onnx": lambda: torch.onnx.ops.attention(Q, Q, Q),
        "of torch.ops.onnx": lambda: torch.ops.onnx.Attention(Q, Q, Q),
        "as torch.onnx hands it out": lambda: BY_ONNX["onnx.Attention.opset23"](Q, Q, Q, qk_matmul_output_mode=1),
    },
    "rotary": {
        "of torch.onnx": lambda: torch.onnx.ops.rotary_embedding(Q, HALF, HALF),
        "as torch.onnx hands it out": lambda: BY_ONNX["onnx.RotaryEmbedding.opset23"](Q, HALF, HALF),
    },
    "layer_norm": {
        "a function": lambda: F.layer_norm(X, (4,)),
        "without the mean": lambda: F.rms_norm(X - X.mean(-1, keepdim=True), (4,)),
        "without the mean, of torch": lambda: torch.rms_norm(X, (4,)),
        "without the mean, a layer": lambda: nn.RMSNorm(4)(X),
        "without the mean, the kernel": lambda: torch.ops.aten._fused_rms_norm(X, [4], None, 1e-5),
        "without scale and shift": lambda: torch._refs._normalize(X, [-1], 1e-5),
        "over a batch": lambda: F.batch_norm(X.mT, None, None, training=True),
        "the kernel over a batch": lambda: torch._native_batch_norm_legit(X.mT, None, None, True, 0.1, 1e-5),
        "a layer over groups": lambda: nn.GroupNorm(1, 4)(X),
    },
    "rms_norm": {
        "a function": lambda: F.rms_norm(X, (4,)),
        "of torch": lambda: torch.rms_norm(X, (4,)),
        "a layer": lambda: nn.RMSNorm(4)(X),
        "the kernel": lambda: torch.ops.aten._fused_rms_norm(X, [4], None, 1e-5),
    },
    "binary_cross_entropy": {
        "a function": lambda: F.binary_cross_entropy_with_logits(LOGITS, LABELS),
        "with labels of -1 and 1": lambda: F.soft_margin_loss(LOGITS, 2 * LABELS - 1),
        "with several labels": lambda: F.multilabel_soft_margin_loss(LOGITS[:, None], LABELS[:, None]),
        "with several labels, a layer": lambda: nn.MultiLabelSoftMarginLoss()(LOGITS[:, None], LABELS[:, None]),
        "a distribution": lambda: distributions.Bernoulli(logits=LOGITS).log_prob(LABELS),  # type: ignore[no-untyped-call]
        "a distribution of sums": lambda: distributions.Binomial(logits=LOGITS).log_prob(LABELS),  # type: ignore[no-untyped-call]
        "a divergence": lambda: distributions.kl_divergence(CERTAIN, distributions.Bernoulli(logits=LOGITS)),
        "a divergence of sums": lambda: distributions.kl_divergence(SURE, distributions.Binomial(1, logits=LOGITS)),
    },
    "BertEmbedding": {
        "a layer": lambda: nn.EmbeddingBag(4, 5)(IDS),
    },
    "rnn": {
        "a layer": lambda: nn.RNN(4, 5)(X),
        "a cell": lambda: nn.RNNCell(4, 5)(X),
        "of torch": lambda: torch.rnn_tanh_cell(X, *CELL),
    },
    "depthwise_conv1d": {
        "a function": lambda: F.conv1d(SEQUENCE, FILTERS, groups=3),
        "a layer": lambda: nn.Conv1d(3, 3, 3, groups=3)(SEQUENCE),
        "without its size": lambda: nn.LazyConv1d(3, 3)(SEQUENCE),
        "another way round": lambda: F.conv_transpose1d(SEQUENCE, FILTERS, groups=3),
        "of torch.ops": lambda: torch.ops.aten.convolution(SEQUENCE, FILTERS, None, [1], [0], [1], False, [0], 3),
        "a kernel": lambda: torch.ops.aten.thnn_conv2d(IMAGES, torch.ones(3, 3, 2, 2), (2, 2)),
    },
    "patchify": {
        "a function": lambda: F.unfold(IMAGES, 2),
        "a layer": lambda: nn.Fold((8, 8), 8)(torch.ones(2, 64, 1)),
        "a kernel": lambda: torch._C._nn.im2col(IMAGES, (2, 2), (1, 1), (0, 0), (1, 1)),
    },
    "dropout": {
        "a function": lambda: F.dropout(X),
        "a layer": lambda: nn.Dropout1d()(X),
        "a kernel": lambda: torch.native_dropout(X, 0.5, True),
    },
    "DecoderBlock": {"a layer": lambda: nn.TransformerDecoderLayer(8, 2)(Q[0], Q[0])},
    "adamw_step": {
        "an optimizer": lambda: learned(torch.optim.AdamW),
        "an optimizer without decay": lambda: learned(torch.optim.Adam),
        "a kernel": lambda: torch._fused_adamw_(
            *([torch.ones(2)] for _ in range(4)), [], [torch.ones(())], **RATES, amsgrad=False, maximize=False
        ),
    },
    "clip_gradients": {"a function": lambda: nn.utils.clip_grad_norm_([nn.Parameter(X)], 1.0)},
}
ROWS = [(name, kind) for name, kinds in READY_MADE.items() for kind in kinds]
WELCOME: Mapping[str, Mapping[str, Callable[[], object]]] = {
    "softmax": {
        "logsumexp": lambda: X.sub(X.logsumexp(-1, keepdim=True)).exp(),
        "what logsumexp grows by": lambda: torch.func.grad(lambda s: s.logsumexp(-1).sum())(X),
    },
    "layer_norm": {
        "mean and variance": lambda: (
            (X - X.mean(-1, keepdim=True)) / (X.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()
        )
    },
    "rms_norm": {"mean square and root": lambda: X * torch.rsqrt(X.square().mean(-1, keepdim=True) + 1e-5)},
    "binary_cross_entropy": {
        "cross_entropy of two classes": lambda: F.cross_entropy(torch.stack([0 * LOGITS, LOGITS], -1), LABELS.long())
    },
    "BertEmbedding": {"embedding_bag": lambda: F.embedding_bag(IDS, TABLE, mode="sum")},
    "rnn": {"linear": lambda: torch.tanh(F.linear(X, CELL[1]))},
    "depthwise_conv1d": {"unfold of a tensor": lambda: (SEQUENCE.unfold(-1, 3, 1) * FILTERS[:, 0, None]).sum(-1)},
    "patchify": {"pixel_unshuffle": lambda: F.pixel_unshuffle(IMAGES, 2)},
    "adamw_step": {"another optimizer": lambda: learned(torch.optim.SGD)},
    "dropout": {"bernoulli": lambda: torch.bernoulli(X / 9)},
}
PIECES = [(name, kind) for name, kinds in WELCOME.items() for kind in kinds]


def forbidden_in(exercise: str) -> tuple[str, ...]:
    suite = importlib.import_module(f"tests.exercises.{COURSE.suite(COURSE.one(exercise).chapter).stem}")
    found: tuple[str, ...] = suite.FORBIDDEN[exercise]
    return found


@pytest.mark.parametrize(("exercise", "kind"), ROWS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_ready_made_is_refused(exercise: str, kind: str) -> None:
    READY_MADE[exercise][kind]()
    with pytest.raises(ForbiddenError), forbid(forbidden_in(exercise)):
        READY_MADE[exercise][kind]()


@pytest.mark.parametrize(("exercise", "kind"), PIECES)
def test_what_an_answer_is_made_of_is_welcome(exercise: str, kind: str) -> None:
    with forbid(forbidden_in(exercise)):
        WELCOME[exercise][kind]()
