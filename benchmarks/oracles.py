"""The reference, which is written to be read, against torch's own layers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from autograder.course.course import Course
from benchmarks.bench import Bench
from benchmarks.machine import cores
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

BATCH, LENGTH, WIDTH, HEADS = 8, 128, 256, 8
OURS, TORCHS = "reference", "torch"
NO_GPU = "no CUDA device"
ABOUT = f"""\
Forward and backward, in float32, of {BATCH} sequences of {LENGTH} tokens, {WIDTH} wide, with {HEADS} heads
and a hidden width of {4 * WIDTH}, without dropout; on a CPU with as many threads as cores. The two take turns. The
reference computes one head at a time with named axes, and checks call it with small inputs."""

Pair = dict[str, Callable[[], torch.Tensor]]


def pairs(course: Course, device: torch.device, length: int = LENGTH) -> dict[str, Pair]:
    """Return by name the calls to compare: the reference and torch, on the same inputs."""
    torch.manual_seed(0)
    x = torch.randn(BATCH, length, WIDTH, device=device, requires_grad=True)
    shape = BATCH, HEADS, length, WIDTH // HEADS
    q, k, v = (torch.randn(shape, device=device, requires_grad=True) for _ in range(3))
    scale, shift = (torch.randn(WIDTH, device=device, requires_grad=True) for _ in range(2))

    def ours(name: str) -> Any:
        return getattr(course.reference(course.one(name).chapter), name)

    attention, norm = ours("scaled_dot_product_attention"), ours("layer_norm")
    multi = ours("MultiHeadAttention")(WIDTH, HEADS).to(device)
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, device=device)
    block = ours("EncoderBlock")(WIDTH, HEADS, 4 * WIDTH, dropout=0.0).to(device)
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True, device=device)
    return {
        "attention": {OURS: lambda: attention(q, k, v)[0], TORCHS: lambda: F.scaled_dot_product_attention(q, k, v)},
        "multi-head attention": {OURS: lambda: multi(x, x, x)[0], TORCHS: lambda: theirs(x, x, x)[0]},
        "encoder block": {OURS: lambda: block(x), TORCHS: lambda: layer(x)},
        "layer norm": {
            OURS: lambda: norm(x, scale, shift, 1e-5),
            TORCHS: lambda: F.layer_norm(x, (WIDTH,), scale, shift, 1e-5),
        },
    }


def measure(bench: Bench, rounds: int = 10, length: int = LENGTH) -> Part:
    """Measure on the CPU, and on a GPU if there is one."""
    devices = [torch.device("cpu"), *([torch.device("cuda")] if torch.cuda.is_available() else [])]
    bench.bar.begin("reference against torch", len(devices) * (rounds + 1))
    threads = torch.get_num_threads()
    torch.set_num_threads(cores())
    found: dict[str, list[float]] = {}
    for device in devices:
        compared = pairs(bench.course, device, length)
        for number in range(rounds + 1):
            for key, seconds in _round(compared, device):
                if number:  # the first round is not counted
                    found.setdefault(key, []).append(seconds)
            bench.bar.step()
    torch.set_num_threads(threads)
    sizes = {"rounds": rounds, "length": length, "devices": len(devices)}
    series = {key: tuple(values) for key, values in found.items()}
    return Part(("make bench PARTS=reference",), sizes, series)


def _round(compared: dict[str, Pair], device: torch.device) -> Sequence[tuple[str, float]]:
    return [
        (f"{device.type}: {name}: {whose}", _seconds(call, device))
        for name, pair in compared.items()
        for whose, call in pair.items()
    ]


def _seconds(call: Callable[[], torch.Tensor], device: torch.device) -> float:
    """Return the seconds of a forward and backward pass, to its end on the device."""
    _finish(device)
    began = time.perf_counter()
    call().sum().backward()  # type: ignore[no-untyped-call]
    _finish(device)
    return time.perf_counter() - began


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def _compared(part: Part) -> list[str]:
    return list(dict.fromkeys(key.rpartition(": ")[0] for key in part.series))


def key_ratios(part: Part) -> list[Ratio]:
    return [
        Ratio(
            f"the reference over torch, {name}",
            ratios(part.series[f"{name}: {OURS}"], part.series[f"{name}: {TORCHS}"]),
        )
        for name in _compared(part)
    ]


def details(part: Part) -> str:
    rows = []
    for name in _compared(part):
        milliseconds = ([value * 1000 for value in part.series[f"{name}: {whose}"]] for whose in (OURS, TORCHS))
        rows.append([name, *(str(spread(values)) for values in milliseconds)])
    words = "" if part.sizes["devices"] > 1 else f"\n\nOn a GPU nothing was measured: {NO_GPU}."
    return table(["forward and backward", "reference, milliseconds", "torch, milliseconds"], rows) + words
