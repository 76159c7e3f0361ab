"""Adapters that read the conversations agents leave on disk; they never write there."""
