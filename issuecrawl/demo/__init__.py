"""A sample web of our own writing, and the loopback proxy that serves it."""
