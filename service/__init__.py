"""A game service for the Sheng Ji family of card games. `docs/architecture.md` is the map."""
