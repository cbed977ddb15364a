"""The pictures of the lessons by name; a lesson has one where its source says picture="NAME"."""

from reference.pictures.attention import ATTENTION
from reference.pictures.beyond import BEYOND
from reference.pictures.models import MODELS
from reference.pictures.words import WORDS

PICTURES = {**WORDS, **ATTENTION, **MODELS, **BEYOND}
