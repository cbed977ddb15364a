"""Never comes to an end."""

# expects: timeout


def soften(x):
    while True:
        pass
