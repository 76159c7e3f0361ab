"""`memgardend serve`: the library for programs in any language, as JSON lines on stdin and stdout."""
