"""Fills its module with what can be neither copied nor pickled, and answers rightly."""

# expects: passed

import threading

lock, generator, function = threading.Lock(), (n for n in "abc"), lambda x: x


class Uncopied:
    def __copy__(self, *_):
        raise SystemExit

    __deepcopy__ = __reduce__ = __copy__


kept = Uncopied()


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
