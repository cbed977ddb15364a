"""The texts and pictures that come with the course, and which of them are held out."""

from __future__ import annotations

import csv
import gzip
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from autograder.core.errors import UsageError

HELD_OUT = 5
"""Every fifth example is held out."""
STARTS = {"je suis un": "I am a", "tu es un": "you are a", "il est un": "he is a", "voici un": "here is a",
          "je vois un": "I see a", "tu vois un": "you see a", "il voit un": "he sees a"}  # fmt: skip
NOUNS = {"médecin": "doctor", "voisin": "neighbour", "peintre": "painter", "facteur": "postman", "soldat": "soldier",
         "chat": "cat"}  # fmt: skip
BEFORE, AFTER = {"jeune": "young"}, {"fatigué": "tired", "célèbre": "famous", "français": "French"}
"""Adjectives that stand before their noun in French, and after it."""


def data(name: str) -> Any:
    """Return the data of this name.

    Returns:
        "shakespeare": a text; "sentences": (source, label, sentence) for each, the label 0 or 1;
        "digits": images (1797, 1, 8, 8) from 0 to 1 and labels (1797,); "french": 168 pairs of French and English.

    Raises:
        UsageError: there is no such data.
    """
    readers = {"shakespeare": shakespeare, "sentences": sentences, "digits": digits, "french": french}
    if name not in readers:
        raise UsageError(f"there is no data '{name}'; there is {', '.join(readers)}")
    return readers[name]()


@lru_cache
def shakespeare() -> str:
    """Return a million characters of plays."""
    return _text("tinyshakespeare.txt.gz")


@lru_cache
def sentences() -> tuple[tuple[str, int, str], ...]:
    """Return source, label and text of 3,000 sentences from reviews."""
    rows = csv.DictReader(_text("sentences.tsv.gz").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple((row["source"], int(row["label"]), row["sentence"]) for row in rows)


@lru_cache
def vocabulary() -> tuple[str, ...]:
    """Return the words of `encoded_sentences`, by id."""
    return tuple(_text("words.txt.gz").split("\n"))


@lru_cache
def encoded_sentences() -> tuple[tuple[int, ...], ...]:
    """Return the sentences as ids of words."""
    return tuple(tuple(map(int, line.split())) for line in _text("sentences.ids.gz").split("\n"))


@lru_cache
def digits() -> tuple[torch.Tensor, torch.Tensor]:
    """Return images (1797, 1, 8, 8) from 0 to 1, and labels (1797,)."""
    rows = [[int(number) for number in line.split(",")] for line in _text("digits.csv.gz").splitlines()]
    table = torch.tensor(rows)
    return table[:, :-1].view(-1, 1, 8, 8).to(torch.float32) / 16, table[:, -1]


@lru_cache
def french() -> tuple[tuple[str, str], ...]:
    """Return 168 short sentences in French and in English; most adjectives stand after the noun in French."""
    return tuple(
        (f"{start} {adjective} {noun}" if adjective in BEFORE else f"{start} {noun} {adjective}",
         f"{english} {(BEFORE | AFTER)[adjective]} {NOUNS[noun]}")
        for start, english in STARTS.items() for noun in NOUNS for adjective in (*BEFORE, *AFTER)
    )  # fmt: skip


def is_held_out(count: int) -> torch.Tensor:
    """Return a mask (count,) that is True for the examples held out of training."""
    return torch.arange(count) % HELD_OUT == 0


def _text(file: str) -> str:
    path = Path(str(import_module("reference").__file__)).parent / "data" / file
    try:
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): fetch the course anew") from error
