"""Chinese in Traditional characters, made of the Simplified texts."""
