"""A small client of the service, in a terminal: an example of how little one needs. It knows the HTTP API alone."""
