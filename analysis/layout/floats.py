"""The one type of the arrays of a layout."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Positions are rows of x and y; masses and radii have one dimension."""
