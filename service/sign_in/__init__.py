"""Sign-in with OpenID Connect: providers of others say who somebody is (decision 180)."""
