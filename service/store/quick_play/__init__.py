"""Storage of quick play and challenges, in one slot."""
