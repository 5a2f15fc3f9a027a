"""The options that choose a network, as analysis takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Analysis = Literal["colink", "snowball", "interactor"]
Mode = Literal["page", "site"]


@dataclass(frozen=True, slots=True)
class Parameters:
    """What retention and network depend on, besides the stored items.

    Built by :mod:`issuecrawl.model.options`, which checks them.
    """

    analysis: Analysis = "colink"
    mode: Mode = "site"
    depth: int = 1
    iterations: int = 1
    threshold: int = 2
    privilege: bool = False
    voters: Literal["domain", "site"] = "domain"
    votes: Literal["voters", "pages"] = "voters"
    placement: Literal["any", "body"] = "any"
    rel: Literal["any", "follow"] = "any"
    embeds: Literal["record", "vote"] = "record"
    authority: int = 0
    diversity: int = 0

    exclude: tuple[str, ...] = ()
    """Exclusion entries in force, the default list included, sorted."""

    @property
    def passes(self) -> int:
        """Passes that the network needs: N iterations need N + 1."""
        return 1 if self.analysis == "interactor" else self.iterations + 1
