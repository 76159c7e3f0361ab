"""memgardend: the night shift for agent memory."""
