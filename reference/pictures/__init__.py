"""The pictures of the lessons by name; a lesson has one where its source says picture="NAME"."""

from reference.pictures.attention import ATTENTION

PICTURES = {**ATTENTION}
