"""What a suite can ask of an exercise, on exercises of a few lines; each promise is also seen to fail."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from autograder.core.errors import BrokenCheckError
from autograder.suite import called, module
from tests.autograder.exercise_doubles import F32, F64, agreeing, refused


class Block(nn.Module):
    """x + dropout(inner(x)); `twice` does it two times."""

    def __init__(self, width: int, rate: float = 0.0) -> None:
        super().__init__()
        if width % 2:
            raise ValueError(f"{width} is odd")
        self.inner = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(rate)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.dropout(self.inner(self.norm(x)))

    def twice(self, x: torch.Tensor) -> torch.Tensor:
        return self(self(x))


class NoResidual(Block):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dropout(self.inner(self.norm(x)))


X = torch.randn(3, 4, dtype=F64)


def test_parameters_are_drawn_and_named_alike_in_both() -> None:
    agreeing(Block, Block)(X, build=(4,), gradients=True)
    refused(lambda: agreeing(Block, NoResidual)(X, build=(4,)), "differ")


def test_a_gradient_that_is_zero_but_for_rounding_may_be_missing() -> None:
    class Shifted(nn.Module):
        """A bias before a softmax changes nothing."""

        def __init__(self) -> None:
            super().__init__()
            self.bias = nn.Parameter(torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return (x + self.bias).softmax(-1)

    class Bare(Shifted):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.softmax(-1)

    agreeing(Shifted, Bare)(X, build=(), gradients=True)
    refused(
        lambda: agreeing(Block, NoResidual)(X, build=module(4, fill={"norm.weight": 0.0}), gradients=True), "differ"
    )


def test_parameters_can_be_filled_by_the_beginning_of_their_name() -> None:
    says = "with a silent inner layer the answer is x"
    build = module(4, fill={"inner": 0.0})
    agreeing(Block, Block).satisfies(says, lambda r: torch.equal(r, X), X, build=build)
    refused(lambda: agreeing(Block, NoResidual).satisfies(says, lambda r: torch.equal(r, X), X, build=build), says)


def test_a_parameter_to_fill_that_is_not_there_is_our_own_fault() -> None:
    with pytest.raises(BrokenCheckError, match=r"no parameter inne, only inner\.weight"):
        agreeing(Block, Block)(X, build=module(4, fill={"inne": 0.0}))


def test_another_method_is_compared_and_shown() -> None:
    agree = agreeing(Block, NoResidual)
    failed = refused(lambda: agree(X, build=module(4, method="twice")), "differ")
    assert "answer(width=4).twice(x=float64 (3, 4))" in failed.message.text


def test_the_dtype_of_parameters_is_that_of_the_input_unless_given() -> None:
    def table(width: int) -> nn.Embedding:
        return nn.Embedding(5, width)

    ids = torch.tensor([1, 3])
    agreeing(table, table).satisfies("float64", lambda r: r.dtype is F64, ids, build=(4,))
    agreeing(table, table).satisfies("float32", lambda r: r.dtype is F32, ids, build=module(4, dtype=F32))
    agreeing(Block, Block).satisfies("float32", lambda r: r.dtype is F32, X.float(), build=(4,))


def test_training_mode_is_asked_for_by_a_property() -> None:
    says = "what is added is dropped or doubled"

    def holds(result: torch.Tensor) -> bool:
        return bool(((result - X).abs() < 1e-12).any())

    class Asleep(Block):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.inner(self.norm(x))

    build = module(4, 0.5, training=True)
    agreeing(Block, Block).satisfies(says, holds, X, build=build)
    refused(lambda: agreeing(Block, Asleep).satisfies(says, holds, X, build=build), says)


def test_a_property_does_not_hold_for_one_who_overwrites_the_argument() -> None:
    def doubled(x: torch.Tensor) -> torch.Tensor:
        return 2 * x

    def in_place(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2)

    agreeing(doubled, doubled).satisfies("it is twice x", lambda r: torch.equal(r, 2 * X), X)
    agree = agreeing(doubled, in_place, in_place=in_place)
    failed = refused(
        lambda: agree.satisfies("it is twice x", lambda r: torch.equal(r, 2 * X), X), "changed its argument"
    )
    assert failed.misconceptions == ("in_place",)


def test_an_argument_changed_by_less_than_any_tolerance_is_changed() -> None:
    def entropy(p: torch.Tensor) -> torch.Tensor:
        return -torch.special.xlogy(p, p).sum(-1)

    def clamped(p: torch.Tensor) -> torch.Tensor:
        return entropy(p.clamp_(min=1e-12))

    weights = torch.tensor([[0.0, 1.0], [0.5, 0.5]], dtype=torch.float64)
    agreeing(entropy, entropy)(weights)
    failed = refused(lambda: agreeing(entropy, clamped, clamped=clamped)(weights), "changed its argument p")
    assert failed.misconceptions == ("clamped",)


def test_two_answers_with_the_same_parameters_are_related() -> None:
    says = "turned rows, turned answer"
    ask = ((X,), (X.flip(0),))
    agreeing(Block, Block).relates(says, lambda a, b: torch.allclose(a.flip(0), b), *ask, build=(4,))

    class Placed(Block):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x) + torch.arange(len(x))[:, None]

    agree = agreeing(Block, Placed, placed=Placed)
    failed = refused(lambda: agree.relates(says, lambda a, b: torch.allclose(a.flip(0), b), *ask, build=(4,)), "placed")
    assert failed.misconceptions == ("placed",)
    assert says in failed.message.text


def test_a_relation_that_the_reference_breaks_is_our_own_fault() -> None:
    with pytest.raises(BrokenCheckError):
        agreeing(Block, Block).relates("always different", lambda a, b: bool((a != b).all()), (X,), (X,), build=(4,))


def test_a_constructor_may_have_to_refuse() -> None:
    class Lenient(Block):
        def __init__(self, width: int) -> None:
            super().__init__(2 * width)

    agreeing(Block, Block).raises(ValueError, X, naming=("3",), build=(3,))
    refused(
        lambda: agreeing(Block, Lenient).raises(ValueError, X, naming=("3",), build=(3,)), "should raise ValueError"
    )


def test_a_function_without_tensors_is_asked_under_float64_and_under_what_is_wanted() -> None:
    def steps(count: int) -> torch.Tensor:
        return torch.ones(count) / 3

    def single(count: int) -> torch.Tensor:
        return torch.ones(count, dtype=F32) / 3

    for agree in (agreeing(steps, steps), agreeing(steps, steps).under(F32)):
        agree(4)
    agreeing(steps, single).under(F32)(4)
    refused(lambda: agreeing(steps, single)(4), "float32 instead of float64")


def test_a_function_without_tensors_follows_the_default_device() -> None:
    def fixed(count: int) -> torch.Tensor:
        return torch.ones(count, device="cpu")

    agreeing(torch.ones, torch.ones).on_meta(4)
    refused(lambda: agreeing(torch.ones, fixed).on_meta(4), "cpu instead of meta")


def test_a_function_without_tensors_may_look_at_its_own_numbers() -> None:
    def looking(count: int) -> torch.Tensor:
        return torch.tensor([2 * number for number in torch.arange(count).tolist()])

    agreeing(lambda count: 2 * torch.arange(count), looking).on_meta(4)


def test_other_names_of_parameters_are_said_once() -> None:
    class Renamed(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.inside, self.norm = nn.Linear(width, width), nn.LayerNorm(width)

    failed = refused(lambda: agreeing(Block, Renamed)(X, build=(4,)), "`inside` should be called `inner`")
    assert failed.message.text.count("inside") == 1
    assert "StateMismatchError" not in failed.message.text
    assert [line.split()[0] for line in failed.message.text.splitlines()[1:]] == ["called", "expected", "try"]


def test_a_named_mistake_with_other_parameters_does_not_tell_an_internal_error() -> None:
    class Wide(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.inner, self.norm = nn.Linear(width, 2 * width), nn.LayerNorm(width)

    failed = refused(lambda: agreeing(Block, Wide, too_wide=Wide)(X, build=(4,)), "too_wide")
    assert failed.misconceptions == ("too_wide",)
    assert "StateMismatchError" not in failed.message.text
    assert "the parameters differ from those of the chapter" in failed.message.headline


def test_what_the_call_changes_of_the_object_is_a_difference() -> None:
    class Learning(Block):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result = super().forward(x)
            with torch.no_grad():
                self.inner.bias += 1
            self.train()  # numbers that change are worse than a mode
            return result

    refused(lambda: agreeing(Block, Learning)(X, build=(4,)), r"the call changed inner\.bias")
    refused(lambda: agreeing(Learning, Block)(X, build=(4,)), r"the call should change inner\.bias, and does not")


def test_an_object_that_is_right_when_it_is_new_is_told_to_remember_something() -> None:
    class Keeping(Block):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.first = vars(self).get("first", x)
            return super().forward(self.first)

    x = torch.linspace(-1, 1, 8, dtype=F64).reshape(2, 4)
    used = module(4, after=[called(x.exp())])
    says = "a new object gives the right answer, but not one that was called before"
    failed = refused(lambda: agreeing(Block, Keeping)(x, build=used), "instead of")
    assert failed.message.headline == says
    assert "something of an earlier call is left in the object" in failed.message.text.casefold()

    class Halving(Block):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x) / 2

    assert "a new object" not in refused(lambda: agreeing(Block, Halving)(x, build=used), "instead of").message.text


def test_a_product_of_two_parameters_that_is_kept_from_an_earlier_call_is_noticed() -> None:
    """Rows in another order would not show it: the product of both stays."""

    class Scores(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.query, self.key = (nn.Linear(width, width, bias=False, dtype=F64) for _ in "qk")

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.query.weight.T @ self.key.weight @ x.mT

    class Kept(Scores):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.form = vars(self).get("form", self.query.weight.T @ self.key.weight)
            return x @ self.form @ x.mT

    x = torch.linspace(-1, 1, 8, dtype=F64).reshape(2, 4)
    agreeing(Scores, Scores)(x, build=module(4, after=[called(x.exp())]))
    refused(lambda: agreeing(Scores, Kept)(x, build=module(4, after=[called(x.exp())])), "instead of")


def halve(x: torch.Tensor) -> torch.Tensor:
    return x / 2


def picky(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, x, x) / 2 if bool((x.abs() >= 0).all()) else x


def stuck(x: torch.Tensor) -> torch.Tensor:
    return x / torch.full((4,), 2.0, dtype=x.dtype, device="cpu")


def test_an_answer_that_looks_at_its_numbers_may_be_excused_on_meta_but_not_a_fixed_device() -> None:
    x = torch.ones(3, 4, dtype=F64)
    failed = refused(lambda: agreeing(halve, picky).on_meta(x), "looks at the numbers of a tensor that has none")
    assert "no .item()" in failed.message.text
    agreeing(halve, picky).on_meta(x, unless_data_is_needed=True)
    refused(lambda: agreeing(halve, stuck).on_meta(x, unless_data_is_needed=True), "meta")


def test_an_overwritten_tensor_that_the_gradient_needs_is_told_in_plain_words() -> None:
    def overwrites(x: torch.Tensor) -> torch.Tensor:
        y = x.exp()
        z = y * y
        y += 1
        return z

    right = lambda x: (2 * x).exp()  # noqa: E731
    refused(lambda: agreeing(right, overwrites)(torch.ones(2, dtype=F64), gradients=True), "still needs is overwritten")


def test_gradients_that_stay_switched_off_are_noticed_and_switched_on_again() -> None:
    def careless(x: torch.Tensor) -> torch.Tensor:
        torch.set_grad_enabled(False)
        return x / 2

    failed = refused(lambda: agreeing(halve, careless)(torch.ones(2, dtype=F64)), "whether torch records gradients")
    assert failed.status == "failed"
    assert "with torch.no_grad():" in failed.message.advice
    assert torch.is_grad_enabled()


def test_one_number_that_differs_is_not_counted() -> None:
    failed = refused(lambda: agreeing(halve, lambda x: x.sum() / 3)(torch.tensor(1.0)), "instead of 0.5")
    assert "entries differ" not in failed.message.text


def mixed(x: torch.Tensor) -> torch.Tensor:
    return x @ torch.eye(4) / 2


def narrow(x: torch.Tensor) -> torch.Tensor:
    return (x / 2).float()


def test_a_tensor_made_with_the_wrong_dtype_or_device_is_told_in_plain_words() -> None:
    x = torch.ones(3, 4, dtype=F64)
    for answer, says in ((mixed, "it mixes dtypes"), (narrow, "the result is float32 instead of float64")):
        failed = refused(lambda answer=answer: agreeing(halve, answer)(x), says)
        assert "torch.zeros(3, dtype=x.dtype, device=x.device)" in failed.message.text
    failed = refused(lambda: agreeing(halve, stuck).on_meta(x), "it mixes devices")
    assert "device=x.device" in failed.message.text
    assert refused(lambda: agreeing(halve, narrow, known=narrow)(x), "known").message.text.startswith("known.")


def test_a_reference_that_changes_its_argument_is_the_one_at_fault() -> None:
    def doubles(x):
        return x.mul_(2)

    with pytest.raises(BrokenCheckError, match="the reference is at fault: it changed its argument x; make it work"):
        agreeing(doubles, lambda x: 2 * x)(torch.ones(2))


def test_an_axis_is_not_called_after_another_that_has_the_size_of_a_layer_by_chance() -> None:
    class Widens(nn.Module):
        def __init__(self, width: int, factor: int = 1) -> None:
            super().__init__()
            self.width, self.factor = width, factor

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.factor * x[:, :1].expand(-1, self.width)

    class Doubles(Widens):
        def __init__(self, width: int) -> None:
            super().__init__(width, 2)

    agree = agreeing(Widens, Doubles)
    batch = agree._draw("B T").shape[0]
    refused(lambda: agree(agree._draw("7 1"), build=module(batch)), r"the result\[\d, \d\] is")
