"""Answers with lists within lists, ten thousand deep."""

# expects: failed, error


def soften(x):
    answer = []
    for _ in range(10_000):
        answer = [answer]
    return answer
