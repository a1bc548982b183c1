/**
 * A table that this page follows: its view, kept up to date by events, and the actions sent to it. Screens draw
 * `state` and call `act`; they never wait for the network.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 * @typedef {import("../types").Problem} Problem
 * @typedef {{
 *   seq: number,
 *   seat: number | null,
 *   player?: string,
 *   name?: string,
 *   text?: string | null,
 *   preset?: string | null,
 * }} Message
 * @typedef {import("../types").EventOf<"throw_failed">["data"]} FailedThrow
 * @typedef {import("../types").EventOf<"claimed">["data"]} Claim
 * @typedef {object} State
 * @property {View | null} view null: not known yet
 * @property {boolean} live whether the stream is open
 * @property {{ what: string } | null} sending the last change sent, until it is answered
 * @property {Problem | null} refusal of the last action
 * @property {Problem | null} lost why the table cannot be seen at all
 * @property {boolean} elsewhere whether the table is not followed here because it is in too many other places
 * @property {Message[]} chat
 * @property {Record<number, string>} levelsBefore seat -> its level before the round that has ended
 * @property {import("../types").EventOf<"round_ended">["data"]["next"] | null} next what is known about the round after
 *   the one that has ended
 * @property {FailedThrow | null} failedThrow of the current trick
 * @property {import("./news.js").News | null} news what has just happened to people or to the deal
 * @property {Record<number, Message>} said seat -> what its player has just said
 * @property {number[]} talking seats whose players talk now
 * @property {string[]} taken cards that this viewer has taken from the kitty, until they are buried
 * @property {Claim | null} claim of this round, until the next trick is won after it
 */
import { theAccount } from "../api/account.js";
import { call, Refused } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { follow } from "../api/stream.js";
import { apply } from "../table/model.js";
import { rememberSeals } from "../table/seals.js";
import { newsText } from "./news.js";

const MOST_MESSAGES = 100;
/** Number of events searched for messages: one page of the log. */
const LOOK_BACK = 500;

