"""Chromium, as Debian has it, for tests that open pages."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "google-chrome"))), None
)
needed: Final = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

SOFTWARE_GL: Final = (
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
NO_GL: Final = ("--disable-3d-apis",)


def browsers(driver: Any, *arguments: str) -> Iterator[Any]:
    """Yield a browser, and end it."""
    browser = driver.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", *arguments]
    )
    yield browser
    browser.close()


def pages(browser: Any, path: Path, **context: Any) -> Iterator[Any]:
    """Yield the page at *path*; ``asked`` and ``said`` are its requests and its log."""
    opened = browser.new_context(viewport={"width": 1200, "height": 900}, **context)
    page = opened.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(path.as_uri())
    yield page
    opened.close()
