"""The object of a call: its parameters and mode, and what the call may not change of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.calls.observe import observe
from autograder.calls.records import Build, Call
from autograder.compare.compare import difference

X = torch.arange(6, dtype=torch.float64).reshape(2, 3)


class Linear(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.w(x)


def seen(function: Any, *args: Any, **options: Any) -> Any:
    return observe({"f": function}, Call("f", args, **options))


def test_a_table_made_in_the_constructor_is_as_precise_as_the_state() -> None:
    class Tabled(Linear):
        def __init__(self, width: int) -> None:
            super().__init__(width)
            self.register_buffer("table", torch.ones(width) / 3, persistent=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.w(x) + self.table

    state = {"w.weight": torch.zeros(3, 3, dtype=torch.float64)}
    assert torch.equal(seen(Tabled, X, build=Build((3,), state=state)).result, torch.ones_like(X) / 3)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"v.weight": torch.ones(3, 3)}, "`w` should be called `v`"),
        ({"v.weight": torch.ones(2, 2)}, "v.weight is missing; w.weight is not one of them"),
        ({"w.weight": torch.ones(4, 3)}, r"w.weight has shape (3, 3) instead of (4, 3)"),
    ],
)
def test_other_parameters_than_the_chapters_are_named(state: dict[str, torch.Tensor], says: str) -> None:
    result = seen(Linear, X.float(), build=Build((3,), state=state)).result
    assert result.kind == "StateMismatchError"
    assert says in result.message


def test_evaluation_and_training_mode_are_set() -> None:
    class Mode(nn.Module):
        def forward(self) -> bool:
            return self.training

    assert seen(Mode, build=Build()).result is False
    assert seen(Mode, build=Build(training=True)).result is True


def test_another_method_can_be_called() -> None:
    class Two(nn.Module):
        def second(self, x: int) -> int:
            return 2 * x

    assert seen(Two, 4, build=Build(method="second")).result == 8
    assert seen(Two, 4, build=Build(method="third")).result.kind == "AttributeError"


class Careless(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            self.bias += 1
        self.train()
        return x


def test_what_a_call_changes_of_its_object_is_named() -> None:
    build = Build((2, 2), state={"weight": torch.eye(2), "bias": torch.ones(2)})
    assert seen(Careless, X, build=build).changed == ("bias", "its mode (training or evaluation)")
    assert seen(nn.Linear, torch.ones(1, 2), build=build).changed == ()


def test_a_buffer_of_the_students_own_is_no_wrong_parameter() -> None:
    class Buffered(Linear):
        def __init__(self, width: int) -> None:
            super().__init__(width)
            self.register_buffer("table", torch.ones(width))

    build = Build((3,), state={"w.weight": torch.eye(3, dtype=torch.float64)})
    assert torch.equal(seen(Buffered, X, build=build).result, X)


class Tied(nn.Module):
    """The output layer is the embedding's table."""

    def __init__(self) -> None:
        super().__init__()
        self.token = nn.Embedding(5, 3)
        self.output = nn.Linear(3, 5, bias=False)
        self.output.weight = self.token.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.output(self.token(ids))


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_parameter_that_is_tied_to_a_named_one_needs_no_name_of_its_own(device: str) -> None:
    build = Build(state={"token.weight": torch.zeros(5, 3, dtype=torch.float64, device=device)})
    ids = torch.zeros(1, 2, dtype=torch.int64, device=device)
    result = observe({"f": Tied}, Call("f", (ids,), build=build)).result
    assert isinstance(result, torch.Tensor), result
    assert (result.shape, result.device.type, result.dtype) == ((1, 2, 5), device, torch.float64)


class Half(nn.Module):
    """Only `new` learns."""

    def __init__(self) -> None:
        super().__init__()
        self.old, self.new = nn.Linear(3, 3), nn.Linear(3, 3)
        self.old.requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.old(x) + self.new(x)


class Thawed(Half):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.old.requires_grad_(True)
        return super().forward(x)


def half(made: type[nn.Module], **options: Any) -> Any:
    state = {name: value.double() for name, value in Half().state_dict().items()}
    return observe({"f": made}, Call("f", (X,), build=Build(state=state), **options))


