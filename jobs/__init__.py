"""What is done and in which order. Effects come in through ports. Imports core and config."""
