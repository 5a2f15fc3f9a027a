"""Which files may be named: any on one's own machine, those of one folder in a job."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from issuecrawl.model.errors import ConfigurationError
from issuecrawl.model.textfile import read_text
from issuecrawl.store.database import PREFIX, database_path

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class Files:
    """Paths as arguments and settings name them."""

    home: Path | None = None
    """Where relative paths begin in a job; None at the command line."""

    fence: Path | None = None
    """Folder that every path must lie in; None where any may be named."""

    @classmethod
    def of(cls, settings: BaseSettings, *, job: bool) -> Files:
        """Return the rules at the command line, or in a *job* of Scrapyd."""
        if not job:
            return cls()
        home = settings["ISSUECRAWL_HOME"]
        if not home or not Path(home).is_absolute():
            raise ConfigurationError.of(
                "ISSUECRAWL_HOME",
                home or "(nothing)",
                "the absolute path of the folder for store and networks of jobs",
            )
        fence = settings["ISSUECRAWL_FILES"] or home
        return cls(Path(home), Path(fence).resolve())

    @property
    def quote(self) -> bool:
        """Whether an error may quote what a file holds."""
        return self.fence is None

    def path(self, name: str) -> Path:
        """Return the path that *name* stands for, if it may be used."""
        path = (self.home / name) if self.home else Path(name).absolute()
        if self.fence is not None and not path.resolve().is_relative_to(self.fence):
            message = (
                f"{name} lies outside the folder that jobs may use;"
                " put it under ISSUECRAWL_FILES"
            )
            raise ConfigurationError(message)
        return path

    def read(self, name: str) -> str:
        """Return the text of the file *name*, in whatever encoding people save it."""
        try:
            return read_text(self.path(name))
        except OSError as error:
            message = (
                f"The file {name} cannot be read ({error.strerror}); check the path"
            )
            raise ConfigurationError(message) from error

    def database(self, address: str) -> Path:
        """Return the store's path."""
        path = database_path(address)
        if self.home is None:
            return path
        # What the address says, not where Scrapyd happens to run.
        return self.path(address.removeprefix(PREFIX))

    def folder(self, name: str) -> Path | None:
        """Return the folder for a network, None for the default one."""
        if not name:
            return None
        path = self.path(name)
        above = next(p for p in (path, *path.parents) if p.exists())
        if not above.is_dir() or not os.access(above, os.W_OK):
            accepted = "a folder that may be written, or made"
            raise ConfigurationError.of("out", name, accepted)
        return path

    def networks(self) -> Path:
        """Return the folder that the networks of crawls lie in by default."""
        return (self.home or Path.cwd()) / "networks"
