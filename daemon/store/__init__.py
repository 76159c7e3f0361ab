"""SQLite behind the store port. Only driver.py imports SQLite."""
