"""Forces of the cluster map: as exact as they have to be, and what comes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

from analysis.layout import place
from analysis.layout.repulsion import repulsion
from tests.networks import small_network
from tests.test_layout import graph, planted

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("size", [20, 150], ids=["by pairs", "by grid"])
def test_groups_that_link_to_each_other_lie_together(size: int) -> None:
    found = planted(4, size)
    layout = place(small_network(graph=found))["cluster"]
    at = np.array([layout[node] for node in found])
    group = np.array([int(node.split("-")[0]) for node in found])
    nearest = np.argsort(np.linalg.norm(at[:, None] - at[None], axis=2), axis=1)[:, 1:6]

    assert (group[nearest] == group[:, None]).mean() > 0.85


def clumped(random: np.random.Generator) -> Any:
    """Return places of which half are in clumps of 50, each less than a cell wide."""
    at = random.normal(size=(2000, 2)) * 100
    at[:1000] = at[:20].repeat(50, axis=0) + random.normal(size=(1000, 2)) * 2
    return at


@pytest.mark.parametrize(
    ("spots", "usual", "far_off"),
    [
        (lambda random: random.normal(size=(2000, 2)) * 100, 0.05, 0.2),
        (clumped, 0.3, 1.2),
    ],
    ids=["spread", "in clumps"],
)
def test_grid_pushes_as_pairs_do(spots: Any, usual: float, far_off: float) -> None:
    random = np.random.default_rng(3)
    at = spots(random)
    mass = random.integers(1, 20, len(at)).astype(np.float64)
    apart = at[:, None] - at[None]
    square = (apart**2).sum(axis=2) + np.eye(len(at))
    exact = (apart * (mass[:, None] * mass[None] / square)[:, :, None]).sum(axis=1)

    error = np.linalg.norm(repulsion(mass)(at) - exact, axis=1)
    share = error / np.linalg.norm(exact, axis=1)
    assert np.median(share) < usual
    assert np.quantile(share, 0.9) < far_off


def two_stars(nodes: int) -> list[tuple[int, int]]:
    return [(number, number % 2) for number in range(2, nodes)] + [(0, 1)]


def tree(nodes: int) -> list[tuple[int, int]]:
    return [(number, (number - 1) // 3) for number in range(1, nodes)]


@pytest.mark.parametrize("shape", [two_stars, tree])
def test_nodes_that_forces_leave_on_one_spot_do_not_blow_up_the_map(
    shape: Callable[[int], list[tuple[int, int]]],
) -> None:
    names = [f"{number}.test" for number in range(2000)]
    edges = [(names[a], names[b]) for a, b in shape(2000)]
    found = graph(dict.fromkeys(names, 5.0), edges)
    at = np.array(list(place(small_network(graph=found))["cluster"].values()))

    nearest, _ = cKDTree(at).query(at, k=2)
    assert nearest[:, 1].min() > 10.0
    assert np.ptp(at, axis=0).max() < 10.0 * 2000