def test_a_frozen_parameter_has_no_gradient_and_the_others_have() -> None:
    gradients = half(Half, cotangents=(torch.ones_like(X),)).gradients
    assert {name for name, value in gradients.items() if value is None} == {
        "parameter old.weight",
        "parameter old.bias",
    }
    assert {name for name, value in gradients.items() if value is not None} == {
        "argument 0",
        "parameter new.weight",
        "parameter new.bias",
    }


def test_what_learns_must_stay_what_it_was() -> None:
    assert half(Half).changed == ()
    assert half(Thawed).changed == ("which of its parameters learn",)


class Frugal(nn.Linear):
    """Keeps one part in evaluation mode whatever the mode of the whole, as is done with frozen layers."""

    def __init__(self) -> None:
        super().__init__(3, 3)
        self.drop = nn.Dropout(0.5)

    def train(self, mode: bool = True) -> nn.Module:
        super().train(mode)
        self.drop.eval()
        return self


def _keeping(keep: Callable[[nn.Module, torch.Tensor], object]) -> type[nn.Module]:
    """Return a right class that also does something with itself when it is called."""

    class Keeping(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            keep(self, x)
            return super().forward(x)

    return Keeping


ADDED: dict[str, Callable[[Any, torch.Tensor], object]] = {
    "a layer": lambda own, _: setattr(own, "softmax", nn.Softmax(-1)),
    "a layer in another": lambda own, _: setattr(own, "inner", nn.Sequential(nn.ReLU())),
    "a layer with parameters": lambda own, _: setattr(own, "norm", nn.LayerNorm(3)),
    "a parameter": lambda own, _: setattr(own, "factor", nn.Parameter(torch.ones(1))),
    "a frozen parameter": lambda own, _: setattr(own, "one", nn.Parameter(torch.ones(1), requires_grad=False)),
    "a buffer": lambda own, _: own.register_buffer("table", torch.ones(3)),
    "a buffer that is not saved": lambda own, _: own.register_buffer("table", torch.ones(3), persistent=False),
    "a tensor": lambda own, x: setattr(own, "last", x),
    "a table by size": lambda own, x: vars(own).setdefault("tables", {}).update({len(x): x.detach()}),
    "a hook": lambda own, _: own.register_forward_hook(lambda *_: None),
}


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("added", ADDED)
def test_what_a_call_adds_to_its_object_changes_nothing_that_was_there(added: str, training: bool) -> None:
    state = {"weight": torch.eye(3, dtype=torch.float64), "bias": torch.zeros(3, dtype=torch.float64)}
    call = Call("f", (X,), build=Build((3, 3), state=state, training=training), cotangents=(torch.ones_like(X),))
    right, found = (observe({"f": each}, call) for each in (nn.Linear, _keeping(ADDED[added])))
    assert found.changed == ()
    assert difference(right, found) is None


def test_a_part_that_stays_in_evaluation_mode_was_not_changed_by_the_call() -> None:
    state = {"weight": torch.eye(3), "bias": torch.zeros(3)}
    assert seen(Frugal, torch.ones(2, 3), build=Build(state=state, training=True)).changed == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda own, _: own.drop.eval(), "its mode (training or evaluation)"),
        (lambda own, _: own.bias.requires_grad_(False), "which of its parameters learn"),
        (lambda own, _: setattr(own, "bias", None), "bias"),
    ],
    ids=["a part's mode", "a parameter frozen", "a parameter gone"],
)
def test_what_a_call_changes_of_what_was_there_is_named(change: Any, says: str) -> None:
    class Changing(nn.Linear):
        def __init__(self) -> None:
            super().__init__(3, 3)
            self.drop = nn.Dropout(0.5)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.extra = nn.Identity()
            made = super().forward(x)
            change(self, x)
            return made

    state = {"weight": torch.eye(3), "bias": torch.zeros(3)}
    assert says in seen(Changing, torch.ones(2, 3), build=Build(state=state, training=True)).changed


