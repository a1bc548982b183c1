"""Pieces of the page that say nothing, and so have no role or name: tests of layout and motion measure them.

No other module of the browser tests knows a class; `tests/repository/test_browser_tests.py` holds that.
"""

#: A drawn card, wherever it lies.
CARD = ".card"
