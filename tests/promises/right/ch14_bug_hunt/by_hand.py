"""Every number is written down."""

import torch

T, F = True, False


def probe_attention():
    q = [
        [[1, -2, 0.5], [0.3, 1.1, -0.7]],
        [[900000, -700000, 500000], [-0.4, 0.2, 1.5]],
    ]
    k = [
        [[0.1, 0.9, -1.3], [1.2, 0.4, 0.8], [-0.6, -1.1, 0.2], [0.5, 1.7, 1.4]],
        [[1.6, -0.3, 0.7], [0.2, 0.8, -0.9], [1.1, 1.3, 0.6], [-0.5, -0.2, -1.4]],
    ]
    v = [
        [[10], [20], [-30], [5]],
        [[7], [-11], [13], [17]],
    ]
    return tuple(torch.tensor([x], dtype=torch.float64) for x in (q, k, v))


def probe_masking():
    q = [
        [[1, -2, 0.5], [0.3, 1.1, -0.7], [9e5, -7e5, 5e5]],
        [[0.2, 0.4, 2], [-3e5, 8e5, 1e5], [1.2, 0.7, -1.9]],
    ]
    k = [
        [[0.1, 0.9, -1.3], [1.2, 0.4, 0.8], [-0.6, -1.1, 0.2], [0.5, 1.7, 1.4]],
        [[1.6, -0.3, 0.7], [0.2, 0.8, -0.9], [1.1, 1.3, 0.6], [-0.5, -0.2, -1.4]],
    ]
    v = [
        [[10, 1], [20, -3], [-30, 5], [5, 4]],
        [[7, 2], [-11, 6], [13, -8], [17, 9]],
    ]
    mask = [[[T, T, F, T], [T, F, T, T], [T, F, F, T]], [[F, T, T, T], [T, F, F, T], [F, F, F, F]]]
    q, k, v = (torch.tensor([x, x[::-1]], dtype=torch.float64).transpose(0, 1) for x in (q, k, v))  # two heads
    return q, k, v, torch.tensor(mask).unsqueeze(1)


def probe_multihead():
    words = [
        [0.3, -1.2, 0.8, 2.1, -0.4, 1.7, -2.2, 0.6, 1.1, -0.9, 0.2, 1.4],
        [1.9, 0.7, -1.5, 0.1, 0.9, -0.3, 1.2, -1.8, 0.5, 2.3, -0.6, -1.1],
        [-0.7, 1.6, 0.4, -1.9, 2.2, 0.8, -0.1, 1.3, -1.4, 0.6, 1.8, -0.2],
        [2.4, -0.5, 1.1, 0.7, -1.6, -2.1, 0.9, 0.3, 1.5, -1.2, -0.8, 0.4],
        [-1.3, 0.2, -0.9, 1.4, 0.6, 1.9, 1.7, -0.7, -2.3, 0.1, 1.2, 0.8],
        [0.5, -1.7, 2.1, -0.4, 1.3, -1.1, 0.2, 1.6, 0.9, -0.3, -2.2, 1.8],
    ]
    w = torch.tensor(words, dtype=torch.float64)
    query = torch.stack([w[[0, 3]], w[[4, 1]]])
    key = torch.stack([w[:5], w[1:]])
    value = torch.stack([w[[5, 2, 0, 1, 3]], w[[2, 4, 3, 5, 0]]])
    one = [[[T, F, T, T, F], [F, F, F, F, F]], [[F, T, T, F, T], [T, T, F, T, T]], [[T, T, T, F, F], [F, T, F, T, T]]]
    two = [[[F, T, F, F, T], [T, T, T, F, T]], [[T, F, F, T, T], [F, F, T, T, F]], [[F, F, F, F, F], [T, F, T, F, T]]]
    return query, key, value, torch.tensor([one, two])


def probe_layer_norm():
    x = torch.tensor([[4, 1, 7], [3, 3, 3], [10, -2, 5.5], [0.2, 0.7, 0.1]], dtype=torch.float64)
    scale, shift = torch.tensor([[2, -3, 0.5], [1, 4, -6]], dtype=torch.float64)
    return x, scale, shift, 2


def probe_positions():
    x = [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 1]], [[2, 4, 6, 8, 1], [3, 5, 7, 9, 2]], [[1, 1, 2, 3, 5], [8, 4, 2, 1, 6]]]
    table = [[0.1, 0.2, 0.3, 0.4, 0.5], [1, 2, 1, 2, 3], [5, 4, 3, 2, 1], [0, 1, 0, -1, 0]]
    return torch.tensor(x, dtype=torch.float64), torch.tensor(table, dtype=torch.float64)


def probe_decoder():
    x = [
        [[1, 2, -1, 0, 3, -2, 1, 0], [0, 1, 1, -3, 2, 0, 1, -1], [2, 0, -2, 1, 0, 1, -1, 3]],
        [[-1, 3, 0, 2, 1, 1, -2, 0], [1, 0, 2, 0, -1, 3, 0, 1], [0, -2, 1, 1, 3, 0, 2, -1]],
    ]
    memory = [
        [[1, 0, 2, -1, 0, 3, 1, -2], [0, 2, 1, 1, -3, 0, 2, 1], [2, 2, -1, 0, 1, -3, 0, 1], [1, -1, 3, 2, 0, 0, 1, 2]],
        [[3, -1, 0, 1, 2, -2, 0, 1], [-1, 1, 3, 0, 0, 2, -2, 1], [0, 1, 2, 3, -2, 1, 0, 0], [4, 0, 1, -1, 1, 2, 0, -3]],
    ]
    self_mask = torch.tensor([[T, F, T], [T, T, F], [F, T, T]])
    memory_mask = torch.tensor([[[[T, F, T, T]]], [[[F, T, T, F]]]])
    return torch.tensor(x, dtype=torch.float64), torch.tensor(memory, dtype=torch.float64), self_mask, memory_mask


def probe_patchify():
    red = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]
    green = [[-25, -31, -37, -43, -49, -55], [26, 32, 38, 44, 50, 56], [-9, -8, -7, -6, -5, -4], [0, 1, 0, 2, 0, 3]]
    return torch.tensor([[red, green]], dtype=torch.float64), 2
