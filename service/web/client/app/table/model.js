/**
 * The client model: `apply(view, event)` is the view after an event. Start from one view, apply every event after its
 * `version`, and you have the table without reading it again. No rules of the game are needed: each event carries all
 * its consequences (docs/contract.md §4). Nothing here draws, waits or sends.
 *
 * Views are values: `apply` returns a new one and shares what did not change. Begin with a fresh view after a `reset`,
 * after sitting down or leaving, and without a seat when `settings.spectators` changes.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 * @typedef {import("../types").Round} Round
 * @typedef {import("../types").Seat} Seat
 * @typedef {NonNullable<View["game"]>} Game
 * @typedef {NonNullable<View["my"]>} Mine
 */
import { sorted, without } from "../cards/cards.js";
import { ENDS_DECISION, SETS } from "./events.js";

/** Number of rounds whose results a view shows. */
const RESULTS = 3;

/**
 * The view after an event. Unknown types change only the version.
 * @param {View} view
 * @param {Event} event
 * @returns {View}
 */
export function apply(view, event) {
  if (event.seq <= view.version) return view;
  const open = ENDS_DECISION.has(event.type) ? { ...view, decision: null } : view;
  const meaning = /** @type {((view: View, data: any, event: Event) => View) | undefined} */ (EVENTS[event.type]);
  const set = Object.entries(SETS[event.type] ?? {}).reduce(
    (before, [path, value]) => withValue(before, event.data, path, value),
    open,
  );
  const changed = meaning ? meaning(set, event.data, event) : set;
  const back = event.back === undefined ? changed : withSeat(changed, event.back, { timeouts: 0 });
  return { ...common(back, event.data), version: event.seq };
}

/**
 * Apply the fields that mean the same in every event.
 * @param {View} view
 * @param {any} data
 * @returns {View}
 */
function common(view, data) {
  let changed = view;
  if (data.phase !== undefined) changed = { ...changed, phase: data.phase };
  if (data.sides) changed = withSeats(changed, ({ seat }) => ({ side: data.sides[seat] }));
  if (data.attackers_points !== undefined) changed = withRound(changed, { attackers_points: data.attackers_points });
  if (data.trump && changed.my) {
    const { rank, suit } = data.trump;
    changed = withMine(changed, { sorted_by: { ...changed.my.sorted_by, rank, suit } });
  }
  if (data.asked !== undefined) changed = asking(changed, data.asked);
  if (data.game_ends_at !== undefined) changed = withGame(changed, { ends_at: data.game_ends_at });
  if (data.returnable !== undefined) changed = withRound(changed, { returnable: data.returnable });
  if (data.hints && changed.decision) changed = { ...changed, decision: { ...changed.decision, hints: data.hints } };
  return changed;
}

// --- small changes ---

/**
 * Change the value at a path, as `SETS` says.
 * @param {View} view
 * @param {any} data
 * @param {string} path
 * @param {any} value
 * @returns {View}
 */
function withValue(view, data, path, value) {
  const steps = path.split(".");
  const now = typeof value === "string" && value.startsWith("=") ? data[value.slice(1)] : value;
  if (steps[0] !== "seat") return withPart(view, steps, now);
  const changed = withSeat(view, data.seat, { [steps[1]]: now });
  return steps[1] === "ready" ? readiness(changed) : changed;
}

/** @param {any} part @param {string[]} path @param {any} value @returns {any} */
const withPart = (part, [name, ...rest], value) => ({
  ...part,
  [name]: rest.length ? withPart(part[name], rest, value) : value,
});

/** @param {View} view @param {number} seat @param {Partial<Seat>} changes @returns {View} */
function withSeat(view, seat, changes) {
  const seats = [...view.seats];
  seats[seat] = { ...seats[seat], ...changes };
  return { ...view, seats };
}

/** @param {View} view @param {(seat: Seat) => Partial<Seat>} changes @returns {View} */
const withSeats = (view, changes) => ({ ...view, seats: view.seats.map((seat) => ({ ...seat, ...changes(seat) })) });

