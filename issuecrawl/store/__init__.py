"""The store: tables, how they are written in batches, how they are read.

Imports no Scrapy. Everything is recomputable from what lies here.
"""
