from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent
PACKAGES = ("issuecrawl", "analysis", "pipelines")


def data(package: str, *folders: str) -> list[str]:
    """Return the data files of *package* below *folders*, relative to the package.

    Folders of the sample web are named after hosts and nest deeply, so that a
    pattern for each depth would be needed.
    """
    base = ROOT / package.replace(".", "/")
    files = (path for folder in folders for path in (base / folder).rglob("*"))
    return sorted(str(path.relative_to(base)) for path in files if path.is_file())


DUCKDB = ["duckdb-extensions>=1.5.5", "duckdb-extension-sqlite>=1.5.5"]
BUNDLE = ["pyarrow>=20"]
TEST = [
    "tldextract>=5",  # a public suffix list that is not ours, for the real pages
    "hypothesis>=6.150",
    "playwright>=1.55",  # drives Debian's chromium
    "pytest>=9",
    "scrapyd>=1.6",
    "scrapyd-client>=2.0.3",
]
CHECK = ["mypy>=2", "ruff>=0.17"]

setup(
    name="issuecrawl",
    version="0.1.0",
    description="From starting points to an issue network: crawl, co-links, evidence",
    long_description=(ROOT / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="BSD-3-Clause",
    license_files=["LICENSE"],
    packages=find_packages(include=[f"{name}*" for name in PACKAGES]),
    package_data={
        "issuecrawl": data("issuecrawl", "data"),
        "issuecrawl.model": data("issuecrawl.model", "data"),
        "issuecrawl.demo": [
            "README.md",
            "seeds.txt",
            *data("issuecrawl.demo", "sites"),
        ],
        "analysis": data("analysis", "data"),
        "analysis.map": data("analysis.map", "data"),
        "analysis.pictures": data("analysis.pictures", "fonts"),
        "analysis.report": data("analysis.report", "templates"),
    },
    # Data is read through importlib.resources, so that a zipped egg works.
    zip_safe=True,
    python_requires=">=3.11",
    install_requires=[
        "ada-url>=4",
        "cryptography>=45",
        "itemadapter>=0.11",
        "jinja2>=3.1",
        "lxml>=6",
        "networkx>=3.4",
        "numpy>=2.1",
        "protego>=0.5",
        "publicsuffixlist>=1",
        "rich>=14",
        "scipy>=1.14",
        # A minor release of Scrapy breaks something every two months.
        "scrapy>=2.19,<2.20",
        "selectolax>=1",
        "typst>=0.15",
    ],
    extras_require={
        "bundle": BUNDLE,
        "duckdb": DUCKDB,
        "test": [*TEST, *BUNDLE, *DUCKDB],
        "dev": [*TEST, *BUNDLE, *DUCKDB, *CHECK],
    },
    entry_points={"scrapy": ["settings = issuecrawl.settings"]},
)
