"""From the bytes of a page to its links, in one parse. Imports no Scrapy."""
