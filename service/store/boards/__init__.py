"""Events of equal deals: of single players, and of teams."""
