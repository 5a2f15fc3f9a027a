"""What a crawl is made of: pages, links, sites, options. Imports no Scrapy."""
