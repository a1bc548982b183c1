"""Pieces of the page that say nothing, and so have no role or name: tests of layout and motion measure them.

No other module of the browser tests knows a class; `tests/repository/test_browser_tests.py` holds that.
"""

#: A drawn card, wherever it lies.
CARD = ".card"
#: What the seats and the trick lie on.
CLOTH = ".cloth"
#: The bar at the top of a table, and a seat with its face, name and facts.
BAR, CHIP = ".topbar", ".chip"
#: What lies on the cloth, and must not be covered.
ON_THE_CLOTH = ".chip, .played .cards, .bubble, .middle .lead, .standing"
#: Texts on the cloth that are cut off if there is no room: names of players, and what is led.
NAMES, LEAD = ".chip .who, .chip .name > span:first-child", ".middle .lead"
#: Facts at a seat that may not be cut off, and what holds them.
FACTS, ALL_FACTS = ".chip .points, .chip .level", ".facts"
#: The line above the hand, and the time that is left at its end.
STRIP, SECONDS = ".strip", ".strip .seconds"
#: What takes the place of the controls while others play.
WAITS = ".waits"
#: Sets that may be shown, and the box that scrolls if there are many.
SET, SETS = ".set", ".sets"
#: Where cards move: in the hand, to the table, and with a trick to its winner.
HAND, PLAYED, FLYING = ".hand", ".played", ".flying"
#: What is drawn for a mistake on the curve of points.
MISTAKE_ON_THE_CURVE = ".curve .mistake"
