"""The faces of the program: pure functions from a document to lines of text."""
