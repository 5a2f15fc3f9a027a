"""The map: a network as one page that opens in a browser without anything else."""

from analysis.map.page import write

__all__ = ["write"]
