"""Ctrl-C as what it is, whatever the code that it reached makes of it."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextlib.contextmanager
def ctrl_c() -> Iterator[None]:
    """Let the block end with KeyboardInterrupt once Ctrl-C was pressed in it.

    A query of the database would end with an error of its own, and a module in C that is
    being loaded with an ImportError.
    """
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.default_int_handler(number, frame)

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, press)
    try:
        yield
    except Exception as error:
        if pressed:
            raise KeyboardInterrupt from error
        raise
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
