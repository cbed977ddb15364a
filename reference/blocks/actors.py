"""Models and choosers with a part to play in a check: what decodes, trains or freezes is given one of them."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional


class ScriptedModel(nn.Module):
    """A sequence-to-sequence model whose every answer is known: row i says `script[i]`, word after word.

    It answers to `encode(source)`, `decode(target_in, memory, source)` and `model(source, target_in)`. The first
    number of a source row chooses its script. A text that strays from it, or does not begin with `bos_id`, is
    continued with `stray_id`; after its end a script goes on with `stray_id` too.

    Args:
        script: (S, L) int64; a row's first eos, if it has one, is its end.
        vocab_size: V, more than every id.
        bos_id, eos_id, pad_id, stray_id: special ids. `pad_id` and `max_length` can be read off the model.
        max_length: the longest text that it can continue.
        training: the mode that it comes in.

    Raises:
        RuntimeError: on being asked to go on with texts that have all ended, or that are longer than `max_length`.
    """

    def __init__(
        self,
        script: torch.Tensor,
        vocab_size: int,
        bos_id: int,
        eos_id: int,
        pad_id: int,
        stray_id: int,
        max_length: int,
        training: bool = True,
    ) -> None:
        super().__init__()
        self.register_buffer("script", script)
        self.weight = nn.Parameter(torch.ones(()))  # so that it has a device and a dtype, as models do
        self.vocab_size, self.max_length = vocab_size, max_length
        self.bos_id, self.eos_id, self.pad_id, self.stray_id = bos_id, eos_id, pad_id, stray_id
        self.train(training)

    def encode(self, source: torch.Tensor) -> torch.Tensor:
        """source (B, T) int64 -> memory (B, T, 1), which `decode` must be given."""
        return source[..., None] * self.weight.detach()

    def decode(self, target_in: torch.Tensor, memory: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V): at each position, of the token after it."""
        if memory.shape[:2] != source.shape or bool((memory[..., 0] != source).any()):
            raise RuntimeError("the memory is not that of this source: hand on what encode(source) gave")
        length, said = target_in.shape[1], self.script[source[:, 0]]  # (B, L)
        ends = said == self.eos_id
        ended = functional.pad(torch.cumsum(ends, dim=1) > 0, (1, length), value=True)
        true = functional.pad(said, (1, length), value=self.stray_id)
        true[:, 0], ended[:, 0] = self.bos_id, False
        faithful = torch.cumprod((target_in == true[:, :length]).long(), dim=1).bool()
        over = (faithful & ended[:, :length]).any(dim=1)  # the row has read its own end
        if length > self.max_length or bool(over.all()):
            raise RuntimeError(f"asked for token {length}, but every text has ended before it")
        coming = torch.where(faithful & ~ended[:, :length], true[:, 1 : length + 1], self.stray_id)
        return functional.one_hot(coming, self.vocab_size) * self.weight

    def forward(self, source: torch.Tensor, target_in: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V) of the tokens after those of target_in (B, T)."""
        return self.decode(target_in, self.encode(source), source)


class LanguageModel(nn.Module):
    """A small causal language model: what it expects next depends on all tokens that it sees, and on their places.

    Args:
        table: (V, V), what each token speaks for.
        places: (max_length, V), how much it does so in each place.
        training: the mode that it comes in.

    Raises:
        RuntimeError: on a text longer than `max_length`, which can be read off the model.
    """

    def __init__(self, table: torch.Tensor, places: torch.Tensor, training: bool = True) -> None:
        super().__init__()
        self.table, self.places = nn.Parameter(table), nn.Parameter(places)
        self.max_length = len(places)
        self.train(training)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B, T, V)."""
        if ids.shape[1] > self.max_length:
            raise RuntimeError(f"this model reads {self.max_length} tokens at most, not {ids.shape[1]}")
        return torch.cumsum(functional.embedding(ids, self.table) * self.places[: ids.shape[1]], dim=1)


class ArgMax:
    """Chooses the likeliest token of each row."""

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        """logits (B, V) -> ids (B,)."""
        if logits.dim() != 2:
            raise RuntimeError(f"choose wants logits of shape (B, V), not {tuple(logits.shape)}")
        return logits.argmax(dim=-1)

    def __repr__(self) -> str:
        return type(self).__name__


