"""A component with a store: load, judge, write in one step, and a receipt."""
