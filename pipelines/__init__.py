"""What becomes of a fetched page. Imports issuecrawl.model and issuecrawl.store only."""
