"""Chapter 0, before attention: sums over named axes, states as a fold, gradients by the chain rule."""

from itertools import accumulate

import torch


def rnn_step(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """tanh(Σ_i x_i w_ik + Σ_j h_j w_jk + b_k): (..., i), (..., n) -> (..., n)."""
    return torch.tanh(torch.einsum("...i,ik->...k", x, w_x) + torch.einsum("...j,jk->...k", h, w_h) + b)


def rnn(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """(B, T, i), (B, n) -> (B, T, n): the words folded into the state, every intermediate result kept."""
    states = accumulate(x.unbind(1), lambda state, word: rnn_step(word, state, w_x, w_h, b), initial=h)
    return torch.stack(list(states)[1:], dim=1)


def influence(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """(T,): |W_x S_t Π_{k>t} (W_h S_k) 1|, S_t = diag(1 - h_t²), from the end back (Pascanu et al. 2013, eq. 5)."""
    slopes = 1 - rnn(x[None], h[None], w_x, w_h, b)[0] ** 2  # (T, n)
    arriving = torch.ones_like(h)  # the gradient of the last state's sum with respect to state t
    lengths = []
    for slope in slopes.flip(0):
        lengths.append(torch.linalg.vector_norm(w_x @ (slope * arriving)))
        arriving = w_h @ (slope * arriving)
    return torch.stack(lengths).flip(0)


def attend_over_states(
    query: torch.Tensor, states: torch.Tensor, w: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Σ_t a_t h_t and a_t = softmax_t(v · tanh(W_q q + W_h h_t)) (Bahdanau et al. 2015, section 3.1)."""
    from_query, from_state = w.tensor_split(2, dim=1)  # (m, n) each
    asked = torch.einsum("mn,bn->bm", from_query, query)
    found = torch.einsum("mn,btn->btm", from_state, states)
    scores = torch.einsum("m,btm->bt", v, torch.tanh(asked.unsqueeze(1) + found))
    weights = torch.exp(scores - scores.logsumexp(dim=1, keepdim=True))
    return torch.einsum("bt,btn->bn", weights, states), weights
