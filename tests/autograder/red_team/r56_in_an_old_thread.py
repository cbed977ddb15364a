"""Reaches the ready-made function in a pool of threads that lives since the file was loaded."""

# expects: forbidden
# says: return x.softmax(-1)

from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(int).result()


def work(x):
    return x.softmax(-1)


def soften(x):
    return pool.submit(work, x).result()
