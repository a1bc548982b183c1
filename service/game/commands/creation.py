"""A new table: its ruleset, its options and its settings."""

from collections.abc import Mapping
from typing import cast

from service.common.errors import InvalidRequest
from service.game.commands import flow
from service.game.commands.lengths import with_length
from service.game.commands.round.shuffling import next_seed
from service.game.commands.sandboxes import sandbox_settings
from service.game.commands.transaction import Decided, RandomBytes, Transaction
from service.game.events.evolve import NO_TABLE
from service.game.events.types import NextSeed, SeatReady, SeatTaken, TableCreated
from service.game.ids import new_code
from service.game.shuffle import commitment
from service.game.state.levels import TAKEOVER_LEVEL
from service.game.state.settings import CLOCK_DEFAULTS, FORMS, HINTS_DEFAULT, HOURS_MORE, LIMITS, TIME_LIMITS, without
from service.game.state.table_types import Clock, Correspondence, Occupant, RepeatedDeal, Settings, TableSpec
from service.game.state.types import Options
from service.rules.options.presets import with_preset
from service.rules.options.rulesets import RULESETS, composition, effective_options
from service.rules.options.storing import needed_by_values, stored
from service.rules.rounds.levels import check_level


def create_table(table: str, host: str, spec: TableSpec, now: int, random_bytes: RandomBytes) -> Decided:
    """Return the first event of a table, and its state. `table` and `host` are ids.

    Args:
        spec: `ruleset` and `players`; optionally `preset`, `options`, `visibility`, `clock`, `spectators`,
            `spectator_delay_ms`, `chat`, `take_back`, `ai_pace_ms`, `takeover_level`, `hints`, `random_seats`,
            `pause_limit_ms`, `claims`, `length`, `circle` with `voice`, and `club`. A `seed` makes a practice table; a
            `deal` makes one that repeats a deal (`server_seed` and the fields of `RepeatedDeal`). With `board`,
            `occupants` has an entry for every seat, and the game begins at once; with `sandbox`
            (`service.game.commands.sandboxes`), entries may be None.

    Raises:
        InvalidRequest: no such ruleset, or not for this number of players; both a seed and a deal; a deal for more
            seats; a clock of both forms, or of none.
        InvalidOption: a value that the option cannot have, or options that make no sense together.
    """
    ruleset = RULESETS.get(spec["ruleset"])
    if ruleset is None:
        raise InvalidRequest(reason="no_such_ruleset", ruleset=spec["ruleset"], accepted=list(RULESETS))
    if spec["players"] not in ruleset.players:
        raise InvalidRequest(
            reason="not_for_so_many", ruleset=ruleset.id, players=spec["players"], accepted=list(ruleset.players)
        )
    chosen = with_preset(ruleset.id, spec["players"], spec.get("preset"), spec.get("options", {}))
    clock = _clock(spec.get("clock", {}))
    if "correspondence" in clock:
        chosen = {"deal_pace": "instant", **chosen}
    options = effective_options(ruleset.id, spec["players"], chosen)
    check_pace(options, clock)
    settings = with_start_levels(ruleset.id, spec["players"], options, _settings(spec, clock, random_bytes))
    settings = with_length(ruleset.id, options, settings)
    if "sandbox" in spec and settings["seed"] is None:
        settings["seed"] = random_bytes(16).hex()
    seed: NextSeed = next_seed(settings["seed"], "", random_bytes)
    if "deal" in spec:
        known: str = spec["deal"]["server_seed"]
        settings["seed"], settings["deal"] = known, _repeated(spec)
        seed = {"next_seed": known, "next_commitment": commitment(bytes.fromhex(known))}
    if "sandbox" in spec:
        cards = composition(ruleset.id, spec["players"], options)
        settings = cast("Settings", {**settings, **sandbox_settings(spec, cards, seed["next_seed"])})
    tx = Transaction(NO_TABLE, now, random_bytes, "player")
    data: TableCreated = {
        "table": table,
        "ruleset": ruleset.id,
        "players": spec["players"],
        "options": stored(ruleset.id, options),
        "host": host,
        "settings": settings,
        "next_seed": seed["next_seed"],
        "next_commitment": seed["next_commitment"],
    }
    if needed := needed_by_values(ruleset.id, spec["players"], options):
        data["options_need"] = needed
    tx.emit("table_created", data)
    if "occupants" in spec:
        _begin(tx, dict(enumerate(spec["occupants"])))
    return tx.result()


def _begin(tx: Transaction, occupants: Mapping[int, Occupant | None]) -> None:
    """Seat everybody, and start the game if no seat is free."""
    seated = {seat: occupant for seat, occupant in occupants.items() if occupant is not None}
    for seat, occupant in seated.items():
        taken: SeatTaken = {"seat": seat, "occupant": occupant}
        tx.emit("ai_seated" if occupant["kind"] == "ai" else "seat_taken", taken, "server")
    for seat, occupant in seated.items():
        if occupant["kind"] != "ai":
            ready: SeatReady = {"seat": seat, "ready": True}
            tx.emit("seat_ready", ready, "server")
    flow.advance(tx, "seats_changed")


