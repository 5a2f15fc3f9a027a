"""What stayed, came and went between networks, and what could not be seen."""