export class Session {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** Whether the table is a lesson. */
    this.teaches = false;
    /** @type {State} */
    this.state = {
      view: null,
      live: false,
      sending: null,
      refusal: null,
      lost: null,
      elsewhere: false,
      chat: [],
      levelsBefore: {},
      next: null,
      failedThrow: null,
      claim: null,
      news: null,
      said: {},
      talking: [],
      taken: [],
    };
    /** Server time − `performance.now()`, ms; unlike the device's clock, the latter is never set. */
    this.offset = 0;
    /** @type {Set<(event: Event | null) => void>} */
    this.listeners = new Set();
    this.closing = new AbortController();
    /** @type {Event[]} events held back while the last trick is shown */
    this.held = [];
    this.holding = 0;
    /** Whether arriving events are missed ones, which are shown without pauses. */
    this.missed = false;
    this.following = false;
    /** A player who returns to this page wants to play here. */
    this.stop = onReturn(() => void (this.state.elsewhere && this.open()));
    this.reading = false;
    this.again = false;
    this.recalled = false;
  }

  /** Follow the table until `close`, or while there is anything to follow. */
  async open() {
    if (this.following) return;
    this.following = true;
    this.change({ elsewhere: false });
    try {
      if (!this.state.view) this.take(await this.get(""));
      await follow(
        `/tables/${this.table}`,
        {
          after: () => this.held.at(-1)?.seq ?? this.state.view?.version ?? null,
          onEvent: (event) => this.hold(event),
          onReset: ({ view }) => this.take(view, true),
          onHeartbeat: (time) => {
            this.clock(time);
            this.missed = false;
          },
          onLive: (live) => {
            this.missed = live;
            this.change({ live });
          },
          onEnd: (reason) => this.ended(reason),
        },
        this.closing.signal,
      );
    } catch (error) {
      if (error instanceof Refused) this.change({ lost: error.problem });
      else if (!this.closing.signal.aborted) throw error;
    } finally {
      this.following = false;
    }
  }

  /**
   * The stream has ended on purpose, or was refused: read the table once, with the access that is left.
   * @param {string} reason
   * @returns {Promise<boolean>} whether there is more to follow
   * @throws {Refused} the table is gone, or must not be seen
   */
  async ended(reason) {
    const view = await this.get("");
    // Events held back after a game have yet to be shown, and tell all that the view could tell.
    if (reason !== "over" || !this.held.length) this.take(view, true);
    // The streams of other pages go on. After a game, another one may begin; any other stream that has ended may be
    // opened again.
    if (reason === "too-many-streams") this.change({ elsewhere: true });
    return !view.closed && reason !== "too-many-streams";
  }

  close() {
    this.stop();
    this.closing.abort();
    clearTimeout(this.holding);
  }

  /** @param {string} path below the table @returns {Promise<any>} */
  get(path) {
    return call("GET", `/tables/${this.table}${path}`, undefined, { signal: this.closing.signal });
  }

  /** The time on the server's clock, ms. */
  now() {
    return performance.now() + this.offset;
  }

  /** @param {string} serverTime */
  clock(serverTime) {
    this.offset = Date.parse(serverTime) - performance.now();
  }

  /**
   * Go on from a whole view, unless it is older than the current one.
   * @param {View} view
   * @param {boolean} [anew] replace the current one even then: spectators see less, and an outage may have lost events
   */
  take(view, anew = false) {
    this.clock(view.server_time);
    if (!anew && this.state.view && view.version < this.state.view.version) return;
    this.held = anew ? [] : this.held.filter((event) => event.seq > view.version);
    this.change({ ...this.settled(view), view, lost: null });
  }

  /** Apply an event, or hold it back for a moment while a finished trick lies on the table. @param {Event} event */
  hold(event) {
    if (event.seq <= (this.held.at(-1)?.seq ?? this.state.view?.version ?? 0)) return;
    this.held.push(event);
    if (!this.holding) this.release();
  }

  release() {
    this.holding = 0;
    while (this.held.length) {
      const event = /** @type {Event} */ (this.held.shift());
      this.event(event);
      // After a long absence everything is shown at once.
      const look = lookAt(event);
      if (
        look &&
        !this.missed &&
        this.held.length < 12 &&
        document.visibilityState === "visible" &&
        !this.closing.signal.aborted
      ) {
        this.holding = setTimeout(() => this.release(), look);
        return;
      }
    }
  }

  /** @param {Event} event */
  event(event) {
    const before = this.state.view;
    if (!before || event.seq <= before.version) return;
    const view = apply(before, event);
    const news = { event, before, after: view };
    this.change(
      {
        ...this.settled(view),
        view,
        ...(isMessage(event) && this.heard(event)),
        ...(before.game && newsText(news) && { news }),
        ...brought(event, this.state),
      },
      event,
    );
    if (seesOtherThings(before, event)) this.read();
  }

  /** Changes of the state with a message. @param {Event} event @returns {Partial<State>} */
  heard(event) {
    const { seat } = event.data;
    return {
      chat: messagesWith(this.state.chat, [event]),
      ...(typeof seat === "number" && { said: { ...this.state.said, [seat]: messageOf(event) } }),
    };
  }

  /**
   * Changes of the state with a view of another decision: the last one is answered, though our request may still be
   * under way.
   * A refusal goes only with our own next decision: that of another player may come before anybody could read it.
   * @param {View} view
   * @returns {Partial<State>}
   */
  settled(view) {
    if (view.decision?.id === this.state.view?.decision?.id) return {};
    return view.my && view.decision?.seats.includes(view.my.seat)
      ? { sending: null, refusal: null }
      : { sending: null };
  }

  /** Read the chat and the levels from before this page was opened, once. */
  async recall() {
    const { view } = this.state;
    if (this.recalled || !view) return;
    this.recalled = true;
    try {
      const page = await this.get(`/events?after=${Math.max(0, view.version - LOOK_BACK)}&limit=${LOOK_BACK}`);
      const { chat, levelsBefore, next } = this.state;
      const ofRound = page.events.filter((/** @type {Event} */ { round }) => round === view.round?.number);
      const ended = ofRound.find((/** @type {Event} */ { type }) => type === "round_ended");
      this.change({
        taken: takenIn(ofRound),
        chat: messagesWith(chat, page.events.filter(isMessage)),
        levelsBefore: { ...levelsIn(ofRound), ...levelsBefore },
        next: next ?? ended?.data.next ?? null,
      });
    } catch {
      this.recalled = false; // the table was left, or may not be seen
    }
  }

  /** Read the view: when events do not say everything, or after a refusal. */
  async read() {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    this.again = false;
    try {
      const view = await this.get("");
      // Events held back must not be seen yet; the view is read again when they are shown.
      if (!this.held.length) this.take(view);
    } catch (error) {
      if (error instanceof Refused) this.change({ lost: error.problem });
    } finally {
      this.reading = false;
    }
    if (this.again) await this.read();
  }

  /**
   * Answer the open decision. It is sent again until it arrives; a late answer does no harm.
   * @param {string} action `play`, `pass`, …
   * @param {object} [body] fields besides the id of the decision
   * @returns {Promise<boolean>} whether it was accepted
   */
  async act(action, body = {}) {
    return this.send("POST", `/${action}`, { decision_id: this.state.view?.decision?.id, ...body }, action);
  }

  /**
   * Send a change of the table.
   * @param {string} method
   * @param {string} path below the table
   * @param {object} [body]
   * @param {string} [what] shown while it is on its way
   * @param {Record<string, string>} [headers]
   * @returns {Promise<boolean>} whether it was accepted
   */
  async send(method, path, body = {}, what = path, headers = {}) {
    if (this.state.sending?.what === what) return false;
    const sending = { what };
    this.change({ sending, refusal: null });
    try {
      const outcome = await call(method, `/tables/${this.table}${path}`, method === "DELETE" ? undefined : body, {
        signal: this.closing.signal,
        headers,
      });
      this.accepted(outcome ?? {});
      return true;
    } catch (error) {
      if (error instanceof Refused) await this.refused(error.problem);
      return false;
    } finally {
      if (this.state.sending === sending) this.change({ sending: null });
    }
  }

  /** Show what a change has brought. @param {{ events?: Event[], view?: View }} outcome */
  accepted({ events = [], view }) {
    for (const event of events) if (event.seq === (this.state.view?.version ?? 0) + 1) this.hold(event);
    if (!this.held.length && view) this.take(view);
  }

  /** Show why a change was refused. @param {Problem} problem */
  async refused(problem) {
    // Refused because the table has moved on: show first where it is now.
    if (problem.status === 409 || problem.status === 412) await this.read();
    this.change({ refusal: problem });
  }

  /** @param {Partial<State>} changes @param {Event | null} [event] */
  change(changes, event = null) {
    if (changes.view) rememberSeals(changes.view);
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener(event);
  }

  /**
   * Call `listener` after every change, with the event that caused it.
   * @param {(event: Event | null) => void} listener
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/**
 * Changes of the state with an event, besides the view.
 * @param {Event} event
 * @param {State} state before
 * @returns {Partial<State>}
 */
