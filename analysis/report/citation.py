"""How to cite a network, and what its method and its files rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.report.overview import heading

if TYPE_CHECKING:
    from analysis.network import Network


class Work(NamedTuple):
    text: str
    url: str = ""


COLINKS: Final = (
    Work(
        "Rogers, R. and Marres, N. (2000): Landscaping climate change: a mapping"
        " technique for understanding science and technology debates on the World Wide"
        " Web. Public Understanding of Science 9, 141-163."
    ),
    Work("Rogers, R. (2013): Digital Methods. MIT Press."),
)
PLACED: Final = Work(
    "Jacomy, M., Venturini, T., Heymann, S. and Bastian, M. (2014): ForceAtlas2, a"
    " continuous graph layout algorithm for handy network visualization designed for the"
    " Gephi software. PLoS ONE 9(6), e98679.",
    "https://doi.org/10.1371/journal.pone.0098679",
)
GROUPED: Final = Work(
    "Blondel, V. D., Guillaume, J.-L., Lambiotte, R. and Lefebvre, E. (2008): Fast"
    " unfolding of communities in large networks. Journal of Statistical Mechanics,"
    " P10008.",
    "https://doi.org/10.1088/1742-5468/2008/10/P10008",
)
FORMATS: Final = (
    Work(
        "IssueNetwork XML, DTD 0.1: the format of the Issue Crawler.",
        "https://wiki.digitalmethods.net/Issuecrawler/XmlFileFormat",
    ),
    Work("GEXF 1.3: graph exchange XML format.", "https://gexf.net/"),
    Work("GraphML.", "http://graphml.graphdrawing.org/"),
)


def network_citation(network: Network) -> str:
    """Return the reference to the network itself.

    What is not known of it is left out, its author too.
    """
    head = heading(network)
    year = (network.statistics.ended or network.statistics.started)[:4]
    author = network.author.strip()
    about = f"{author} ({year}): {head.title}." if author and year else f"{head.title}."
    if author and not year:
        about = f"{author}: {head.title}."
    crawled = ", ".join(filter(None, [head.crawl.capitalize(), head.when]))
    program = network.provenance.program if network.provenance else ""
    found = f"Issue network found with {program}." if program else "Issue network."
    return " ".join(filter(None, [about, found, f"{crawled}." if crawled else ""]))


def works(network: Network) -> list[Work]:
    """Return what the method rests on, as far as it was put to use."""
    found = [*COLINKS] if network.parameters.analysis == "colink" else [COLINKS[1]]
    if network.layouts:
        found.append(PLACED)
    if network.measures is not None:
        found.append(GROUPED)
    return found
