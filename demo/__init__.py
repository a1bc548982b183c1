"""A small terminal client: an example of how little code a client needs. It uses nothing but the HTTP API."""
