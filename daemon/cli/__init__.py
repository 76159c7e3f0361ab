"""The command line: one module a command. No rule is decided here."""
