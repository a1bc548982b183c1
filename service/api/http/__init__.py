"""Common processing of all requests: middleware, authentication, parsing, rate limits, responses, errors."""
