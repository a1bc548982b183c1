"""Voices among the people at a table of a circle: who may talk to whom, and what their browsers need for it.

Voices never pass through the service, and nothing of them is kept. Browsers connect by a TURN server, which hides their
addresses from each other; here they find each other (`voice.py`) and get time-limited access to it (`turn.py`).
"""
