"""The seven tools: what an agent is told of them, and what its arguments mean."""
