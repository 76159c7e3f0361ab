"""Agents that call us: where their settings lie, and how our hooks are put in and taken out again."""
