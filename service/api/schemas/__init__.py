"""What goes in and comes out, as marshmallow schemas: requests are checked by them, `openapi.yaml` is made from them.

Answers are not dumped through them: they are written as JSON right away, and the tests hold every one of them to
the contract.
"""
