from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from networkx.utils import graphs_equal

from analysis.issuenetwork import PUBLIC_ID, SYSTEM_ID, dtd, write
from analysis.issuenetwork_check import MOST, check
from analysis.issuenetwork_reader import read
from analysis.markup import FORBIDDEN
from analysis.network import Network, NetworkPage, NetworkSite
from issuecrawl.model.errors import FormatError
from issuecrawl.model.parameters import Parameters
from tests.networks import networks, small_network

WALKTHROUGH = Path(__file__).parent / "data" / "walkthrough.xml"


def written(network: Network) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.xml"
        write(network, path)
        return path.read_bytes()


def reread(data: bytes, warnings: list[str] | None = None) -> Network:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.xml"
        path.write_bytes(data)
        return read(path, warnings)


def checked(data: bytes) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.xml"
        path.write_bytes(data)
        return check(path)


@given(networks())
def test_every_file_is_valid_and_comes_back_byte_for_byte(network: Network) -> None:
    data = written(network)
    warnings: list[str] = []

    again = reread(data, warnings)

    assert warnings == []
    assert written(again) == data
    assert checked(data) == []
    assert FORBIDDEN.search(data.decode()) is None


@given(networks(hostile=False))
def test_what_is_read_is_what_was_written(network: Network) -> None:
    again = reread(written(network))

    for name in (
        "title",
        "author",
        "email",
        "description",
        "sites",
        "pages",
        "periphery_sites",
        "periphery",
        "starting_points",
        "statistics",
        "parameters",
    ):
        assert getattr(again, name) == getattr(network, name)
    assert graphs_equal(again.graph, network.graph)


def test_url_comes_first_and_in_double_quotes() -> None:
    found = re.findall(rb'Page URL="(.+?)"', written(small_network()))

    assert found == [
        b"https://a.test/?x=1&amp;y=2",
        b"https://b.test/",
        b"https://c.test/",
    ]


def test_characters_without_a_place_in_xml_are_dropped_and_counted(
    tmp_path: Path,
) -> None:
    network = small_network(title="a\x00b\x1bc\ud800", author="d\ufffe")

    dropped = write(network, tmp_path / "network.xml")

    assert dropped == 4
    again = read(tmp_path / "network.xml")
    assert (again.title, again.author) == ("abc", "d")


def test_page_that_never_answered_has_no_datestamp() -> None:
    assert b'<Page URL="https://b.test/" ID="2">' in written(small_network())


def test_privilege_is_two_or_nothing() -> None:
    on = small_network(parameters=Parameters(privilege=True))

    assert b'privilege="2"' in written(on)
    assert b'privilege="0"' in written(small_network())


def test_two_sites_of_rules_on_one_host_stay_two() -> None:
    network = small_network(
        sites=[
            NetworkSite("Alice", "social.test", "Alice", "TEST", 0),
            NetworkSite("Bob", "social.test", "Bob", "TEST", 1),
        ],
        pages=[
            NetworkPage(1, "https://social.test/alice", "Alice", "", (2,)),
            NetworkPage(2, "https://social.test/bob", "Bob"),
        ],
        periphery_sites=[],
        periphery=[],
    )

    again = reread(written(network))

    assert (again.sites, again.pages) == (network.sites, network.pages)


def test_pages_apart_from_their_site_are_refused(tmp_path: Path) -> None:
    network = small_network()
    network.pages.append(NetworkPage(3, "https://a.test/3", "a.test"))

    with pytest.raises(ValueError, match=r"pages of a\.test"):
        write(network, tmp_path / "network.xml")


def test_walkthrough_is_read_with_a_warning_for_each_kind_of_repair() -> None:
    warnings: list[str] = []

    network = read(WALKTHROUGH, warnings)

    assert warnings == [
        "2 bare & were read as &amp;",
        "links to a page that is not in the file, dropped: 3",
    ]
    assert network.title == "bewaarplicht nieuw 1"
    assert network.description[1] == "[INFO]Total bytes downloaded: 8410474"
    assert len(network.description) == 7
    assert network.sites == [
        NetworkSite("netkwesties.nl", "netkwesties.nl", "", "NL", 65)
    ]
    assert network.pages[0].id == 28
    assert network.periphery[0].url == "http://www.bof.nl/auteursrecht.html"
    assert network.starting_points[-1] == (
        "http://www.xs4all.nl/nieuws/bericht.php?id=588&taal=nl&msect=nieuws"
    )
    assert network.statistics.timeouts == 227
    assert network.statistics.excluded is None
    assert network.parameters.mode == "page"
    assert network.parameters.depth == 2
    assert network.parameters.privilege is False


def test_old_file_says_what_it_does_not_tell() -> None:
    network = read(WALKTHROUGH)

    assert {"analysis", "threshold", "placement"} <= network.assumed
    assert not {"mode", "depth", "iterations", "exclude"} & network.assumed
    assert not reread(written(small_network())).assumed


def test_exclusions_of_an_old_file_are_substrings() -> None:
    assert read(WALKTHROUGH).parameters.exclude == (
        "substring:download.cnet.com",
        "substring:download.com",
        "substring:download.net",
        "substring:microsoft.com",
        "substring:netscape.com",
        "www.google.",
    )


