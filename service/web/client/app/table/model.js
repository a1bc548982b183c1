/**
 * The client model: `apply(view, event)` is the view after an event. Start from one view, apply every event after its
 * `version`, and you have the table without asking for it again. Nothing here draws, waits or sends.
 *
 * Views are values: `apply` returns a new one and shares what did not change.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 * @typedef {import("../types").Round} Round
 * @typedef {import("../types").Seat} Seat
 */
import { without } from "../game/cards.js";

/** Decision kind -> the phase that it belongs to; declaring spans two. */
const PHASES = /** @type {Record<string, string>} */ ({
  discard: "kitty",
  "overcall-kitty": "kitty",
  call: "calling",
  road: "roads",
  play: "playing",
});
const LATEST_RESULTS = 3;

/**
 * The view after an event. Unknown types change nothing but the version.
 * @param {View} view
 * @param {Event} event
 * @returns {View}
 */
export function apply(view, event) {
  if (event.seq <= view.version) return view;
  const meaning = /** @type {((view: View, data: any, event: Event) => View) | undefined} */ (EVENTS[event.type]);
  const changed = meaning ? meaning(view, event.data, event) : view;
  return answered({ ...changed, version: event.seq }, event);
}

/** Whoever acts is not away. @param {View} view @param {Event} event @returns {View} */
function answered(view, event) {
  const seat = /** @type {{ seat?: number }} */ (event.data).seat;
  if (event.by !== "player" || typeof seat !== "number" || !ANSWERS.has(event.type)) return view;
  return view.seats[seat].timeouts ? withSeat(view, seat, { timeouts: 0 }) : view;
}
const ANSWERS = new Set(["declared", "passed", "discarded", "kitty_overcalled", "friends_called", "road_stated", "played", "redealt"]);

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

/** A readiness decision waits for the seats that are not ready. @param {View} view @returns {View} */
function waitingForReady(view) {
  if (view.decision?.kind !== "ready") return view;
  const seats = view.seats.filter((seat) => !seat.ready).map((seat) => seat.seat);
  return { ...view, decision: { ...view.decision, seats } };
}

/** The level of the AI that plays a seat, if one does. @param {Seat} seat */
export const aiLevel = (seat) => seat.autopilot ?? (seat.occupant?.kind === "ai" ? seat.occupant.level : null);

/** Nobody but AI players is ready for what follows. @param {View} view @returns {View} */
const readyAnew = (view) => withSeats(view, (seat) => ({ ready: aiLevel(seat) !== null }));

/** Points of everybody who is not known to be on the declarer's side. @param {View} view @returns {View} */
const counted = (view) =>
  withRound(view, {
    attackers_points: view.seats.reduce((sum, seat) => sum + (seat.side === "declarers" ? 0 : seat.points), 0),
  });

/** @param {View} view @param {number} seat @param {string[] | undefined} cards @param {number} count @returns {View} */
function handGets(view, seat, cards, count) {
  const changed = withSeat(view, seat, { hand_count: view.seats[seat].hand_count + count });
  if (view.my?.seat !== seat || !cards) return changed;
  return { ...changed, my: { ...view.my, hand: [...view.my.hand, ...cards] } };
}

/** @param {View} view @param {number} seat @param {string[] | undefined} cards @param {number} count @returns {View} */
function handLoses(view, seat, cards, count) {
  const changed = withSeat(view, seat, { hand_count: view.seats[seat].hand_count - count });
  if (view.my?.seat !== seat || !cards) return changed;
  return { ...changed, my: { ...view.my, hand: without(view.my.hand, cards) } };
}

/** @param {Record<string, number>} played @param {string[]} cards @param {1 | -1} step */
function countPlayed(played, cards, step) {
  const counts = { ...played };
  for (const card of cards) {
    counts[card] = (counts[card] ?? 0) + step;
    if (!counts[card]) delete counts[card];
  }
  return counts;
}

/** A deal begins: nobody holds a card. @param {View} view @param {any} data @param {Partial<Round>} changes @returns {View} */
function newDeal(view, data, changes) {
  const seats = view.seats.map((seat) => ({ ...seat, hand_count: 0 }));
  const my = view.my && { ...view.my, hand: [] };
  return withRound(
    { ...view, seats, ...(my && { my }), phase: "dealing", decision: null },
    {
      starter: data.starter,
      declarations: [],
      passes: [],
      dealt: { count: 0, of: data.of },
      kitty: { count: data.kitty, seat: null, cards: null, revealed: false },
      ...changes,
    },
  );
}

