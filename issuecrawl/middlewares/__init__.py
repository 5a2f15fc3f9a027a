"""Middlewares that judge links, and that keep a crawl polite."""
