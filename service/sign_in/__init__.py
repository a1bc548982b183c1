"""Sign-in with OpenID Connect: external providers say who somebody is (decision 180)."""
