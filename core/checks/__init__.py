"""The checks that an operation must pass (DESIGN section 6), one module each."""
