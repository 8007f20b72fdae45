"""What is stored: one SQLite file behind a small protocol."""
