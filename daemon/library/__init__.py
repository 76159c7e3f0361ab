"""The library's stores that touch the disk."""
