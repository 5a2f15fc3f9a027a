"""Where nodes lie on a map: worked out once, for GEXF, maps and pictures alike."""

from analysis.layout.place import place

__all__ = ["place"]
