"""`memgardend run`: the resident daemon, in small parts around one work loop."""
