"""Answers with a list that holds itself, twice."""

# expects: failed, error, protocol, memory, timeout


def soften(x):
    answer = []
    answer += [answer, answer]
    return answer
