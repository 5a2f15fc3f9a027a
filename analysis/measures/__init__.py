"""Measures of a network's core: of each node, and of the whole.

Names and definitions are networkx's. What all of them read, the links of the core, is
made a sparse matrix once; networkx makes it anew in every call, which is most of the
time that it takes.
"""

from analysis.measures.network import BY_NODE, measure

__all__ = ["BY_NODE", "measure"]
