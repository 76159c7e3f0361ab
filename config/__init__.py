"""What memgarden.yaml may say, what is wrong with it, presets and prompt packs. Imports core."""
