"""The rules: pure functions and frozen values. Imports the standard library and a stemmer only."""