def _repeated(spec: TableSpec) -> RepeatedDeal:
    if spec.get("seed") is not None:
        raise InvalidRequest(reason="seed_or_deal")
    source = spec["deal"]
    deal: RepeatedDeal = {
        "shuffle_name": source.get("shuffle_name", "practice"),
        "round": source.get("round", 1),
        "entropy": source.get("entropy", {}),
        "starter": source.get("starter"),
        "declarer": source.get("declarer"),
    }
    if "next_seed" in source:
        deal["next_seed"] = source["next_seed"]
    seats = [deal["starter"] or 0, deal["declarer"] or 0, *map(int, deal["entropy"])]
    if max(seats) >= spec["players"]:
        raise InvalidRequest(reason="deal_for_more_seats", players=spec["players"])
    return deal


def _clock(chosen: Mapping[str, object]) -> Clock:
    """Return the clock with defaults. One person among AI players has no limits, unless the table sets some."""
    is_limited = set(chosen) & set(TIME_LIMITS.values())
    return changed_clock({**CLOCK_DEFAULTS, "alone": "limited" if is_limited else "unlimited"}, chosen)


def changed_clock(clock: Clock, changes: Mapping[str, object]) -> Clock:
    """Return a clock with changes: hours replace limits in seconds, and a limit in seconds replaces hours.

    Raises:
        InvalidRequest: reason `clock_of_both_forms`, `hours_of_one_form` or `remind_needs_days`.
    """
    hours = changes.get("correspondence")
    if hours is not None:
        both = sorted(LIMITS & set(changes))
        if both:
            raise InvalidRequest(reason="clock_of_both_forms", settings=both)
        if set(cast("Correspondence", hours)) - HOURS_MORE not in FORMS:
            raise InvalidRequest(reason="hours_of_one_form")
    # Whoever sets a limit wants limits.
    kept = {name: value for name, value in clock.items() if name != "untimed" or not changes}
    if LIMITS & set(changes):
        kept.pop("correspondence", None)
    changed = {**kept, **changes}
    if changed["on_timeout"] == "remind" and "correspondence" not in changed:
        raise InvalidRequest(reason="remind_needs_days", field="clock.on_timeout")
    return cast("Clock", changed)


def check_pace(options: Mapping[str, object], clock: Clock) -> None:
    """Check that no cards are dealt one by one by correspondence, which needs everybody at the same time.

    Raises:
        InvalidRequest: reason `timed_deal_by_correspondence`.
    """
    if "correspondence" in clock and options["deal_pace"] == "timed":
        raise InvalidRequest(reason="timed_deal_by_correspondence", field="options.deal_pace")


def _settings(spec: TableSpec, clock: Clock, random_bytes: RandomBytes) -> Settings:
    settings: Settings = {
        "visibility": spec.get("visibility", "private"),
        "join_code": new_code(random_bytes),
        "clock": clock,
        "spectators": spec.get("spectators", "off"),
        "spectator_delay_ms": spec.get("spectator_delay_ms", 60_000),
        "chat": spec.get("chat", True),
        "take_back": spec.get("take_back", False),
        "ai_pace_ms": spec.get("ai_pace_ms", 600),
        "seed": spec.get("seed"),
        "closed": False,
    }
    if spec.get("takeover_level", TAKEOVER_LEVEL) != TAKEOVER_LEVEL:
        settings["takeover_level"] = spec["takeover_level"]
    if spec.get("hints", HINTS_DEFAULT) != HINTS_DEFAULT:
        settings["hints"] = spec["hints"]
    if spec.get("random_seats"):
        settings["random_seats"] = True
    if "start_levels" in spec:
        settings["start_levels"] = spec["start_levels"]
    if spec.get("pause_limit_ms"):
        settings["pause_limit_ms"] = spec["pause_limit_ms"]
    if "length" in spec:
        settings["length"] = spec["length"]
    if "circle" in spec:
        settings["circle"] = spec["circle"]
        if spec.get("voice"):
            settings["voice"] = True
    if "club" in spec:
        settings |= {"club": spec["club"], "visibility": "private"}
    if "board" in spec:
        settings["board"] = spec["board"]
    if spec.get("claims"):
        settings["claims"] = True
    return with_watch_code(settings, random_bytes)


def with_start_levels(ruleset: str, players: int, options: Options, settings: Settings) -> Settings:
    """Return settings with `start_levels` checked, and removed if they are empty.

    Raises:
        InvalidRequest: reason `no_levels`, `start_levels_count` or `level_not_on_ladder`.
    """
    levels = settings.get("start_levels")
    if not levels:
        return without(settings, "start_levels")
    rules = RULESETS[ruleset]
    if rules.family == "arms_length":
        raise InvalidRequest(reason="no_levels", field="start_levels")
    count = 2 if rules.teams == "fixed" else players
    if len(levels) != count:
        raise InvalidRequest(reason="start_levels_count", field="start_levels", count=count)
    for level in levels:
        check_level(options, level, "start_levels")
    return settings


def with_watch_code(settings: Settings, random_bytes: RandomBytes) -> Settings:
    """Return settings with a watch code if the table is private and may be watched, else without one."""
    if settings["spectators"] == "off":
        return without(settings, "watch_code")
    if settings["visibility"] == "public" or "watch_code" in settings:
        return settings
    return {**settings, "watch_code": new_code(random_bytes)}