def test_what_a_call_draws_does_not_depend_on_how_the_object_was_built() -> None:
    class Dropping(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return nn.functional.dropout(x, 0.5)

    class Longer(Dropping):
        def __init__(self) -> None:
            nn.Linear(3, 3)
            super().__init__()

    call = Call("answer", (torch.ones(100),), build=Build(training=True), seed=3)
    one, other = (observe({"answer": each}, call) for each in (Dropping, Longer))
    assert torch.equal(one.result, other.result)
    assert not torch.equal(one.result, one.again)


class Counting(nn.Linear):
    """Remembers how often it was called, beside its state."""

    calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return super().forward(x) * self.calls


def test_an_object_is_asked_twice_so_that_what_it_remembers_shows() -> None:
    state = {"weight": torch.eye(3), "bias": torch.zeros(3)}
    found = seen(Counting, torch.ones(2, 3), build=Build((3, 3), state=state))
    assert torch.equal(found.again, 2 * found.result)


def test_parameters_that_are_loaded_are_not_drawn_first(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[nn.Linear] = []
    monkeypatch.setattr(nn.Linear, "reset_parameters", lambda layer: drawn.append(layer))
    seen(nn.Linear, torch.ones(2, 3), build=Build((3, 3), state={"weight": torch.eye(3), "bias": torch.zeros(3)}))
    assert drawn == []
    seen(nn.Linear, torch.ones(2, 3), build=Build((3, 3)))
    assert len(drawn) > 0


class KeepsRow(nn.Module):
    """Has a table of one text, and keeps what its first row was."""

    kept: torch.Tensor | None = None

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(1, 3, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept = self.table[:, 0].detach().clone() if self.kept is None else self.kept
        return x * self.kept


def test_other_parameters_of_an_earlier_call_are_no_multiples_along_any_axis() -> None:
    table = torch.arange(1.0, 7.0).reshape(1, 3, 2)
    earlier = (("", True, (torch.ones(2),), {}, ""),)
    found = seen(KeepsRow, torch.ones(2), build=Build(state={"table": table}, earlier=earlier)).result
    ratios = found / table[:, 0]
    assert not torch.allclose(ratios, ratios[..., :1].expand_as(ratios))


class KeepsMask(Linear):
    """Uses the mask of an earlier call where none is given."""

    kept: torch.Tensor | None = None

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        self.kept = self.kept if mask is None else mask
        return self.w(x) if self.kept is None else self.w(x) * self.kept


class KeepsWeights(Linear):
    """Computes with the parameters that it had when it was called first."""

    kept: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept = self.w.weight.detach().clone() if self.kept is None else self.kept
        return x @ self.kept.T


class KeepsAnswers(Linear):
    """Keeps the answer to an object, whatever numbers it holds by now."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.kept: dict[int, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.kept.setdefault(id(x), self.w(x))


STATE = {"w.weight": torch.arange(9.0, dtype=torch.float64).reshape(3, 3)}


@pytest.mark.parametrize(
    ("made", "given"),
    [(KeepsMask, (X + 1, X > 2)), (KeepsWeights, (X,)), (KeepsAnswers, (X + 1,))],
    ids=["an argument", "parameters", "an object"],
)
def test_what_an_object_keeps_of_an_earlier_call_shows_in_a_later_one(made: Any, given: tuple[Any, ...]) -> None:
    fresh, earlier = Build((3,), state=STATE), Build((3,), state=STATE, earlier=(("", True, given, {}, ""),))
    right = seen(Linear, X, build=fresh)
    assert difference(right, seen(made, X, build=earlier)) is not None
    assert difference(right, seen(Linear, X, build=earlier)) is None


FAILING: Any = (("missing", True, (), {}, ""), ("", True, (X[0, 0],), {}, ""))


def test_an_earlier_call_that_fails_counts_for_nothing_and_leaves_the_mode_as_it_is_asked_for() -> None:
    broken = Build((3,), state=STATE, training=False, earlier=FAILING)
    assert difference(seen(Linear, X, build=Build((3,), state=STATE)), seen(Linear, X, build=broken)) is None
