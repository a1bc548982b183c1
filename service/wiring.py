"""The use cases of a process, wired once for all kinds of processes: from settings, stores and a clock."""

import os
from collections.abc import Callable
from typing import Final

from service.accounts import Accounts
from service.accounts.inbox import Inbox
from service.boards.boards import Boards
from service.boards.keeping import BoardKeeper
from service.boards.links import DealLinkKeeper, DealLinks
from service.calendars import Calendars
from service.circles.circles import Circles
from service.circles.history import Histories
from service.circles.sessions import Sessions
from service.clubs.clubs import Clubs
from service.clubs.meetings import Meetings
from service.clubs.seasons import Seasons
from service.coach.past_rounds import PastRounds
from service.coach.riddles import Riddles
from service.common.settings import VERSION, Settings
from service.game.commands.transaction import RandomBytes
from service.game.state.queries import game_of
from service.game.state.types import State
from service.matchmaking.challenges import Challenges
from service.matchmaking.hosting import Hosting
from service.matchmaking.joining import Joining
from service.matchmaking.lobby import Lobby
from service.matchmaking.quick_play import QuickPlay
from service.moderation.admission import Admission
from service.moderation.moderation import Moderation
from service.moderation.objections import Objections
from service.moderation.team_events import Overseer
from service.notices.gathering import Gathering
from service.notices.notices import Notices
from service.notices.scanner import Scanner
from service.people import People
from service.people.presence import Presence
from service.showing.showing import Showing
from service.standing import StandingOrders
from service.standing.delays import answered_by
from service.store.stores import Stores
from service.tables import Enqueue, Tables
from service.tables.analyses import Analyses
from service.tables.archive import Archive
from service.tables.deals import Deals
from service.tables.parts import parts_of
from service.tables.ports import Interrupted, Streams, enqueue_nothing, never_interrupted
from service.tables.ratings import Ratings
from service.tables.results import Keeper
from service.tournaments.appointments import Appointments
from service.tournaments.directing.arena import Arena
from service.tournaments.directing.director import Director
from service.tournaments.directing.entries import Entries
from service.tournaments.match_tables import MatchTables
from service.tournaments.team_events import TeamEvents
from service.voice.turn import TurnServer
from service.voice.voice import Voice


