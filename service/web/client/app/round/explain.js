/** Texts that say what a player must do and what the table shows. */
import { isTrump, shownRank, SIGNS, suitOf } from "../cards/cards.js";
import { allThatFollow } from "../cards/follow.js";
import { awayText, isAway } from "../seats/away.js";
import { enumerated, momentText, named, spoken, t } from "../texts/texts.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").PlayHints} Hints
 */

/** @param {string | null | undefined} group "trumps" or a suit */
export const groupName = (group) =>
  group === "trumps" ? t("trumps") : group ? `${SIGNS[group]} ${named("suit", group)}` : "";

/** A pair, a triple, a tractor of two pairs … @param {{ kind: string, width: number, length: number }} unit */
export function unitName({ kind, width, length }) {
  if (kind === "rainbow") return t("unit.rainbow", { width });
  if (kind === "tractor") return t("unit.tractor", { length, width: named("widths", String(width)) });
  return width === 1 ? t("unit.single") : named("width", String(width));
}

/** What must be followed. @param {Hints} hints @param {NonNullable<View["my"]>} my */
export function whatToFollow(hints, my) {
  const count = hints.cards ?? 1;
  const units = hints.required.filter((unit) => unit.width > 1).map(unitName);
  if (!hints.must_follow) {
    if (units.length) return t("follow.rainbow", { count, units: enumerated(units) });
    const ruff = (hints.ruff ?? []).filter((unit) => unit.width > 1).map(unitName);
    return [t("follow.free", { count }), ruff.length && t("follow.ruff", { units: enumerated(ruff) })]
      .filter(Boolean)
      .join(t("gap"));
  }
  const all = allThatFollow(hints, my);
  if (all) {
    const held = t(/** @type {import("../texts/texts.js").Key} */ (`held.${hints.must_follow}`), { count: all.length });
    return all.length < count ? t("follow.short", { held, count: count - all.length }) : t("follow.all", { held });
  }
  const group = groupName(hints.must_follow);
  return units.length
    ? t("follow.units", { count, group, units: enumerated(units) })
    : t("follow.suit", { count, group });
}

/** Why a card cannot be played now, in one sentence. @param {string} card @param {Hints} hints @param {View} view */
export function whyNot(card, hints, { my, ruleset }) {
  const name = spoken(card);
  const { must_follow: led } = hints;
  const group = led === "trumps" ? t("trumps") : led ? named("suit", led) : "";
  const asTrump = my !== undefined && isTrump(card, my.sorted_by) && my.sorted_by.suit !== suitOf(card);
  if (led && suitOf(card) === led && asTrump && led !== "trumps") return t("grey.level", { card: name, group });
  if (led && !(led === "trumps" ? my && isTrump(card, my.sorted_by) : suitOf(card) === led))
    return t("grey.follow", { card: name, group });
  if (ruleset === "arms_length") return t("grey.beat", { card: name });
  const units = hints.required.filter((unit) => unit.width > 1).map(unitName);
  return units.length ? t("grey.units", { card: name, units: enumerated(units) }) : t("grey.other", { card: name });
}

/** How a lead is read: "tractor of 2 pairs + single". @param {string[][]} units */
export function leadName(units) {
  return units
    .map((cards) => {
      const width = cards.filter((card) => card === cards[0]).length;
      const length = cards.length / width;
      return unitName({ kind: length > 1 ? "tractor" : "tuple", width, length });
    })
    .join(" + ");
}

/** The trumps in a few characters. @param {import("../types").Trump} trump */
export const trumpText = (trump) =>
  [trump.rank && shownRank(trump.rank), trump.suit ? SIGNS[trump.suit] : t("trump.none")].filter(Boolean).join(" ");

/** The words of a pass, which depend on the phase. @param {string} kind of the decision @param {View} view */
export function passText(kind, { round }) {
  if (kind === "declare") return t(round?.declarations?.length ? "pass.overcall" : "pass");
  return named("pass", kind);
}

/** What the table waits for. @param {View} view */
export function waitingFor(view) {
  const { decision } = view;
  if (view.pause) return t("status.paused");
  if (!decision) return view.phase === "dealing" ? t("status.dealing") : "";
  if (view.phase === "dealing" && decision.kind === "declare") return t("status.dealing.open");
  const [only, ...more] = decision.seats.map((seat) => view.seats[seat]);
  // The others are told why nothing happens, for whom they wait, and until when.
  const why = only && !more.length && whyNothingHappens(view, only, decision.kind);
  if (why) return why;
  const names = decision.seats
    .filter((seat) => decision.kind !== "declare" || !view.round?.passes?.includes(seat))
    .map((seat) => view.seats[seat].occupant?.name ?? "");
  const who = names.length > 3 ? t("status.everybody") : enumerated(names);
  return t(`status.${/** @type {"play"} */ (decision.kind in STATUS ? decision.kind : "play")}`, { who });
}
/**
 * Why nothing happens, and for whom the others wait.
 * @param {View} view
 * @param {import("../types").Seat} only
 * @param {string} kind of the decision
 */
function whyNothingHappens(view, only, kind) {
  const away = kind === "ready" ? undefined : awayOf(view, only.seat);
  if (away) return t("status.holiday", { who: only.occupant?.name ?? "", time: momentText(away.until) });
  return only.autopilot === null && isAway(view, only) ? awayText(view, only) : "";
}

/** The holiday of a seat that is asked, if it lasts now. @param {View} view @param {number} seat */
const awayOf = ({ decision }, seat) =>
  decision?.away?.find(
    (each) => each.seat === seat && Date.parse(each.since) <= Date.now() && Date.parse(each.until) > Date.now(),
  );
const STATUS = { play: 1, declare: 1, defend: 1, discard: 1, "overcall-kitty": 1, call: 1, road: 1, ready: 1 };
