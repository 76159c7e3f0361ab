"""memgardend as a systemd service: its files written, taken back, and looked into."""
