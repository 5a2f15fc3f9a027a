"""How much a network hangs on its starting points and settings."""
