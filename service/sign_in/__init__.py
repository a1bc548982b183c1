"""Sign-in with OpenID Connect providers (decision 180)."""
