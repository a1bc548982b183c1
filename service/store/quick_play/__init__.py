"""Who looks for a game: tickets of quick play, and challenges, in one slot."""