function brought(event, { claim }) {
  const { type, data } = event;
  if (type === "throw_failed") return { failedThrow: data };
  if (type === "claimed") return { claim: data };
  if (type === "trick_won") return { failedThrow: null, ...(!claim?.ok && { claim: null }) };
  if (type === "round_ended") return { next: data.next };
  if (type === "levels_changed") return { levelsBefore: levelsIn([event]) };
  const taken = TURNS_KITTY.has(type) && { taken: takenIn([event]) };
  return { ...(type === "round_opened" && { failedThrow: null, claim: null, levelsBefore: {}, next: null }), ...taken };
}

/** Whether an event is a message that can be read: those of muted players have no text. @param {Event} event */
const isMessage = ({ type, data }) => type === "chat" && Boolean(data.text || data.preset);

/** @param {Event} event */
const messageOf = ({ seq, data }) => /** @type {Message} */ ({ seq, .../** @type {any} */ (data) });

/** The last messages, in order, each once. @param {Message[]} chat @param {Event[]} events @returns {Message[]} */
function messagesWith(chat, events) {
  const all = new Map([...chat, ...events.map(messageOf)].map((each) => [each.seq, each]));
  return [...all.values()].sort((one, other) => one.seq - other.seq).slice(-MOST_MESSAGES);
}

/**
 * The levels before the round of these events, if it has ended.
 * @param {Event[]} events
 * @returns {Record<number, string>}
 */
function levelsIn(events) {
  const last = events.findLast(({ type }) => type === "levels_changed");
  return last?.type === "levels_changed"
    ? Object.fromEntries(last.data.seats.map(({ seat, from }) => [seat, from]))
    : {};
}

/** Events after which the kitty has other cards, or none. */
const TURNS_KITTY = new Set(["round_opened", "redealt", "kitty_taken", "discarded"]);

/**
 * The cards that the viewer took from the kitty with the last of these events.
 * @param {Event[]} events
 * @returns {string[]}
 */
function takenIn(events) {
  const last = events.findLast(({ type }) => TURNS_KITTY.has(type));
  return last?.type === "kitty_taken" ? (last.data.cards ?? []) : [];
}

/**
 * Whether an event changes what the viewer may see: sitting down, leaving, or for spectators a change of open hands.
 * @param {View} view
 * @param {Event} event
 */
const seesOtherThings = (view, event) =>
  (event.type === "settings_changed" &&
    !view.my &&
    /** @type {any} */ (event.data.changes).settings?.spectators !== view.settings.spectators) ||
  (event.type === "seat_taken" && event.data.occupant?.player === theAccount().player) ||
  (event.type === "seat_left" && event.data.seat === view.my?.seat);

/** Type of event -> how long it is shown before the next one, ms. */
const LOOKS = /** @type {Record<string, number>} */ ({
  trick_won: 900,
  throw_failed: 1500,
  kitty_flipped: 900,
  kitty_shown: 2500,
  friend_joined: 500,
});
const PAUSES = { long: 1, short: 0.4, none: 0 };

/** How long an event is shown, by the player's preference, ms. @param {Event} event */
const lookAt = (event) => (LOOKS[event.type] ?? 0) * PAUSES[theAccount().pause ?? "long"];