class UseCases:
    """See the module. Creating them opens no connection.

    Args:
        settings, stores, now: of the process; `now` returns milliseconds since the epoch.
        enqueue, streams, interrupted, entropy: see `Tables`.
    """

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        now: Callable[[], int],
        *,
        enqueue: Enqueue = enqueue_nothing,
        streams: Streams | None = None,
        interrupted: Interrupted = never_interrupted,
        entropy: RandomBytes = os.urandom,
    ) -> None:
        players, inbox, days = stores.players, stores.inbox, settings.record_days
        self.settings: Final = settings
        self.stores: Final = stores
        self.now: Final = now
        self.tables: Final = Tables(
            stores.tables,
            now=now,
            enqueue=enqueue,
            streams=streams,
            interrupted=interrupted,
            entropy=entropy,
            role_in=stores.circles.role,
            role_in_club=stores.clubs.role,
        )
        self.orders: Final = StandingOrders(stores.orders, self.tables, entropy)
        self.calendars: Final = Calendars(players, stores.people.records, self.tables, entropy)
        self.tables.stand(self.calendars, self.orders, more_time=self.calendars.more_time)
        self.inbox: Final = Inbox(inbox, now)
        self.accounts: Final = Accounts(stores, now)
        self.people: Final = People(stores.people, players, inbox, now)
        self.presence: Final = Presence(self.tables, stores.open_streams, stores.people, players)
        self.ratings: Final = Ratings(stores.results, now)
        self.analyses: Final = Analyses(stores.analyses)
        self.archive: Final = Archive(stores.archive, stores.past_games, players)
        self.past_rounds: Final = PastRounds(stores.past_rounds)
        self.deals: Final = Deals(stores.deals)
        self.scanner: Final = Scanner(
            stores.scans,
            stores.subscriptions,
            stores.outbox,
            stores.open_streams,
            inbox,
            now,
            answered_by,
        )
        self.gathering: Final = Gathering(
            players.tables_of, lambda table: _state_of(stores, table), stores.open_streams, answered_by, now
        )
        self.notices: Final = Notices(
            subscriptions=stores.subscriptions,
            inbox=inbox,
            scanner=self.scanner,
            tables_of=players.tables_of,
            now=now,
        )
        self.joining: Final = Joining(
            self.tables, players, self.people, self.presence, self.notices, stores.circles.usual_seat
        )
        self.hosting: Final = Hosting(self.tables, players, self.notices, settings.host_tables, settings.ai_pace_ms)
        self.lobby: Final = Lobby(self.tables, self.people, self.presence)
        self.quick_play: Final = QuickPlay(
            stores.tickets,
            self.people,
            players,
            stores.results,
            inbox,
            self.tables,
            self.joining,
            self.hosting,
            now,
        )
        self.challenges: Final = Challenges(stores.challenges, self.people, players, inbox, self.tables)
        self.circles: Final = Circles(stores.circles, self.people, self.tables, now, entropy)
        self.clubs: Final = Clubs(stores.clubs, self.people, inbox, now, entropy)
        self.voice: Final = Voice(turn_of(settings), stores.signals, self.people, now)
        self.histories: Final = Histories(stores.circles, players, self.tables)
        self.sessions: Final = Sessions(
            stores.circles, self.circles, self.people, inbox, self.tables, self.hosting, self.histories
        )
        self.boards: Final = Boards(
            stores.boards,
            self.tables,
            players,
            settings.daily_events,
            days,
            ladder=settings.bot_ladder,
            games=stores.past_games.count,
        )
        self.deal_links: Final = DealLinks(
            stores.deal_links, self.tables, players, stores.people.records, self.people.apart, entropy
        )
        self.riddles: Final = Riddles(
            stores.riddles,
            stores.archive,
            self.tables,
            players,
            self.deal_links.rounds_sent,
            self.people.apart,
            now,
            entropy,
        )
        tables_of_matches = MatchTables(stores.boards, self.tables, players, inbox)
        self.team_events: Final = TeamEvents(stores.boards, self.tables, tables_of_matches, stores.clubs.role, days)
        self.team_entries: Final = Entries(
            self.team_events, players, inbox, self.people.takes_invitations, self.people.is_apart, stores.clubs.members
        )
        self.meetings: Final = Meetings(
            stores.clubs, self.clubs, inbox, self.tables, self.team_events, self.team_entries, players.tables_of
        )
        self.seasons: Final = Seasons(
            stores.seasons,
            self.clubs,
            stores.clubs,
            self.team_events,
            stores.past_games.several,
            stores.people.records,
            self.ratings,
            now,
        )
        self.team_events.on_results(self.seasons.note)
        self.clubs.on_end(self.meetings.end, self.meetings.hand_over)
        arena = Arena(self.team_events, tables_of_matches, stores.people, stores.clubs.members)
        self.director: Final = Director(self.team_events, arena, stores.people.blocked_among)
        self.appointments: Final = Appointments(self.team_events, inbox, self.people.is_apart)
        self.showing: Final = Showing(self.team_events, stores.boards, stores.people.records, os.urandom)
        self.overseer: Final = Overseer(self.team_events, stores.boards, self.tables, self.seasons.removed)
        self.moderation: Final = Moderation(
            stores.moderation,
            players,
            inbox,
            self.tables,
            self.quick_play,
            self.accounts.erase,
            stores.boards.rename,
            (self.circles.step_down, self.clubs.step_down),
            now,
        )
        self.objections: Final = Objections(stores.objections, players, VERSION, now)
        self.admission: Final = Admission(
            stores.admission,
            stores.origins,
            players,
            settings.invites,
            [each.name for each in settings.operators],
            now,
        )
        self._tell_of_games(tables_of_matches)

    def _tell_of_games(self, tables_of_matches: MatchTables) -> None:
        """Have the use cases hear of each finished round and game."""
        stores, days = self.stores, self.settings.record_days
        self.tables.on_round(self.histories.note)
        self.tables.on_round(self.past_rounds.note)
        # In this order: results of boards come after the record, and players hear of it last.
        self.tables.on_finished(
            Keeper(stores.archive, stores.results, stores.past_games, stores.players.get, days).keep
        )
        self.tables.on_finished(BoardKeeper(stores.boards).keep)
        self.tables.on_finished(DealLinkKeeper(stores.deal_links).keep)
        self.tables.on_finished(tables_of_matches.keep)
        self.tables.on_finished(self.deals.keep)
        self.tables.on_finished(lambda state, _log: self.past_rounds.note(state))
        self.tables.on_finished(
            lambda state, _log: self.inbox.game_kept(parts_of(state), state["id"], game_of(state)["id"])
        )


def turn_of(settings: Settings) -> TurnServer | None:
    """Return the TURN server of the settings, if there is one."""
    return TurnServer(settings.turn_urls, settings.turn_secret) if settings.turn_urls else None


def _state_of(stores: Stores, table: str) -> State | None:
    snapshot = stores.tables.load(table)
    return None if snapshot is None else snapshot.state