class Nearest(ArgMax):
    """Chooses the token whose logit is nearest to `value`: a choice that no other numbers in the same order give."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        """logits (B, V) -> ids (B,)."""
        return super().__call__(-(logits - self.value).abs())


class ScriptedChoice(ArgMax):
    """Chooses the ids of one row of `script` (steps, B) after the other, whatever the logits are."""

    def __init__(self, script: torch.Tensor) -> None:
        self.script = list(script)

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        """logits (B, V) -> ids (B,)."""
        if not self.script or super().__call__(logits).shape != self.script[0].shape:
            raise RuntimeError(f"choose is asked once for each step, about the last position: ({len(logits)} rows)")
        return self.script.pop(0)


class BagOfWords(nn.Module):
    """A small classifier, to be trained or frozen. In evaluation its last part is half as sure, which shows.

    In training it is surer of every other text than of those between, so that being asked twice can be seen as well.

    Args:
        table: (V, D), the word vectors to begin with.
        mixing, weights: (D, D) and (1, D), those of the layers `multihead` and `head`.
        frozen: none of its parameters learns.
    """

    def __init__(self, table: torch.Tensor, mixing: torch.Tensor, weights: torch.Tensor, frozen: bool = False) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(table, freeze=False)
        self.multihead = nn.Linear(*mixing.shape, dtype=table.dtype)
        self.head = nn.Linear(weights.shape[1], 1, dtype=table.dtype)
        with torch.no_grad():
            for layer, value in ((self.multihead, mixing), (self.head, weights)):
                layer.weight.copy_(value)
                layer.bias.zero_()
        self.last = nn.Identity()
        self.requires_grad_(not frozen)
        self.read = 0  # texts, in training
        self.eval()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B,)."""
        mixed = self.multihead(self.embedding(ids).mean(dim=1)).tanh()
        return self.head(mixed)[:, 0] * self.sureness(len(ids)).to(mixed)

    def sureness(self, texts: int) -> torch.Tensor:
        """How sure it is of each of the next texts: (texts,)."""
        if not self.last.training:
            return torch.full((texts,), 0.5)
        numbers = self.read + torch.arange(texts)
        self.read += texts
        return 1 + numbers % 2 / 4


class Namesakes(nn.Module):
    """A model to be frozen, in training mode, whose `head` has namesakes: `headline`, and the `head` of its `body`.

    One of its parameters, `scale`, belongs to no part of it.

    Args:
        weights: (D, D), those of all layers.
        deep: the head is several layers and a parameter of its own; one layer has no bias, another does not learn.
    """

    def __init__(self, weights: torch.Tensor, deep: bool = False) -> None:
        super().__init__()
        self.head = self._deep_head(weights) if deep else self._layer(weights)
        self.headline = self._layer(weights)
        self.body = nn.ModuleDict({"head": self._layer(weights), "tail": self._layer(weights)})
        self.scale = nn.Parameter(weights[0].clone())

    @classmethod
    def _deep_head(cls, weights: torch.Tensor) -> nn.Module:
        first, last = cls._layer(weights).requires_grad_(False), cls._layer(weights)
        last.register_parameter("bias", None)
        head = nn.Sequential(first, nn.Tanh(), nn.Sequential(last))
        head.register_parameter("scale", nn.Parameter(weights[1].clone()))
        return head

    @staticmethod
    def _layer(weights: torch.Tensor) -> nn.Linear:
        layer = nn.Linear(*weights.shape, dtype=weights.dtype)
        with torch.no_grad():
            layer.weight.copy_(weights)
            layer.bias.zero_()
        return layer


