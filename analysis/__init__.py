"""From stored pages and links to networks and their files. Imports no Scrapy."""
