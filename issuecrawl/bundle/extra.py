"""What bundles need besides issuecrawl itself."""

from __future__ import annotations

from importlib.util import find_spec

from issuecrawl.model.errors import AnalysisError


def require_pyarrow() -> None:
    """Raise AnalysisError where the library that reads and writes tables is missing."""
    if find_spec("pyarrow") is None:
        message = (
            "A bundle needs PyArrow for its tables; pip install issuecrawl[bundle]"
        )
        raise AnalysisError(message)