/** @type {{ [Type in Event["type"]]?: (view: View, data: import("../types").EventOf<Type>["data"], event: Event) => View }} */
const EVENTS = {
  // --- around the game ---
  seat_taken: (view, data) =>
    withSeat(view, data.seat, { occupant: data.occupant, ready: false, presence: "online", autopilot: null, timeouts: 0 }),
  ai_seated: (view, data) =>
    withSeat(view, data.seat, { occupant: data.occupant, ready: true, presence: "online", autopilot: null, timeouts: 0 }),
  seat_left: (view, data) =>
    data.autopilot
      ? waitingForReady(withSeat(view, data.seat, { autopilot: data.autopilot, presence: "gone", ready: true }))
      : withSeat(view, data.seat, { occupant: null, autopilot: null, presence: "gone", ready: false }),
  seat_ready: (view, data) => waitingForReady(withSeat(view, data.seat, { ready: data.ready })),
  seat_taken_over: (view, data) => waitingForReady(withSeat(view, data.seat, { autopilot: data.level, ready: true })),
  seat_resumed: (view, data) => withSeat(view, data.seat, { autopilot: null, timeouts: 0, presence: "online" }),
  presence: (view, data) => withSeat(view, data.seat, { presence: data.presence }),
  host_changed: (view, data) => ({ ...view, host: data.host }),
  table_closed: (view) => ({ ...view, status: "finished", decision: null, vote: null }),
  bank_used: (view, data) => withSeat(view, data.seat, { bank_ms: data.bank_ms }),
  settings_changed: (view, data) => {
    const changes = /** @type {{ settings?: any, options?: any }} */ (data.changes);
    const { clock = view.clock, ...settings } = changes.settings ?? view.settings;
    const changed = { ...view, settings, clock };
    return changes.options ? readyAnew(changed) : changed;
  },
  vote_opened: (view, { id, kind, seat, by_seat, closes_at }) => ({
    ...view,
    vote: { id, kind, seat, votes: { [by_seat]: true }, ...(closes_at && { closes_at }) },
  }),
  vote_cast: (view, data) =>
    view.vote ? { ...view, vote: { ...view.vote, votes: { ...view.vote.votes, [data.seat]: data.approve } } } : view,
  vote_closed: (view) => ({ ...view, vote: null }),
  decision_opened: (view, data, event) => ({
    ...view,
    phase: /** @type {View["phase"]} */ (view.round && PHASES[data.kind]) ?? view.phase,
    decision: {
      id: data.id,
      kind: data.kind,
      seats: data.seats,
      opened_seq: event.seq,
      deadline_at: data.deadline_at,
      remaining_ms: data.deadline_at === null ? null : Date.parse(data.deadline_at) - Date.parse(event.at),
      on_timeout: data.on_timeout,
    },
  }),
  decision_timed_out: (view, data) => {
    let changed = view;
    for (const seat of data.seats) {
      const late = view.seats[seat];
      if (aiLevel(late) !== null) continue;
      const bank_ms = data.seats.length === 1 ? 0 : late.bank_ms;
      changed = withSeat(changed, seat, { timeouts: late.timeouts + 1, presence: "away", bank_ms });
    }
    const paused = data.action === "pause" && view.decision;
    return paused ? { ...changed, decision: { ...paused, deadline_at: null, remaining_ms: null } } : changed;
  },

  // --- the deal, to the buried kitty ---
  game_started: (view, data) => ({
    ...withSeats(view, () => ({
      level: data.level,
      active: true,
      penalty: 0,
      ready: false,
      timeouts: 0,
      bank_ms: view.clock.bank_ms,
      laps: undefined,
      side: "unknown",
      hand_count: 0,
      tricks: 0,
      points: 0,
    })),
    status: "playing",
    phase: null,
    decision: null,
    round: null,
    game: { id: data.game, round: 0, results: [], winners: null, ended: null, scores: null },
    ...(view.my && { my: { seat: view.my.seat, hand: [], discard: null } }),
  }),
  round_opened: (view, data) => {
    const fresh = withSeats(view, () => ({ side: "unknown", tricks: 0, points: 0 }));
    const game = { .../** @type {NonNullable<View["game"]>} */ (view.game), round: data.number };
    const my = view.my && { seat: view.my.seat, hand: [], discard: null };
    return newDeal({ ...fresh, game, ...(my && { my }), next_commitment: data.next_commitment }, data, {
      number: data.number,
      level: data.level,
      commitment: data.commitment,
      trump: null,
      declarer: data.declarer,
      calls: [],
      roads: null,
      attackers_points: 0,
      played: {},
      trick: null,
      last_trick: null,
      take_back: null,
      result: null,
    });
  },
  redealt: (view, data) => {
    const again = newDeal(view, data, data.declarer === undefined ? {} : { declarer: data.declarer });
    return data.all_active ? withSeats(again, () => ({ active: true })) : again;
  },
  dealt: (view, data) => {
    const round = /** @type {Round} */ (view.round);
    const each = (data.count - round.dealt.count) / view.players;
    let changed = withSeats(view, (seat) => ({ hand_count: seat.hand_count + each }));
    if (view.my && data.cards) changed.my = { ...view.my, hand: [...view.my.hand, ...data.cards] };
    changed = withRound(changed, { dealt: { ...round.dealt, count: data.count } });
    return data.count === round.dealt.of ? withRound({ ...changed, phase: "declaring" }, { passes: [] }) : changed;
  },
  declared: (view, data) => {
    const { decision, round } = view;
    const shared = decision?.kind === "declare" && decision.seats.length > 1 && data.defence === null;
    const open = shared ? { ...decision, deadline_at: data.deadline_at, hints: undefined } : null;
    return withRound(
      { ...view, decision: open },
      {
        declarations: [...(round?.declarations ?? []), { seat: data.seat, cards: data.cards, as: data.as }],
        passes: [data.seat],
      },
    );
  },
  passed: (view, data) => {
    const alone = view.decision?.seats.length === 1 || data.kind !== "declare";
    const changed = alone ? { ...view, decision: null } : view;
    if (data.kind !== "declare") return changed;
    const others = (view.round?.passes ?? []).filter((seat) => seat !== data.seat);
    return withRound(changed, { passes: [...others, data.seat] });
  },
  declaration_closed: (view) => ({ ...view, decision: null }),
  trump_fixed: (view, data) => {
    const sided = withSeats(view, (seat) => ({ side: /** @type {Seat["side"]} */ (data.sides[seat.seat]) }));
    return counted(withRound({ ...sided, phase: "kitty", decision: null }, { trump: data.trump, declarer: data.declarer }));
  },
  kitty_taken: (view, data) => {
    const held = handGets({ ...view, phase: "kitty" }, data.seat, data.cards, data.count);
    const my = held.my && { ...held.my, discard: null };
    return withRound({ ...held, ...(my && { my }) }, { kitty: { count: 0, seat: data.seat, cards: null, revealed: false } });
  },
  discarded: (view, data) => {
    const held = handLoses({ ...view, decision: null }, data.seat, data.cards, data.count);
    const my = held.my && { ...held.my, discard: held.my.seat === data.seat ? (data.cards ?? null) : null };
    const kitty = /** @type {Round} */ (view.round).kitty;
    return withRound({ ...held, ...(my && { my }) }, { kitty: { ...kitty, count: data.count } });
  },
  kitty_revealed: (view, data) => {
    const kitty = /** @type {Round} */ (view.round).kitty;
    return withRound(view, { kitty: { ...kitty, cards: data.cards, revealed: true } });
  },
  kitty_overcalled: (view, data) => {
    const declarations = [...(view.round?.declarations ?? [])];
    if (data.as) declarations.push({ seat: data.seat, cards: data.cards, as: data.as });
    const decision = data.as === "reinforce" ? view.decision : null;
    return withRound({ ...view, decision }, { trump: data.trump, declarations });
  },

  // --- from the first lead to the end ---
  friends_called: (view, data) =>
    withRound({ ...view, decision: null }, { calls: data.calls.map((call) => ({ ...call, filled_by: null })) }),
  friend_joined: (view, data) => {
    const calls = [.../** @type {Round} */ (view.round).calls];
    calls[data.call] = { ...calls[data.call], filled_by: data.seat };
    const points = view.seats[data.seat].points - data.points_lost;
    let changed = withSeat(withRound(view, { calls }), data.seat, { side: "declarers", points });
    if (calls.every((call) => call.filled_by !== null)) {
      changed = withSeats(changed, (seat) => ({ side: seat.side === "unknown" ? "attackers" : seat.side }));
    }
    return counted(changed);
  },
  roads_asked: (view, data) => {
    const before = view.round?.roads ?? { stated: [], set: {} };
    const stated = before.stated.filter((seat) => !data.seats.includes(seat));
    const my = view.my && { ...view.my, road: data.seats.includes(view.my.seat) ? null : (view.my.road ?? null) };
    return withRound({ ...view, phase: "roads", decision: null, ...(my && { my }) }, { roads: { ...before, stated } });
  },
  road_stated: (view, data) => {
    const before = view.round?.roads ?? { stated: [], set: {} };
    const left = (view.decision?.seats ?? []).filter((seat) => seat !== data.seat);
    const decision = view.decision && left.length ? { ...view.decision, seats: left } : null;
    const my = view.my && (view.my.seat === data.seat ? { ...view.my, road: data.road } : view.my);
    const stated = [...before.stated, data.seat].sort((one, other) => one - other);
    return withRound({ ...view, decision, ...(my && { my }) }, { roads: { ...before, stated } });
  },
  roads_set: (view, data) => {
    const before = view.round?.roads ?? { stated: [], set: {} };
    return withRound(view, { roads: { ...before, set: { ...before.set, ...data.roads } } });
  },
  trump_established: (view, data) => withRound(view, { trump: data.trump }),
  played: (view, data) => {
    const round = /** @type {Round} */ (view.round);
    const trick = round.trick ?? { number: (round.last_trick?.number ?? 0) + 1, leader: data.seat, plays: [], winning: data.seat };
    const lead = data.units.length ? { units: data.units, throw: data.throw } : {};
    return withRound(handLoses({ ...view, decision: null }, data.seat, data.cards, data.cards.length), {
      trick: { ...trick, plays: [...trick.plays, { seat: data.seat, cards: data.cards, ...lead }], winning: data.winning },
      played: countPlayed(round.played, data.cards, 1),
      take_back: null,
    });
  },
  take_back: (view, data) => {
    const round = /** @type {Round} */ (view.round);
    if (data.stage === "asked") return withRound(view, { take_back: { seat: data.seat, accepted: [] } });
    if (data.stage === "accepted" && round.take_back) {
      const accepted = [...round.take_back.accepted, .../** @type {number[]} */ ([data.by_seat])];
      return withRound(view, { take_back: { ...round.take_back, accepted } });
    }
    if (data.stage !== "done" || !data.cards || !round.trick) return withRound(view, { take_back: null });
    // Who was winning before is not in the event: `isIncomplete` asks for the view.
    const plays = round.trick.plays.slice(0, -1);
    return withRound(handGets({ ...view, decision: null }, data.seat, data.cards, data.cards.length), {
      trick: plays.length ? { ...round.trick, plays } : null,
      played: countPlayed(round.played, data.cards, -1),
      take_back: null,
    });
  },
  trick_won: (view, data) => {
    const seat = view.seats[data.seat];
    const trick = /** @type {NonNullable<Round["trick"]>} */ (view.round?.trick);
    const won = withSeat(view, data.seat, { tricks: seat.tricks + 1, points: seat.points + data.points });
    return counted(withRound(won, { trick: null, last_trick: { ...trick, winner: data.seat, points: data.points } }));
  },
  round_scored: (view, data) => {
    const round = /** @type {Round} */ (view.round);
    const game = /** @type {NonNullable<View["game"]>} */ (view.game);
    const results = [...game.results, { round: round.number, ...data.summary }].slice(-LATEST_RESULTS);
    const sided = withSeats(readyAnew(view), (seat) => ({ side: data.sides[seat.seat] }));
    const kitty = { ...round.kitty, cards: data.kitty?.cards ?? round.kitty.cards };
    return counted(
      withRound(
        { ...sided, phase: "scored", decision: null, game: { ...game, results, scores: data.scores ?? game.scores } },
        { result: data, trick: null, kitty },
      ),
    );
  },
  levels_changed: (view, data) => {
    let changed = view;
    for (const { seat, to, active, penalty, laps } of data.seats) {
      changed = withSeat(changed, seat, { level: to, active, penalty, ...(laps ? { laps } : {}) });
    }
    return changed;
  },
  game_ended: (view, data) =>
    readyAnew({
      ...view,
      status: "finished",
      decision: null,
      vote: null,
      game: { .../** @type {NonNullable<View["game"]>} */ (view.game), winners: data.winners, ended: data.reason },
    }),
};

/**
 * Whether a view lacks something that its events did not say, so that it has to be read once: hints for one's own
 * decision, or what depends on who sits where.
 * @param {View} view after the event
 * @param {Event} event
 */
export function isIncomplete(view, event) {
  const mine = view.my !== undefined && view.decision?.seats.includes(view.my.seat);
  if (mine && !view.decision?.hints) return true;
  if (event.type === "take_back") return event.data.stage === "done";
  if (event.type === "settings_changed") return "options" in event.data.changes;
  return ["seat_taken", "seat_left", "table_closed", "round_ended"].includes(event.type);
}
