"""marshmallow schemas of requests and responses. They validate requests, and `openapi.yaml` is generated from them.

Responses are not serialised through them, which would cost more than the rest of the request; the tests validate every
response against `openapi.yaml` instead.
"""
