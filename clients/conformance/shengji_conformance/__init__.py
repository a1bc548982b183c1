"""Conformance kit of the Sheng Ji game service: cases for clients, vectors for servers of the rules, and a runner."""

__all__: list[str] = []
