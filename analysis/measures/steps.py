"""Steps along the links of many nodes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from analysis.measures.matrix import Ints


def neighbours(matrix: Any, nodes: Ints) -> tuple[Ints, Ints]:
    """Return how many neighbours each of *nodes* has in a CSR matrix, and which.

    >>> from scipy import sparse
    >>> counts, found = neighbours(
    ...     sparse.csr_array([[0, 1, 1], [0, 0, 0], [1, 0, 0]]), np.array([0, 1, 2])
    ... )
    >>> counts.tolist(), found.tolist()
    ([2, 0, 1], [1, 2, 0])
    """
    first = matrix.indptr[nodes].astype(np.int64)
    counts = matrix.indptr[nodes + 1] - first
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places = np.arange(total) + np.repeat(first - ends + counts, counts)
    return counts, matrix.indices[places].astype(np.int64)
