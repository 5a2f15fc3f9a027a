"""A crawl and its network in one zip file: written, verified, read as a crawl again."""
