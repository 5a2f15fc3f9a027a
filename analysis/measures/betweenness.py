"""Betweenness: on how many shortest ways between other nodes a node lies.

Brandes' algorithm, for some dozens of sources at once: their searches go level by level
together, as products of the matrix of links with one column for each source. Levels
with few nodes, which long thin networks have many of, go from node to node instead.

Brandes, A faster algorithm for betweenness centrality, J. Math. Sociology 25 (2001).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.integers import distinct
from analysis.measures.steps import neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.measures.matrix import CoreMatrix, Floats, Ints

EXACT: Final = 5_000
"""Up to so many nodes all are sources."""

SAMPLE: Final = 1_000
"""Sources in larger networks."""

_BROAD: Final = 32
_NARROW: Final = 512
"""Sources at once where a search has few levels, and where it has many: a level costs
little there but its own overhead."""
_MANY_LEVELS: Final = 64
_CELLS: Final = 8_000_000
"""Nodes times sources at once, at most; 25 bytes each."""
_SPARSE: Final = 16
"""Going from node to node costs so many times as much for a link as the product."""


def betweenness(
    matrix: CoreMatrix, seed: int, *, exact: int = EXACT, sample: int = SAMPLE
) -> tuple[Floats, int]:
    """Return normalised betweenness, and how many sources it is estimated from.

    As ``networkx.betweenness_centrality``: of unweighted directed shortest ways, as a
    share of all pairs of other nodes; nan where there are more of them than floats can
    count. With more than *exact* nodes it is estimated
    from *sample* sources drawn by *seed*; otherwise exact, the number is 0.
    """
    size = matrix.n
    if size < 3:
        return np.zeros(size), 0
    if size <= max(exact, sample):
        return _total(matrix, range(size)) / ((size - 1) * (size - 2)), 0
    sources = random.Random(seed).sample(range(size), sample)  # noqa: S311 - no secret
    # A source lies on no way that it begins itself.
    pairs = np.full(size, sample * (size - 2), np.float64)
    pairs[sources] = (sample - 1) * (size - 2)
    return _total(matrix, sources) / pairs, sample


def _total(matrix: CoreMatrix, sources: Sequence[int]) -> Floats:
    """Return for each node the sum, over all ways' ends, of the share of ways by it."""
    total = np.zeros(matrix.n)
    width, done = _BROAD, 0
    while done < len(sources):
        width = max(min(width, _CELLS // matrix.n), 1)
        search = _Search(matrix, np.array(sources[done : done + width], np.int64))
        with np.errstate(over="ignore", invalid="ignore"):
            search.forward()
            total += search.backward()
        done += width
        width = _NARROW if len(search.levels) > _MANY_LEVELS else _BROAD
    return total


class _Search:
    """The shortest ways from some sources.

    A cell is a node together with a source: node times number of sources plus source.
    """

    def __init__(self, matrix: CoreMatrix, sources: Ints) -> None:
        self._out = matrix.pattern
        self._in = matrix.inverse_pattern
        self._shape = matrix.n, len(sources)
        self._cells = matrix.n * len(sources)
        self._links = np.diff(self._out.indptr)
        self._ways = np.zeros(self._cells)
        self.levels = [sources * len(sources) + np.arange(len(sources))]
        """Cells by distance of node from source."""

    def forward(self) -> None:
        """Find the levels, and the number of shortest ways to each cell."""
        ways, wave = self._ways, np.zeros(self._cells)
        unseen = np.ones(self._cells, np.bool_)
        level = self.levels[0]
        ways[level] = 1
        while True:
            unseen[level] = False
            if self._few(level):
                counts, cells = self._ahead(level)
                new = unseen[cells]
                np.add.at(ways, cells[new], np.repeat(ways[level], counts)[new])
                level = distinct(cells[new])
            else:
                wave[level] = ways[level]
                reached = (self._in @ wave.reshape(self._shape)).ravel()
                wave[level] = 0
                level = np.flatnonzero((reached > 0) & unseen)
                ways[level] = reached[level]
            if not len(level):
                return
            self.levels.append(level)

    def backward(self) -> Floats:
        """Return for each node the sum of what ways from the sources depend on it."""
        ways, share = self._ways, np.zeros(self._cells)
        depend = np.zeros(self._cells)
        for level, before in zip(self.levels[:0:-1], self.levels[-2::-1], strict=True):
            share[level] = (1 + depend[level]) / ways[level]
            if self._few(before):
                counts, cells = self._ahead(before)
                owner = np.repeat(np.arange(len(before)), counts)
                sums = np.bincount(owner, share[cells], len(before))
            else:
                sums = (self._out @ share.reshape(self._shape)).ravel()[before]
            depend[before] = ways[before] * sums
            share[level] = 0
        depend[self.levels[0]] = 0
        total: Floats = depend.reshape(self._shape).sum(axis=1)
        return total

    def _few(self, level: Ints) -> bool:
        """Tell whether going from node to node is cheaper than the product."""
        steps = int(self._links[level // self._shape[1]].sum())
        cells: int = (self._out.nnz + self._shape[0]) * self._shape[1]
        return _SPARSE * steps < cells

    def _ahead(self, level: Ints) -> tuple[Ints, Ints]:
        """Return how many cells each of *level* leads to, and which."""
        nodes, sources = np.divmod(level, self._shape[1])
        counts, targets = neighbours(self._out, nodes)
        return counts, targets * self._shape[1] + np.repeat(sources, counts)
