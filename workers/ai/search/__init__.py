"""Players that search: they deal the hidden cards in many ways that are possible, and play each deal to its end."""