/** @param {View} view @param {Partial<Round>} changes @returns {View} */
const withRound = (view, changes) => ({ ...view, round: { .../** @type {Round} */ (view.round), ...changes } });

/** @param {View} view @param {Partial<Game>} changes @returns {View} */
const withGame = (view, changes) => ({ ...view, game: { .../** @type {Game} */ (view.game), ...changes } });

/**
 * Change what only this viewer sees, and sort the hand.
 * @param {View} view
 * @param {Partial<Mine>} changes
 * @returns {View}
 */
function withMine(view, changes) {
  if (!view.my) return view;
  const my = { ...view.my, ...changes };
  return { ...view, my: { ...my, hand: sorted(my.hand, my.sorted_by) } };
}

/**
 * The open decision asks these seats now; null: it is over.
 * @param {View} view
 * @param {number[] | null} seats
 * @returns {View}
 */
const asking = (view, seats) => ({ ...view, decision: view.decision && seats && { ...view.decision, seats } });

/** Readiness changed: a decision about it asks those who are not ready. @param {View} view @returns {View} */
const readiness = (view) =>
  view.decision?.kind === "ready"
    ? asking(
        view,
        view.seats.filter((seat) => !seat.ready).map(({ seat }) => seat),
      )
    : view;

/**
 * Whether a seat may now ask to take its last play back, because it is among the `returnable` last plays.
 * @param {View} view
 * @param {number} seat
 */
export function mayTakeBack({ round }, seat) {
  const plays = [...(round?.last_trick?.plays ?? []), ...(round?.trick?.plays ?? [])];
  return Boolean(round?.returnable) && plays.slice(-(round?.returnable ?? 0)).some((play) => play.seat === seat);
}

/**
 * Whether a seat may ask to win by forfeit: a round is finished, no opponent is there and the deals are no practice;
 * the service knows since when.
 * @param {View} view
 * @param {number} seat
 */
export function mayForfeit({ game, practice, round, seats }, seat) {
  const alone = Boolean(round?.calls);
  const opponents = seats.filter(
    (other) =>
      other.seat !== seat && other.occupant && other.occupant.kind !== "ai" && (alone || (other.seat - seat) % 2 !== 0),
  );
  return (
    Boolean(game?.results.length) &&
    practice === null &&
    opponents.length > 0 &&
    opponents.every(({ presence }) => presence !== "online")
  );
}

/** The level of the AI that plays a seat, if one does. @param {Seat} seat */
export const aiLevel = (seat) => seat.autopilot ?? (seat.occupant?.kind === "ai" ? seat.occupant.level : null);

/** Only AI players are ready for what follows. @param {View} view @returns {View} */
const readyAnew = (view) => withSeats(view, (seat) => ({ ready: aiLevel(seat) !== null }));

/**
 * A hand gets cards (`count` above 0) or loses them; the cards are known for the viewer's own hand, and with open
 * hands.
 * @param {View} view
 * @param {number} seat
 * @param {string[] | undefined} cards
 * @param {number} count
 * @returns {View}
 */
function moveCards(view, seat, cards, count) {
  const counted = withSeat(view, seat, { hand_count: view.seats[seat].hand_count + count });
  const changed = withHands(counted, (hand, at) =>
    at === seat && cards ? countCards(hand, cards, count > 0 ? 1 : -1) : hand,
  );
  if (changed.my?.seat !== seat || !cards) return changed;
  return withMine(changed, { hand: count > 0 ? [...changed.my.hand, ...cards] : without(changed.my.hand, cards) });
}

/**
 * Change the hands of all seats, if the viewer sees them.
 * @param {View} view
 * @param {(hand: Record<string, number>, seat: number) => Record<string, number>} change
 * @returns {View}
 */
const withHands = (view, change) =>
  view.hands
    ? { ...view, hands: view.hands.map((hand, seat) => change(/** @type {Record<string, number>} */ (hand), seat)) }
    : view;

/** @param {Record<string, number>} before @param {string[]} cards @param {1 | -1} step */
function countCards(before, cards, step) {
  const counts = { ...before };
  for (const card of cards) {
    counts[card] = (counts[card] ?? 0) + step;
    if (!counts[card]) delete counts[card];
  }
  return counts;
}

