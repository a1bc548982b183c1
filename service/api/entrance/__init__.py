"""Who is let in: operators by their tokens, and everybody unless their address is blocked."""
