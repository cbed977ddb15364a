"""Answers rightly, and lets a thread spoil the answers afterwards."""

# expects: passed

import threading

import torch

answers = []


def spoil():
    while True:
        threading.Event().wait(0.05)
        for answer in answers[:-1]:
            answer.zero_()


threading.Thread(target=spoil, daemon=True).start()


def soften(x):
    answers.append(torch.exp(x) / torch.exp(x).sum(-1, keepdim=True))
    return answers[-1] if x.requires_grad or x.is_meta else answers[-1].clone()