/**
 * What complete tricks have shown about the hands: seats are added to `voids`, other values replace the old ones; 0 or
 * no cards removes a value.
 * @param {any} before
 * @param {any} told
 */
function remembered(before = {}, told = {}) {
  const voids = { ...before.voids };
  for (const [suit, seats] of Object.entries(told.voids ?? {})) voids[suit] = [...(voids[suit] ?? []), ...seats];
  const most = /** @type {Record<string, object>} */ ({});
  for (const suit of Object.keys({ ...before.most, ...told.most })) {
    const known = Object.entries({ ...before.most?.[suit], ...told.most?.[suit] });
    most[suit] = Object.fromEntries(known.filter(([seat, number]) => number && !voids[suit]?.includes(Number(seat))));
  }
  const seen = { voids, most, holds: { ...before.holds, ...told.holds } };
  const isFull = (/** @type {any} */ value) => (Array.isArray(value) ? value : Object.keys(value)).length > 0;
  const parts = Object.entries(seen).map(([name, part]) => [
    name,
    Object.fromEntries(Object.entries(part).filter(([, value]) => isFull(value))),
  ]);
  return Object.fromEntries(parts.filter(([, part]) => isFull(part)));
}

/** The kitty of a game that has one. @param {View} view */
const kittyOf = (view) => /** @type {NonNullable<Round["kitty"]>} */ (view.round?.kitty);

/**
 * The cards in the kitty, in the form of the view for spectators who see all hands.
 * @param {string[] | null | undefined} cards
 */
const shownKitty = (cards) => (cards?.length ? cards : null);

/** Nobody holds or has won anything. @param {View} view @returns {View} */
function cleared(view) {
  // Fields that do not apply to the game stay null.
  const known = withSeats(view, ({ side, points }) => ({
    side: side && "unknown",
    hand_count: 0,
    tricks: 0,
    points: points && 0,
  }));
  const seats = withHands(known, () => ({}));
  if (!view.my) return seats;
  const { road: _, ...mine } = view.my;
  return {
    ...seats,
    my: { ...mine, hand: [], discard: null, sorted_by: { ...mine.sorted_by, rank: null, suit: null } },
  };
}

/** @param {View} view @param {string | null} seed @returns {View} */
const over = (view, seed) => ({
  ...(view.round ? withRound(view, { returnable: 0 }) : view),
  status: "finished",
  vote: null,
  pause: null,
  practice: view.practice && { ...view.practice, seed },
});

/** @param {View} view @param {{ occupant: import("../types").Seat["occupant"], seat: number }} data @returns {View} */
const sits = (view, { seat, occupant }) =>
  readiness(
    withSeat(view, seat, {
      occupant,
      ready: occupant?.kind === "ai",
      presence: "online",
      autopilot: null,
      timeouts: 0,
      since: following(view),
    }),
  );

/** The next round of the running game. @param {View} view */
const following = (view) => (view.status === "playing" && view.game ? view.game.round + 1 : undefined);

/**
 * @template {Event["type"]} Type
 * @typedef {(view: View, data: import("../types").EventOf<Type>["data"], event: Event) => View} Change
 */

