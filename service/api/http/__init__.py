"""What surrounds every request: middleware, authentication, parsing, rate limits, responses, errors."""
