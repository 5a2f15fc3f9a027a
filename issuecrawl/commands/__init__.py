"""Commands that ``scrapy`` has inside this project."""