class WithGradients(nn.ParameterList):
    """Parameters with the gradients that a `backward` may have left; its state tells these and whether they are new.

    Args:
        values_and_gradients: in turns: a parameter's value, and its gradient or None.
        once: it can be gone through only once, as `model.parameters()`.
        frozen: the first parameter learns no more, and has its gradient from before.
    """

    def __init__(self, *values_and_gradients: torch.Tensor | None, once: bool = False, frozen: bool = False) -> None:
        super().__init__(values_and_gradients[::2])
        for parameter, gradient in zip(self, values_and_gradients[1::2], strict=True):
            parameter.grad = gradient
        self[0].requires_grad_(not frozen)
        self.first = [(parameter.grad, _place(parameter.grad)) for parameter in self]
        self.only = super().__iter__() if once else None

    def __iter__(self) -> Iterator[nn.Parameter]:
        """All parameters, in order."""
        return super().__iter__() if getattr(self, "only", None) is None else self.only

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]:
        """Parameters are no model, which could be asked for its own."""
        raise AttributeError("these are parameters already: go through them")

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The parameters, and their gradients by name."""
        gradients = {f"parameters[{name}].grad": parameter.grad for name, parameter in self.named_parameters()}
        kept = all(
            parameter.grad is then and _place(parameter.grad) == place
            for (_, parameter), (then, place) in zip(self.named_parameters(), self.first, strict=True)
        )
        told = {"identity of its gradients": "the same tensors" if kept else "new tensors"}
        return {**super().state_dict(*args, **kwargs), **gradients, **told}


class OwnLinear(nn.Linear):
    """A linear layer of another class."""


class Untrained(nn.Module):
    """A model before its first step. Of the weights that are drawn its state says in words how they are spread.

    Args:
        width: D.
        norm: (D,), scale of a layer norm and half of its shift, beside a frozen table; without it there is none, all
            parameters learn and all layers have biases.
        places: (T, D), parameters of no layer.
    """

    def __init__(self, width: int, norm: torch.Tensor | None = None, places: torch.Tensor | None = None) -> None:
        super().__init__()
        size = 4000 // width
        self.table = nn.Embedding(size, width, padding_idx=1)
        inner = {"wide": nn.Linear(width, size), "own": OwnLinear(size, size)}
        inner["back"] = nn.Linear(size, width, bias=norm is None)
        self.blocks = nn.ModuleList([nn.ModuleDict(inner)])
        if norm is not None:
            self.blocks.append(nn.LayerNorm(width))
            self.blocks[1].load_state_dict({"weight": norm, "bias": norm / 2})
            self.table.weight.requires_grad_(False)
        self.places = None if places is None else nn.Parameter(places)
        self.output = nn.Linear(width, size)
        self.first = (*self.parameters(),)

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As ever, but for the weights of linear layers and embeddings; and whether its parameters are the first."""
        layers = {name for name, layer in self.named_modules() if isinstance(layer, nn.Linear | nn.Embedding)}
        drawn, state = {f"{name}.weight" for name in layers}, super().state_dict(*args, **kwargs)
        told = {name: spread(value) if name in drawn else value for name, value in state.items()}
        same = all(now is then for now, then in zip(self.parameters(), self.first, strict=True))
        begun = {tuple(value.flatten()[:8].tolist()) for name, value in state.items() if name in drawn}
        return {
            **told,
            "identity of its parameters": "the same objects" if same else "new objects",
            "the first numbers of its layers": "all differ" if len(begun) == len(drawn) else "are alike",
        }


def spread(numbers: torch.Tensor) -> str:
    """How many numbers are spread, in words; the deviation is rounded to one of ten steps to each power of ten."""
    std, mean = (float(part) for part in torch.std_mean(numbers.detach().double()))
    if std == 0:
        return f"all are {mean:.2g}"
    rounded = 10 ** (round(math.log10(std) * 10) / 10)
    far = float(((numbers - mean).abs() > 2 * std).double().mean())  # of normal numbers 4.6 %
    middle = 0.0 if abs(mean) < std / 5 else mean
    least = min(float(numbers.detach().std(axis).min()) for axis in (0, 1))
    even = "" if least > std / 4 else ", a row or column of equal numbers"
    return f"{'normal, ' if 0.02 < far < 0.09 else ''}mean {middle:.2g}, standard deviation {rounded:.2g}{even}"


class WatchedTensor(torch.Tensor):
    """A tensor such that nothing computed from it may have `limit` numbers or more.

    Args:
        numbers: what it holds; a tensor of a class of its own comes back as it is, unwatched.
        limit: the first count that is too many.

    Raises:
        RuntimeError: on a function of torch that gives so many, or writes into a tensor of so many.
    """

    limit: int

    def __new__(cls, numbers: torch.Tensor, limit: int) -> torch.Tensor:
        if type(numbers) is not torch.Tensor:
            return numbers
        return numbers.as_subclass(type(cls.__name__, (cls,), {"limit": limit}))

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What torch gives, if it is few enough numbers; it is watched in turn."""
        given = super().__torch_function__(func, types, args, kwargs or {})
        written = args[:1] if func is torch.Tensor.__setitem__ else ()
        for each in (*written, *(given if isinstance(given, tuple | list) else (given,))):
            if isinstance(each, torch.Tensor) and each.numel() >= cls.limit:
                shape = tuple(each.shape)
                raise RuntimeError(f"this makes a tensor of shape {shape}; none may have {cls.limit} entries or more")
        return given


def sgd(model: nn.Module, rate: float, momentum: float = 0.0, stale: bool = False) -> torch.optim.Optimizer:
    """Gradient descent on all parameters of `model`, which have gradients left from before where it is `stale`."""
    if stale:
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter)
    return torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)


def streamed(items: list[Any]) -> Iterator[Any]:
    """The items one after the other, once: a generator, which has no length."""
    yield from items


def _place(tensor: torch.Tensor | None) -> int:
    """Return where the numbers of a tensor are, in memory; 0 for None."""
    return 0 if tensor is None else tensor.data_ptr()
