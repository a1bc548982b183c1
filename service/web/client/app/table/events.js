/**
 * How events change a view. Generated from openapi.yaml by `make openapi`; do not edit it.
 */

/**
 * Events that end the open decision; another one may be opened at once.
 * @type {Set<string>}
 */
export const ENDS_DECISION = new Set([
  "table_closed",
  "game_paused",
  "game_started",
  "round_opened",
  "redealt",
  "declaration_closed",
  "trump_fixed",
  "discarded",
  "friends_called",
  "roads_asked",
  "played",
  "round_scored",
  "game_ended",
]);

/**
 * Type of event -> path in the view -> its value afterwards; `=name` is the value of a field of the event. `seat` is
 * the seat of the event.
 * @type {Record<string, Record<string, any>>}
 */
export const SETS = {
  seat_ready: { "seat.ready": "=ready" },
  presence: { "seat.presence": "=presence" },
  host_changed: { host: "=host" },
  seat_taken_over: { "seat.autopilot": "=level", "seat.ready": true },
  seat_resumed: { "seat.autopilot": null, "seat.timeouts": 0, "seat.presence": "online" },
  vote_closed: { vote: null },
  game_resumed: { pause: null },
  bank_used: { "seat.bank_ms": "=bank_ms" },
  trump_fixed: { "round.trump": "=trump", "round.declarer": "=declarer" },
  kitty_shown: { "round.kitty.shown": "=cards" },
  kitty_revealed: { "round.kitty.cards": "=cards", "round.kitty.revealed": true },
  trump_established: { "round.trump": "=trump" },
};
