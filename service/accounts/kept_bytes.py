"""What operations store for longer than minutes, in bytes: what they charge to the budgets `keep` and `keep_address`.

Each is at least what Redis takes for it (`tests/api/accounts/test_keeping.py`), with the notices that others get of it
and the remembered request. What follows from the course of a game is charged where the game or its round begins.
"""

from typing import Final

#: Nothing, or only for minutes, or in place of what was there before.
NOTHING: Final = 0
#: The handler charges what it stores (`ApiRequest.keep`), which depends on the request.
BY_HANDLER: Final = -1

#: A table with a game. A long game takes 78 KB at the table, for two days, and 38 KB as a record; over a
#: week the sum is less than that of 66 KB a day.
TABLE: Final = 66_000
#: A round, for each person who is ready for it: its part of the record and of the results of further games.
ROUND: Final = 4_000
#: A table at which a board is played, a game of one round, and the result.
BOARD: Final = 8_000
#: A command that answers no decision: an event in the log of its table.
COMMAND: Final = 200
#: Standing orders at a table: in place of those before, but for as long as the game.
ORDERS: Final = 3_000
#: Changed options and settings of a table.
SETTINGS: Final = 3_000
MESSAGE: Final = 1_500
PLAYER: Final = 2_000
#: A token or a code, with the notice to the player's other devices.
TOKEN: Final = 2_500
#: A notice to another player.
NOTICE: Final = 1_500
#: A friend request, in the lists of both.
FRIEND: Final = 2_500
#: An entry of a list.
ENTRY: Final = 800
#: The entry to an event of equal deals, with the results of its boards.
EVENT_ENTRY: Final = 1_500
#: A deal that a player sends at a table with the most seats, with the line of the player.
DEAL_LINK: Final = 8_000
#: Playing a deal that was sent, for each seat of the table: a part of a table as of a board, and of the line.
DEAL_SEAT: Final = 2_500
WEBHOOK: Final = 60_000
PUSH_SUBSCRIPTION: Final = 10_000
#: A room with its links, and with rules that set every option; its people are charged as entries of lists.
ROOM: Final = 8_000
#: A club with its link; its people are charged as entries of lists.
CLUB: Final = 4_000
#: A season of a club, with the ids of the most events; what is played in it is charged where it is entered.
SEASON: Final = 6_000
#: An event of teams of a club in the most seasons, without those who play in it.
SEASON_EVENT: Final = 6_000
REPORT: Final = 20_000
#: An objection with its position, compressed.
OBJECTION: Final = 5_000
RULING: Final = 1_000
#: A comment on a board, of the longest text.
COMMENT: Final = 1_500
#: An event of teams, without its boards, and each of these; a team, and each of its members, who may get a notice.
TEAM_EVENT: Final = 3_000
TEAM_BOARD: Final = 100
TEAM: Final = 2_000
TEAM_MEMBER: Final = 1_500
#: A time for a match of a league, with the notices of up to seven others.
APPOINTMENT: Final = 4_000
ANALYSIS: Final = 20_000
PAR: Final = 400
#: An imported game besides its record: its entries in lists.
IMPORTED: Final = 2_000