def test_old_file_written_anew_is_valid_and_stable() -> None:
    data = written(read(WALKTHROUGH))

    assert checked(data) == []
    assert written(reread(data)) == data


OLD = (
    WALKTHROUGH.read_bytes().replace(b"&taal", b"&amp;taal").replace(b"&ms", b"&amp;ms")
)


@pytest.mark.parametrize(
    ("before", "after", "warning"),
    [
        (b'privilege="0"', b'privilege="1"', "privilege '1'"),
        (b'privilege="0"', b"", "privilege ''"),
        (b"<Depth>2</Depth>", b"", "Depth missing"),
        (b"<Depth>2</Depth>", b"<Depth>x</Depth>", "Depth without a number"),
        (b'mode="page"', b'mode="3"', "CoLinkAnalysisMode neither"),
        (b"<Title>bewaarplicht nieuw 1</Title>", b"", "Title missing"),
        (b"nieuw 1</Title>", b"nieuw \x93caf\xe9</Title>", "the file is not utf-8"),
        (b"nieuw 1</Title>", b"nieuw \x01</Title>", "1 character that"),
        (b"nieuw 1</Title>", b"nieuw &#1;</Title>", "1 reference to no"),
        (b"nieuw 1</Title>", b"a < b</Title>", "1 bare <"),
        (b"nieuw 1</Title>", b"caf&eacute; & co</Title>", "2 bare &"),
        (b"nieuw 1</Title>", b"caf&eacute;</Title>", "1 bare & was"),
        (b"<?xml", b"\n<?xml", "what stands before"),
        (b' ID="28"', b"", "pages without an ID"),
        (b' ID="28"', b' ID="p28"', ""),
        (b' ID="28"', b' ID="%s"' % (b"9" * 5000), ""),
        (b'"65"', b'"%s"' % (b"9" * 5000), "sites without a number of inlinks"),
        (b"5051<", b"%s<" % (b"9" * 5000), "PagesDownloaded without a number"),
        (b' inlinks="65"', b"", "sites without a number of inlinks"),
        (b'host="bof.nl"', b'host=""', "sites without a host"),
        (b"<Page URL=", b"<Page Url=", "pages without an address"),
    ],
)
def test_breakage_is_repaired_with_a_warning(
    before: bytes, after: bytes, warning: str
) -> None:
    assert before in OLD
    warnings: list[str] = []

    network = reread(OLD.replace(before, after), warnings)

    assert any(line.startswith(warning) for line in warnings), warnings
    assert len(network.starting_points) == 11
    assert len(network.pages) == 1
    assert network.periphery_sites[0].host == "bof.nl"
    assert checked(written(network)) == []


@pytest.mark.parametrize(
    "encoding", ["iso-8859-1", "windows-1252", "utf-8-sig", "utf-16"]
)
def test_other_encodings_are_read(encoding: str) -> None:
    text = OLD.decode().replace("nieuw 1</Title>", "caf\xe9</Title>")
    declared = encoding.removesuffix("-sig")
    text = text.replace("'1.0'", f"'1.0' encoding='{declared}'")
    warnings: list[str] = []

    network = reread(text.encode(encoding), warnings)

    assert network.title == "bewaarplicht caf\xe9"
    assert warnings == ["links to a page that is not in the file, dropped: 3"]


def test_bare_ampersand_is_left_alone_in_cdata() -> None:
    data = OLD.replace(b"&amp;taal", b"&taal").replace(
        b"[INFO]Gen", b"[INFO]R&D &eacute; "
    )

    assert reread(data).description[-1] == (
        "[INFO]R&D &eacute; erating network info..."
    )


def test_site_in_two_parts_becomes_one() -> None:
    second = b'<Site URL="" host="a.nl" name="" category="NL" inlinks="1"></Site>'
    third = (
        b'<Site URL="" host="netkwesties.nl" name="" category="NL" inlinks="2">'
        b'<Page URL="http://netkwesties.nl/" ID="28"/></Site>'
    )
    warnings: list[str] = []

    network = reread(
        OLD.replace(b"</PageList>", second + third + b"</PageList>"), warnings
    )

    assert [(site.key, site.inlinks) for site in network.sites] == [
        ("netkwesties.nl", 67),
        ("a.nl", 1),
    ]
    assert len({page.id for page in network.pages}) == 2
    assert "sites in more than one part, joined: 1" in warnings
    assert checked(written(network)) == []


XXE = """<?xml version="1.0"?>
<!DOCTYPE {root} [<!ENTITY x SYSTEM "{secret}">]>
<{root}><Title>&x;</Title></{root}>
"""
BOMB = """<?xml version="1.0"?>
<!DOCTYPE IssueNetwork [<!ENTITY a0 "lol">{entities}]>
<IssueNetwork><Title>&a29;</Title></IssueNetwork>
"""
PARAMETER = """<?xml version="1.0"?>
<!DOCTYPE IssueNetwork [<!ENTITY % x SYSTEM "{secret}"> %x;]>
<IssueNetwork><Title>t</Title></IssueNetwork>
"""


