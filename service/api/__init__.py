"""The HTTP layer: parse, call a use case, render."""
