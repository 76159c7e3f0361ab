"""What several tests need: a garden on a driven clock, scripted models, conversations."""
