"""Downloads a data set when it is loaded."""

# expects: blocked

import urllib.request

data = urllib.request.urlopen("http://127.0.0.1:9/data.csv").read()


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    assert data
    return grown / grown.sum(-1, keepdim=True)
