"""What to ask for next: the table of pages as a Scrapy scheduler."""
