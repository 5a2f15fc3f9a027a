"""Pictures of a network for papers: SVG, PNG and PDF, with legend and caption.

No browser is needed. The same network gives the same bytes, on any machine. The network
is to be complete (:func:`analysis.complete.complete`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.pictures import compose, typesetting, vector

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.network import Network

NAMES: Final = {"cluster": "map", "circle": "circle", "geographic": "geographic"}
"""Names of files, without their ends, by layout."""

_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def svg(network: Network, layout: str = "cluster", *, caption: bool = True) -> str:
    """Return the element ``svg``, to stand in a page of HTML or by itself."""
    return vector.document(compose.drawn(network, layout, caption=caption))


def write_svg(network: Network, path: Path, layout: str = "cluster") -> None:
    text = _XML + svg(network, layout)
    path.write_text(text, encoding="utf-8", newline="\n")


def write_png(network: Network, path: Path, layout: str = "cluster") -> None:
    picture = compose.drawn(network, layout)
    path.write_bytes(
        typesetting.compiled(vector.document(picture), picture.title, "png")
    )


def write_pdf(network: Network, path: Path, layout: str = "cluster") -> None:
    picture = compose.drawn(network, layout)
    path.write_bytes(
        typesetting.compiled(vector.document(picture), picture.title, "pdf")
    )


WRITERS: Final = {"svg": write_svg, "png": write_png, "pdf": write_pdf}
"""By format, which is the end of a file's name."""


def fits(network: Network, layout: str) -> bool:
    """Return whether *network* can be drawn so: geography needs coordinates."""
    return layout != "geographic" or bool(network.layouts.get(layout))
