/** Who is away, what happens then, and when: what the rules of time-outs of the service come to at a seat. */
import { soonText, t } from "../texts/texts.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Seat} Seat
 */

/** Decisions in a row that somebody misses before an AI player takes over. @param {View} view */
const mostMissed = ({ clock }) => (clock.correspondence ? 2 : 3);
/** Decisions that somebody has to take; with others, the game goes on when time is up. */
const COUNTED = new Set(["play", "discard", "call", "road"]);
/** For how long times are told to the second, ms. */
const SECONDS_MS = 120_000;

/**
 * What happens to a player who is away: nothing, one move, an AI player from then on, or the game goes on without
 * waiting.
 * @typedef {"waits" | "move" | "ai" | "goes_on"} Outcome
 */

/** Whether somebody else sits there and is not there. @param {View} view @param {Seat} seat */
export const isAway = (view, { seat, occupant, presence }) =>
  Boolean(occupant?.player) && view.my?.seat !== seat && presence !== "online";

/**
 * Whether nobody would play any more once those who are asked have missed it: then the table waits.
 * @param {View} view
 */
const leavesNobody = ({ seats, decision }) =>
  seats.every(
    ({ seat, occupant, autopilot, timeouts }) =>
      !occupant?.player ||
      autopilot !== null ||
      (occupant.kind === "human" && (timeouts > 0 || decision?.seats.includes(seat))),
  );

/**
 * What happens if a player misses a decision of a kind.
 * @param {View} view
 * @param {Seat} seat
 * @param {string} kind
 * @returns {Outcome}
 */
function ifMissed(view, { timeouts }, kind) {
  const policy = view.decision?.on_timeout ?? view.clock.on_timeout;
  if (kind === "ready")
    return view.seats.some(({ occupant, ready }) => occupant?.player && ready) ? "goes_on" : "waits";
  if (!COUNTED.has(kind)) return "goes_on";
  if (policy === "pause" || policy === "remind" || leavesNobody(view)) return "waits";
  return policy === "ai_takeover" || timeouts + 1 >= mostMissed(view) ? "ai" : "move";
}

/**
 * What happens to a player who is away, and when; null: nothing that can be told.
 * @param {View} view
 * @param {Seat} seat
 * @returns {{ outcome: Outcome, at: string | null, asked: boolean } | null} `at`: null: no time is set; `asked`:
 *   whether the table waits for the player now
 */
function fateOf(view, seat) {
  const { decision, clock } = view;
  if (view.status !== "playing" || view.pause) return null;
  const asked = Boolean(decision?.seats.includes(seat.seat));
  if (asked && decision?.deadline_at) {
    const late = decision.kind === "declare" && view.round?.passes?.includes(seat.seat);
    return late ? null : { outcome: ifMissed(view, seat, decision.kind), at: decision.deadline_at, asked };
  }
  if (asked || clock.untimed) return { outcome: "waits", at: null, asked };
  return { outcome: ifMissed({ ...view, decision: null }, seat, "play"), at: null, asked };
}

/** @param {View} view @param {string} time */
const momentOf = ({ decision }, time) => soonText(time, Number(decision?.remaining_ms) < SECONDS_MS);

/** A sentence about a player who is away. @param {View} view @param {Seat} seat */
export function awayText(view, seat) {
  const who = seat.occupant?.name ?? "";
  if (seat.autopilot !== null) return t("away.played", { who });
  const fate = fateOf(view, seat);
  if (!fate) return t("away.only", { who });
  const { outcome, at, asked } = fate;
  if (at) return t(`away.${outcome}.at`, { who, time: momentOf(view, at) });
  return outcome === "waits"
    ? t(asked ? "away.waits" : "away.waits.turn", { who })
    : t(`away.${outcome}.turn`, { who });
}

/** The same in a few words, for the seat itself. @param {View} view @param {Seat} seat */
export function awayNote(view, seat) {
  if (seat.autopilot !== null) return t("away.played.short");
  const fate = fateOf(view, seat);
  if (fate?.at) return t(`away.${fate.outcome}.short`, { time: momentOf(view, fate.at) });
  return t(fate?.asked ? "away.waits.now" : "away.short");
}
