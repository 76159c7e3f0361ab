"""The editorial judgement of the library: what is worth remembering, and how it is written. Pure."""