/** @type {{ [Type in Event["type"]]?: Change<Type> }} */
const EVENTS = {
  // --- around the game ---
  seat_taken: sits,
  ai_seated: sits,
  seat_left: (view, { seat, autopilot }) =>
    readiness(
      withSeat(view, seat, {
        presence: "gone",
        autopilot,
        ready: autopilot !== null,
        ...(autopilot === null && { occupant: null, since: undefined }),
      }),
    ),
  table_closed: (view, { reason, practice_seed }) => {
    const { join_code: _, watch_code: __, ...rest } = view;
    return over({ ...rest, closed: { reason } }, practice_seed ?? null);
  },
  settings_changed: (view, data) => {
    const changes = /** @type {{ settings?: any, options?: any }} */ (data.changes);
    const { clock = view.clock, ...settings } = changes.settings ?? view.settings;
    const codes = data.join_code && { join_code: data.join_code, watch_code: data.watch_code ?? undefined };
    const changed = { ...view, settings, clock, ...codes };
    if (!changes.options) return changed;
    const { direction = view.direction, twos_always_trump = false, red_fives = false } = changes.options;
    const chosen = { ...readyAnew(changed), options: data.options ?? {}, direction };
    return view.my
      ? withMine(chosen, {
          sorted_by: { ...view.my.sorted_by, twos: twos_always_trump, red_fives: red_fives || undefined },
        })
      : chosen;
  },
  vote_opened: (view, { id, kind, seat, by_seat, closes_at, remaining_ms }) => ({
    ...view,
    vote: { id, kind, seat, votes: { [by_seat]: true }, closes_at, remaining_ms },
  }),
  vote_cast: (view, { seat, approve }) =>
    view.vote ? { ...view, vote: { ...view.vote, votes: { ...view.vote.votes, [seat]: approve } } } : view,
  game_paused: (view, { by_seat, until, remaining_ms, reason }) => ({
    ...view,
    pause: { by_seat, until, remaining_ms, ...(reason && { reason }) },
  }),
  decision_opened: (view, { id, kind, seats, deadline_at, on_timeout }, event) => {
    const remaining_ms = deadline_at === null ? null : Date.parse(deadline_at) - Date.parse(event.at);
    const decision = { id, kind, seats, deadline_at, on_timeout, opened_seq: event.seq, remaining_ms };
    return { ...view, decision: /** @type {View["decision"]} */ (decision) };
  },
  interrupted: (view, { deadline_at, remaining_ms = null, closes_at, pause_until }, event) => {
    const { decision, vote, pause } = view;
    const later = decision && deadline_at !== undefined ? { ...decision, deadline_at, remaining_ms } : decision;
    const longer = pause_until && { until: pause_until, remaining_ms: Date.parse(pause_until) - Date.parse(event.at) };
    return {
      ...view,
      decision: later,
      vote: vote && closes_at ? { ...vote, closes_at } : vote,
      pause: pause && longer ? { ...pause, ...longer } : pause,
    };
  },
  deadline_moved: (view, { deadline_at, remaining_ms, away }) => {
    const { away: _, ...decision } = /** @type {NonNullable<View["decision"]>} */ (view.decision);
    return { ...view, decision: { ...decision, deadline_at, remaining_ms, ...(away.length > 0 && { away }) } };
  },
  decision_timed_out: (view, { seats, action }) => {
    let changed = view;
    for (const seat of seats) {
      const late = view.seats[seat];
      if (aiLevel(late) !== null) continue;
      const bank = seats.length === 1 ? { bank_ms: 0 } : {};
      changed = withSeat(changed, seat, { timeouts: late.timeouts + 1, presence: "away", ...bank });
    }
    if (action !== "pause" || !view.decision) return changed;
    return { ...changed, decision: { ...view.decision, deadline_at: null, remaining_ms: null } };
  },

  // --- the deal, to the buried kitty ---
  game_started: (view, { game, level, scores, rounds_before = 0 }) => {
    const fresh = { level, ready: false, timeouts: 0, bank_ms: view.clock.bank_ms, laps: undefined, since: undefined };
    const { start_levels: _, ...settings } = view.settings;
    return cleared({
      ...withSeats(view, ({ active, penalty }) => ({
        ...fresh,
        active: active === null ? null : true,
        penalty: penalty && 0,
      })),
      settings,
      status: "playing",
      phase: null,
      round: null,
      practice: view.practice && { ...view.practice, seed: null },
      game: { id: game, round: rounds_before, results: [], winners: null, ended: null, scores },
    });
  },
  round_opened: (view, { of, kitty, kitty_cards, next_commitment, sorted_by, ...data }) => {
    const { number, starter, level, commitment, declarer, declarations, passes, calls, roads, attackers_points } = data;
    const changed = withMine(cleared(withGame(view, { round: number })), sorted_by ? { sorted_by } : {});
    return {
      ...changed,
      next_commitment,
      round: {
        number, starter, level, commitment, declarer,
        dealt: { count: 0, of },
        kitty: kitty === null ? null : { count: kitty, seat: null, cards: shownKitty(kitty_cards), revealed: false },
        trump: null, trick: null, last_trick: null, take_back: null, returnable: 0, result: null,
        declarations, passes, calls, roads, attackers_points,
        played: {},
        seen: {},
      }, // prettier-ignore
    };
  },
  redealt: (view, { starter, of, kitty, kitty_cards, declarer, all_active, sorted_by }) => {
    const round = /** @type {Round} */ (view.round);
    const seats = withSeats(
      withHands(view, () => ({})),
      ({ active }) => ({ hand_count: 0, active: active || all_active }),
    );
    return withRound(withMine(seats, { hand: [], ...(sorted_by && { sorted_by }) }), {
      starter,
      dealt: { count: 0, of },
      declarations: [],
      passes: [],
      declarer: declarer === undefined ? round.declarer : declarer,
      kitty: round.kitty && { ...round.kitty, count: kitty ?? 0, cards: shownKitty(kitty_cards) },
    });
  },
  dealt: (view, { count, cards, hands, phase }) => {
    const round = /** @type {Round} */ (view.round);
    const open = withHands(view, (hand, seat) => countCards(hand, hands?.[seat] ?? [], 1));
    const changed = withSeats(open, () => ({ hand_count: Math.floor(count / view.players) }));
    const held = changed.my && cards ? withMine(changed, { hand: [...changed.my.hand, ...cards] }) : changed;
    return withRound(held, { dealt: { ...round.dealt, count }, ...(phase && { passes: round.passes && [] }) });
  },
  declared: (view, { seat, cards, as, deadline_at }) => {
    const declarations = [...(view.round?.declarations ?? []), { seat, cards, as }];
    const decision = view.decision && { ...view.decision, deadline_at };
    return withRound({ ...view, decision }, { declarations, passes: [seat] });
  },
  passed: (view, { seat, kind }) => {
    if (kind !== "declare") return view;
    const others = (view.round?.passes ?? []).filter((other) => other !== seat);
    return withRound(view, { passes: [...others, seat] });
  },
  kitty_taken: (view, { seat, count, cards }) => {
    const kitty = { ...kittyOf(view), count: 0, seat, cards: null };
    return moveCards(withRound(withMine(view, { discard: null }), { kitty }), seat, cards, count);
  },
  discarded: (view, { seat, count, cards }) => {
    const kitty = { ...kittyOf(view), count, ...(view.hands && { cards: shownKitty(cards) }) };
    const buried = moveCards(withRound(view, { kitty }), seat, cards, -count);
    return view.my?.seat === seat ? withMine(buried, { discard: cards }) : buried;
  },
  kitty_overcalled: (view, { seat, cards, trump, as }) => {
    const { declarations } = /** @type {Round} */ (view.round);
    const decision = as === "reinforce" ? view.decision : null;
    return withRound(
      { ...view, decision },
      { trump, declarations: as ? [...(declarations ?? []), { seat, cards, as }] : declarations },
    );
  },

  // --- from the first lead to the end ---
  friends_called: (view, { calls }) => withRound(view, { calls: calls.map((call) => ({ ...call, filled_by: null })) }),
  friend_joined: (view, { seat, call, points_lost }) => {
    const calls = [...(view.round?.calls ?? [])];
    calls[call] = { ...calls[call], filled_by: seat };
    return withSeat(withRound(view, { calls }), seat, { points: (view.seats[seat].points ?? 0) - points_lost });
  },
  roads_asked: (view, { seats }) => {
    const { stated, set } = view.round?.roads ?? { stated: [], set: {} };
    const mine = view.my && seats.includes(view.my.seat) ? withMine(view, { road: null }) : view;
    return withRound(mine, { roads: { stated: stated.filter((seat) => !seats.includes(seat)), set } });
  },
  road_stated: (view, { seat, road }) => {
    const { stated, set } = view.round?.roads ?? { stated: [], set: {} };
    const left = (view.decision?.seats ?? []).filter((other) => other !== seat);
    const asked = asking(view, left.length ? left : null);
    const roads = { set, stated: [...new Set([...stated, seat])].sort((one, other) => one - other) };
    if (view.my?.seat !== seat) return withRound(asked, { roads });
    const decision = asked.decision && { ...asked.decision, hints: undefined };
    return withRound(withMine({ ...asked, decision }, { road }), { roads });
  },
  roads_set: (view, { roads }) => {
    const { stated, set } = view.round?.roads ?? { stated: [], set: {} };
    return withRound(view, { roads: { stated, set: { ...set, ...roads } } });
  },
  played: (view, { seat, cards, units, throw: thrown, winning }) => {
    const round = /** @type {Round} */ (view.round);
    const trick = round.trick ?? { number: (round.last_trick?.number ?? 0) + 1, leader: seat, plays: [] };
    const play = { seat, cards, ...(units.length && { units, throw: thrown }) };
    return withRound(moveCards(view, seat, cards, -cards.length), {
      trick: { ...trick, plays: [...trick.plays, play], winning },
      played: countCards(round.played, cards, 1),
      take_back: null,
    });
  },
  take_back: (view, { seat, stage, by_seat, cards, winning }) => {
    const { take_back, trick, played } = /** @type {Round} */ (view.round);
    if (stage === "asked") return withRound(view, { take_back: { seat, accepted: [] } });
    if (stage === "accepted" && take_back && by_seat !== undefined) {
      return withRound(view, { take_back: { ...take_back, accepted: [...take_back.accepted, by_seat] } });
    }
    if (stage !== "done" || !cards || !trick) return withRound(view, { take_back: null });
    const plays = trick.plays.slice(0, -1);
    return withRound(moveCards({ ...view, decision: null }, seat, cards, cards.length), {
      trick: plays.length ? { ...trick, plays, winning: winning ?? trick.winning } : null,
      played: countCards(played, cards, -1),
      take_back: null,
    });
  },
  trick_reopened: (view, { seat, points, last_trick, seen }) => {
    const { winner: _, points: __, ...trick } = /** @type {NonNullable<Round["trick"]>} */ (view.round?.last_trick);
    const winner = view.seats[seat];
    const left = winner.points === null ? null : winner.points - (points ?? 0);
    return withRound(withSeat(view, seat, { tricks: winner.tricks - 1, points: left }), { trick, last_trick, seen });
  },
  claimed: (view, { seat, ok }) =>
    ok
      ? { ...view, decision: null }
      : withRound(view, { take_back: null, claims: [...(view.round?.claims ?? []), seat] }),
  trick_won: (view, { seat, points, seen }) => {
    const trick = /** @type {NonNullable<Round["trick"]>} */ (view.round?.trick);
    const winner = view.seats[seat];
    const taken = winner.points === null ? null : winner.points + (points ?? 0);
    const won = withSeat(view, seat, { tricks: winner.tricks + 1, points: taken });
    const known = remembered(view.round?.seen, seen);
    return withRound(won, { trick: null, last_trick: { ...trick, winner: seat, points }, seen: known });
  },
  round_scored: (view, { phase: _, ...result }) => {
    const round = /** @type {Round} */ (view.round);
    const game = /** @type {Game} */ (view.game);
    const results = [...game.results, { round: round.number, ...result.summary }].slice(-RESULTS);
    const kitty =
      !round.kitty || round.kitty.seat === null ? round.kitty : { ...round.kitty, cards: result.kitty?.cards ?? null };
    return withRound(readyAnew(withGame(view, { results, scores: result.scores ?? game.scores })), {
      result,
      trick: null,
      seen: {},
      returnable: 0,
      kitty,
      attackers_points: result.trick_points,
    });
  },
  levels_changed: (view, { seats }) => {
    let changed = view;
    for (const { seat, to, active, penalty, laps } of seats) {
      changed = withSeat(changed, seat, { level: to, active, penalty, ...(laps !== undefined && { laps }) });
    }
    return changed;
  },
  game_ended: (view, { winners, reason, decided_by, practice_seed }) => {
    const changes = { winners, ended: reason, ...(decided_by && { decided_by }) };
    return over(readyAnew(withGame(view, changes)), practice_seed ?? null);
  },
};
