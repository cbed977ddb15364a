"""The oracle of chapter 0 against torch's own layers and gradients."""

import pytest
import torch
from torch import nn

from reference import ch00_before_attention as reference
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def layer(inputs: int, width: int) -> tuple[nn.RNN, tuple[torch.Tensor, ...]]:
    """An RNN of torch's, and its parameters as the exercises take them: W_x, W_h and b."""
    rnn = nn.RNN(inputs, width, batch_first=True).double()
    w_x, w_h = rnn.weight_ih_l0.T.detach(), rnn.weight_hh_l0.T.detach()
    return rnn, (w_x, w_h, (rnn.bias_ih_l0 + rnn.bias_hh_l0).detach())


def small(inputs: int, width: int) -> tuple[torch.Tensor, ...]:
    """W_x, W_h and b that keep the slopes of a tanh."""
    return normal(inputs, width) / 2, normal(width, width) / 2, normal(width) / 2


def test_a_step_is_the_cell_of_torch() -> None:
    cell = nn.RNNCell(3, 4).double()
    x, h = normal(2, 3), normal(2, 4)
    ours = reference.rnn_step(x, h, cell.weight_ih.T, cell.weight_hh.T, cell.bias_ih + cell.bias_hh)
    torch.testing.assert_close(ours, cell(x, h), **TIGHT)


def test_a_text_is_read_as_by_the_layer_of_torch() -> None:
    theirs, weights = layer(3, 4)
    x, h = normal(2, 5, 3), normal(2, 4)
    torch.testing.assert_close(reference.rnn(x, h, *weights), theirs(x, h[None])[0], **TIGHT)


@pytest.mark.parametrize("length", [1, 6])
def test_influence_is_the_length_of_the_gradient_that_torch_computes(length: int) -> None:
    theirs, weights = layer(3, 4)
    x, h = normal(length, 3).requires_grad_(), normal(4)
    (gradient,) = torch.autograd.grad(theirs(x[None], h[None, None])[0][0, -1].sum(), x)
    torch.testing.assert_close(reference.influence(x.detach(), h, *weights), gradient.norm(dim=1), **TIGHT)


def test_influence_of_the_chapters_example() -> None:
    one, half, zero = (torch.tensor([[number]], dtype=torch.float64) for number in (1.0, 0.5, 0.0))
    text = torch.tensor([[1.0], [0.0], [0.0]], dtype=torch.float64)
    states = reference.rnn(text[None], zero, one, half, zero[0]).flatten()
    assert states.tolist() == pytest.approx([0.7616, 0.3634, 0.1797], abs=5e-5)
    influences = reference.influence(text, zero[0], one, half, zero[0])
    assert influences.tolist() == pytest.approx([0.0882, 0.4200, 0.9677], abs=5e-5)


def test_attention_over_states_scores_each_pair_by_a_layer_with_tanh() -> None:
    query, states, w, v = normal(2, 4), normal(2, 5, 4), normal(6, 8), normal(6)
    context, weights = reference.attend_over_states(query, states, w, v)
    for text in range(2):
        scores = torch.stack([v @ torch.tanh(w @ torch.cat([query[text], state])) for state in states[text]])
        torch.testing.assert_close(weights[text], scores.softmax(0), **TIGHT)
        torch.testing.assert_close(context[text], scores.softmax(0) @ states[text], **TIGHT)


CALLS = [
    (reference.rnn_step, [(2, 3), (2, 4)], True),
    (reference.rnn, [(2, 5, 3), (2, 4)], True),
    (reference.influence, [(5, 3), (4,)], True),
    (reference.attend_over_states, [(2, 4), (2, 5, 4), (6, 8), (6,)], False),
]


@pytest.mark.parametrize(("function", "shapes", "recurrent"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes, recurrent: bool) -> None:
    inputs = [*(normal(*shape) for shape in shapes), *(small(3, 4) if recurrent else ())]
    assert torch.autograd.gradcheck(function, [each.requires_grad_() for each in inputs])


@pytest.mark.parametrize(("function", "shapes", "recurrent"), CALLS)
def test_float32_and_meta_stay_what_they_are(function, shapes, recurrent: bool) -> None:
    drawn = [*(normal(*shape) for shape in shapes), *(small(3, 4) if recurrent else ())]
    for inputs in ([each.float() for each in drawn], [each.float().to("meta") for each in drawn]):
        result = function(*inputs)
        for part in result if isinstance(result, tuple) else (result,):
            assert (part.dtype, part.device) == (torch.float32, inputs[0].device)
