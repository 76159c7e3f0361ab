"""Everything with an effect: store, sources, model process, command line. Nothing imports it."""
