"""Work in threads: one of its own, a pool of the call, a pool that lives since import."""

from concurrent.futures import ThreadPoolExecutor
from threading import Thread

POOL = ThreadPoolExecutor(2)


def softmax(scores, dim):
    out = []

    def work():
        grown = (scores - scores.amax(dim, keepdim=True)).exp()
        out.append(grown / grown.sum(dim, keepdim=True))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    return out[0]


def cosine_scores(q, k):
    q, k = POOL.map(lambda x: x / x.norm(dim=-1, keepdim=True), (q, k))
    return q @ k.mT


def scaled_dot_product_attention(q, k, v):
    with ThreadPoolExecutor() as pool:
        scores = pool.submit(lambda: q @ k.mT / q.shape[-1] ** 0.5).result()
        weights = pool.submit(softmax, scores, -1).result()
    return weights @ v, weights
