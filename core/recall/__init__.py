"""Recall: the right memory at the right moment. Pure rules; a store and a policy come in as values."""
