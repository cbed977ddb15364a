"""Parts of a Transformer that are given: later chapters build on them, whatever became of the earlier ones.

They follow the conventions of the course: batch first, masks are True where a query may attend, and a
query that may attend to nothing has zero weights.
"""

from reference.blocks.actors import (
    ArgMax,
    BagOfWords,
    LanguageModel,
    Namesakes,
    Nearest,
    ScriptedChoice,
    ScriptedModel,
    Untrained,
    WatchedTensor,
    WithGradients,
    sgd,
    streamed,
)
from reference.blocks.layers import (
    BertEmbedding,
    EncoderBlock,
    MultiHeadAttention,
    PatchEmbedding,
    TokenAndPositionEmbedding,
    WideMultiHeadAttention,
)
from reference.blocks.models import CausalLM, Decoder, DecoderBlock, SentimentClassifier, Transformer, VisionTransformer
from reference.blocks.pieces import mine
from reference.blocks.training import Learner, Rates, TwiceTheTarget, endless, grouped

__all__ = [
    "ArgMax",
    "BagOfWords",
    "BertEmbedding",
    "CausalLM",
    "Decoder",
    "DecoderBlock",
    "EncoderBlock",
    "LanguageModel",
    "Learner",
    "MultiHeadAttention",
    "Namesakes",
    "Nearest",
    "PatchEmbedding",
    "Rates",
    "ScriptedChoice",
    "ScriptedModel",
    "SentimentClassifier",
    "TokenAndPositionEmbedding",
    "Transformer",
    "TwiceTheTarget",
    "Untrained",
    "VisionTransformer",
    "WatchedTensor",
    "WideMultiHeadAttention",
    "WithGradients",
    "endless",
    "grouped",
    "mine",
    "sgd",
    "streamed",
]
