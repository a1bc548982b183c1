"""Sign-in with OpenID Connect providers (decision 177)."""