def entity_files(secret: Path) -> list[str]:
    entities = "".join(
        f'<!ENTITY a{n + 1} "&a{n};&a{n};&a{n};&a{n};">' for n in range(29)
    )
    return [
        XXE.format(root="IssueNetwork", secret=secret.as_uri()),
        XXE.format(root="gexf", secret=secret.as_uri()),
        XXE.format(root="IssueNetwork", secret="http://127.0.0.1:9/"),  # noqa: S106
        # Not well-formed besides, which must not lead round the refusal.
        XXE.format(root="IssueNetwork", secret=secret.as_uri()).replace(
            "&x;", "&x; & y"
        ),
        BOMB.format(entities=entities),
        PARAMETER.format(secret=secret.as_uri()),
    ]


@pytest.mark.parametrize("number", range(6))
def test_entities_are_refused_and_never_loaded(tmp_path: Path, number: int) -> None:
    secret = tmp_path / "secret"
    secret.write_text("content of a local file")
    path = tmp_path / "old.xml"
    path.write_text(entity_files(secret)[number])

    with pytest.raises(FormatError, match=r"old\.xml declares entities"):
        read(path)

    messages = check(path)
    assert len(messages) == 1
    assert messages[0].startswith("line 1: ")
    assert "content of" not in messages[0]


def test_external_dtd_of_a_file_is_never_loaded(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.dtd"
    stranger.write_text('<!ELEMENT IssueNetwork ANY><!ENTITY x "from outside">')
    text = written(small_network(title="TITLE")).decode().replace("TITLE", "&x;")
    path = tmp_path / "old.xml"
    path.write_text(text.replace(SYSTEM_ID, stranger.as_uri()))

    assert read(path).title == "&x;"
    assert check(path) == [
        f"line 1: the DOCTYPE does not name {PUBLIC_ID} at {SYSTEM_ID}"
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not XML"),
        (b"no XML at all", "is not XML"),
        (b"<gexf xmlns='http://gexf.net/1.3'/>", "root element gexf instead of"),
        (OLD[:2000], "is not XML"),
        (OLD.replace(b"</Title>", b"</Titel>"), "is not XML"),
        (bytes(range(256)) * 20, "is not XML"),
    ],
)
def test_what_is_no_network_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        reread(data)
    assert checked(data)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b' ID="2"', b"", "line 28: Element Page does not carry attribute ID"),
        (b"<Depth>1</Depth>", b"", "line 59: Element Settings content"),
        (b'mode="site"', b'mode="host"', 'line 57: Value "host" for attribute mode'),
        (b"Title>", b"Titel>", "line 5: No declaration for element Titel"),
        (b' ID="2"', b' ID="1"', "line 22: TargetPageID 2 names no Page"),
        (b' ID="1"', b' ID="2"', "line 26: ID 2 is another Page's already"),
        (b'PageID="2"', b'PageID="7"', "line 22: TargetPageID 7 names no Page"),
        (b'PageID="2"', b'PageID="02"', "line 22: TargetPageID 02 names no Page"),
        (b"&amp;y", b"&y", "line 21: EntityRef: expecting ';'"),
    ],
)
def test_check_names_the_line_and_what_is_wrong_there(
    before: bytes, after: bytes, message: str
) -> None:
    data = written(small_network())
    assert before in data

    messages = checked(data.replace(before, after))

    assert any(line.startswith(message) for line in messages), messages


def test_check_ends_after_a_hundred_messages() -> None:
    targets = tuple(range(2, 5000))
    network = small_network()
    network.pages[0].targets = targets

    assert len(checked(written(network))) == MOST


def test_doctype_may_not_add_declarations() -> None:
    data = written(small_network()).replace(
        b'_1.dtd">', b'_1.dtd" [<!ATTLIST Title x CDATA "1">]>'
    )

    assert checked(data) == ["line 1: the DOCTYPE has declarations of its own"]


READ_FROM_EGG = """
import sys
sys.path.insert(0, sys.argv[1])
import analysis.issuenetwork as module
assert ".egg" in module.__file__
print(len(module.dtd()))
"""


def test_dtd_is_read_from_a_zipped_egg(tmp_path: Path) -> None:
    checkout = Path(__file__).parent.parent
    egg = tmp_path / "issuecrawl.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for package in ("analysis", "issuecrawl"):
            for path in (checkout / package).rglob("*"):
                if path.suffix in (".py", ".dtd", ".dat", ".txt"):
                    archive.write(path, path.relative_to(checkout))

    found = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            READ_FROM_EGG,
            str(egg),
        ],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )

    assert int(found.stdout) == len(dtd())


@pytest.mark.skipif(not shutil.which("xmllint"), reason="xmllint is not installed")
def test_xmllint_agrees(tmp_path: Path) -> None:
    (tmp_path / "IssueNetwork.dtd").write_text(dtd())
    write(small_network(title="]]> & <b>"), tmp_path / "network.xml")

    subprocess.run(
        ["xmllint", "--noout", "--dtdvalid", "IssueNetwork.dtd", "network.xml"],
        check=True,
        cwd=tmp_path,
    )
