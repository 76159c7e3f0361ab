"""The import of history: long material, piece by piece, resumable after every one."""
