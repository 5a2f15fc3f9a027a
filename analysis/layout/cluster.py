"""The cluster map: linked nodes lie near each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from analysis.layout.forces import force_atlas
from analysis.layout.nodes import box
from analysis.layout.overlap import apart, scaled, snug
from analysis.layout.packing import MARGIN, packed, rows

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    from analysis.layout.floats import Floats

SMALL: Final = 12
"""Nodes up to which a part is drawn by the pattern of its links alone."""

AROUND: Final = 60
"""Parts that are packed around the largest; the rest stand in rows."""


def cluster(graph: nx.DiGraph[str], ids: list[str], radii: Floats, seed: int) -> Floats:
    """Return positions of the core, *ids*, in the unit of *radii*.

    Each weakly connected part is drawn by itself. The largest is in the middle, others
    lie around it; what has no link stands in rows below.
    """
    ties = _ties(graph, ids)
    parts = _parts(ties)
    several = [part for part in parts if len(part) > 1]
    alone = [part for part in parts if len(part) == 1]
    alone.sort(key=lambda part: (-radii[part[0]], part[0]))
    parts = [*several, *alone]
    drawn = _Drawn(ties, radii, seed)
    at = np.zeros((len(ids), 2))
    boxes = np.zeros((len(parts), 2))
    for number, part in enumerate(parts):
        at[part] = drawn.part(part)
        low, high = box(at[part], radii[part])
        at[part] -= (low + high) / 2
        # Nodes without a link are many and alike: they stand closer.
        boxes[number] = high - low + (MARGIN if len(part) > 1 else MARGIN / 4)
    centres = _arranged(boxes, min(len(several), AROUND))
    for part, centre in zip(parts, centres, strict=True):
        at[part] += centre
    return at


def _arranged(boxes: Floats, around: int) -> Floats:
    """Return centres of *boxes*: the first *around* packed, the rest in rows below."""
    above, below = boxes[:around], boxes[around:]
    centres = packed(above)
    low = (centres - above / 2).min(axis=0, initial=0.0)
    high = (centres + above / 2).max(axis=0, initial=0.0)
    area = float(below.prod(axis=1).sum())
    block = rows(below, max(float(high[0] - low[0]), math.sqrt(1.5 * area)))
    under = np.array([(low[0] + high[0]) / 2, low[1]])
    return np.concatenate([centres, block + under])


def _ties(graph: nx.DiGraph[str], ids: list[str]) -> Any:
    """Return how strongly nodes attract each other, as a symmetric sparse matrix.

    Links of one direction and of the other add up.
    """
    place = {node: number for number, node in enumerate(ids)}
    links = [
        (place[source], place[target], _pull(weight))
        for source, target, weight in graph.edges(data="weight")
        if source in place and target in place and source != target
    ]
    sources, targets, pulls = np.array(links, np.float64).reshape(-1, 3).T
    ends = sources.astype(np.int64), targets.astype(np.int64)
    one_way = sparse.coo_array((pulls, ends), shape=(len(ids), len(ids))).tocsr()
    ties = (one_way + one_way.T).tocsr()
    ties.sort_indices()
    return ties


def _pull(weight: Any) -> float:
    """Weights span orders of magnitude; one heavy link would swallow the picture.

    >>> _pull(1), _pull(None), round(_pull(1000), 2)
    (1.0, 1.0, 7.91)
    """
    known = isinstance(weight, int | float) and math.isfinite(weight)
    return 1.0 + math.log(max(weight, 1)) if known else 1.0


def _parts(ties: Any) -> list[NDArray[np.int64]]:
    """Return the weakly connected parts, the largest first, then by first node."""
    if not ties.shape[0]:
        return []
    _, label = connected_components(ties, directed=False)
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return sorted(parts, key=lambda part: (-len(part), part[0]))


class _Drawn:
    """Draws parts; small ones that are linked alike only once."""

    def __init__(self, ties: Any, radii: Floats, seed: int) -> None:
        self._ties = ties
        self._radii = radii
        self._seed = seed
        self._known: dict[tuple[bytes, ...], Floats] = {}

    def part(self, part: NDArray[np.int64]) -> Floats:
        if len(part) == 1:
            return np.zeros((1, 2))
        ties, radii = self._ties[part][:, part], self._radii[part]
        if len(part) <= SMALL:
            return snug(self._small(ties), radii)
        at = force_atlas(ties, seed=self._seed)
        return apart(scaled(at, radii), radii)

    def _small(self, ties: Any) -> Floats:
        """There can be thousands of these, and few patterns."""
        key = ties.indptr.tobytes(), ties.indices.tobytes()
        if key not in self._known:
            pattern = sparse.csr_array(
                (np.ones(len(ties.data)), ties.indices, ties.indptr), shape=ties.shape
            )
            self._known[key] = force_atlas(pattern, seed=self._seed)
        return self._known[key]
