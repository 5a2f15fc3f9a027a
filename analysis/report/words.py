"""The words of a report and what they mean: the same as everywhere in the program."""

from __future__ import annotations

from typing import Final

WORDS: Final = (
    ("starting point", "A page that a pass of the crawl begins with."),
    ("pass", "The fetching of one set of starting points: pass 0, 1, 2 and so on."),
    ("iteration", "One co-link analysis between two passes."),
    ("page", "One address; spellings that differ in scheme, www. or tracking are one."),
    ("site", "The actor that a page belongs to, by default its host."),
    ("voter", "Who has one vote in the analysis, by default a registrable domain."),
    ("core", "The nodes that the last analysis kept."),
    ("periphery", "Crawled pages that link into the core and are not of it."),
    ("edge", "That one core node links to another; links within a site are none."),
    ("inlinks", "Different pairs of linking and linked page, from other sites."),
    ("depth", "Steps of links within a site, from a page that a pass begins with."),
    ("threshold", "How many voters must link to a node to keep it."),
    ("privilege", "Starting points stay in, whether or not anybody links to them."),
    ("exclusion", "A host or a part of addresses that is not considered."),
    ("placement", "Part of a page that a link stands in: body, navigation, header, …"),
    ("evidence", "The links, with text and placement, that put a node in."),
    ("due", "Of an address: the crawl had to ask for it to compute this network."),
    ("variant", "The same network with one thing changed, from the same pages."),
)
