"""Ctrl-C while something else is made of it."""

from __future__ import annotations

import signal
import sqlite3

import pytest

from issuecrawl.stopping import ctrl_c


@pytest.mark.parametrize("made_of_it", [ImportError, sqlite3.OperationalError])
def test_ctrl_c_is_what_it_is_whatever_was_made_of_it(
    made_of_it: type[Exception],
) -> None:
    def load() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise made_of_it("initialization failed") from error

    with pytest.raises(KeyboardInterrupt), ctrl_c():
        load()

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_error_without_ctrl_c_is_that_error() -> None:
    with pytest.raises(ImportError), ctrl_c():
        raise ImportError("no module of that name")


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ctrl_c():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
