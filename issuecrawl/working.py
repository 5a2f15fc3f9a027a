"""Says that a command is at work: a live line on a terminal, else one a minute."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.progress import TimeElapsedColumn as Elapsed

from issuecrawl.summary import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_SECONDS: Final = 60.0


class Working:
    """What is being done, and how much of it is done where that is known."""

    def __init__(self, seconds: float = LINE_SECONDS) -> None:
        self._seconds = seconds
        self._text = ""
        self._done = self._total = 0
        self._began = time.monotonic()

    def on(self, text: str, total: int = 0) -> None:
        """Begin with *text*, of which *total* is to be done, 0 if nobody knows."""
        self._text, self._done, self._total = text, 0, total

    def advance(self, done: int) -> None:
        """Note that *done* more of the total is done."""
        self._done += done

    def line(self) -> str:
        share = f", {100 * self._done // self._total} %" if self._total else ""
        return f"{self._text}{share}, {duration(time.monotonic() - self._began)} so far"

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Show it on standard error until the block ends, and then leave no trace."""
        console = Console(stderr=True)
        display = self._display(console) if console.is_terminal else None
        over = threading.Event()
        show = threading.Thread(target=self._show, args=(over, display), daemon=True)
        with display or contextlib.nullcontext():
            show.start()
            try:
                yield
            finally:
                over.set()
                show.join()

    def _display(self, console: Console) -> Progress:
        columns = (SpinnerColumn(), TextColumn("{task.description}"))
        display = Progress(
            *columns, BarColumn(), Elapsed(), console=console, transient=True
        )
        display.add_task("", total=None)
        return display

    def _show(self, over: threading.Event, display: Progress | None) -> None:
        while not over.wait(self._seconds if display is None else 0.2):
            if display is None:
                sys.stderr.write(f"{self.line()}\n")
            else:
                display.update(
                    display.task_ids[0],
                    description=self._text,
                    completed=self._done,
                    total=self._total or None,
                )
