"""Standing by the standing of others: PageRank, hubs and authorities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from analysis.measures.matrix import CoreMatrix, Floats

TOLERANCE: Final = 1e-12
"""Sum of the changes of a round, where all values sum to 1, that ends an iteration."""

DAMPING: Final = 0.85
"""networkx's alpha; the rest is a jump to any node."""

ROUNDS: Final = 1_000
"""PageRank needs 170 at most. HITS may need more where two parts of a network that are
not joined are almost equally strong; then this many rounds are its value."""


def pagerank(matrix: CoreMatrix) -> Floats:
    """Return weighted PageRank; nodes without outlinks lead to every node alike.

    As ``networkx.pagerank``. Values sum to 1.
    """
    size = matrix.n
    if not size:
        return np.zeros(0)
    out = np.asarray(matrix.weights.sum(axis=1)).ravel()
    shares = np.divide(1.0, out, out=np.zeros(size), where=out > 0)
    # Column by column what a node gets of the nodes that link to it.
    gain = (matrix.inverse @ sparse.diags_array(shares)).tocsr()
    nowhere = out == 0
    rank = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        before = rank
        spread = DAMPING * before[nowhere].sum() + 1 - DAMPING
        rank = DAMPING * (gain @ before) + spread / size
        if np.abs(rank - before).sum() < TOLERANCE:
            break
    return rank


def hits(matrix: CoreMatrix) -> tuple[Floats, Floats]:
    """Return weighted hubs and authorities, each summing to 1, or all 0 without links.

    As ``networkx.hits`` where that has one answer. Where several parts of the network
    are equally strong there are many, of which Kleinberg's iteration from equal values,
    which this is, finds the one that treats the parts alike.

    Kleinberg, Authoritative sources in a hyperlinked environment, JACM 46 (1999).
    """
    size = matrix.n
    if not matrix.links:
        return np.zeros(size), np.zeros(size)
    hub = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        before = hub
        hub = matrix.weights @ (matrix.inverse @ before)
        hub /= hub.sum()
        if np.abs(hub - before).sum() < TOLERANCE:
            break
    authority = matrix.inverse @ hub
    return hub, authority / authority.sum()
