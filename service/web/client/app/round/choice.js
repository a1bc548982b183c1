/** The cards that a player has chosen, and which of them may be played. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { without } from "../cards/cards.js";
import { forced } from "../cards/follow.js";
import { inOrder } from "../cards/hand.js";
import { noteHand } from "../cards/motion.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { isDealOpen, maySpareItself } from "./panel.js";

/** @typedef {import("../live/session.js").Session} Session */
/** @typedef {import("../types").View} View */
/** @typedef {import("../cards/hand.js").Held} Held */

/** One's own hand, sorted. @param {View["my"]} my @returns {Held[]} */
export const useHeld = (my) => useMemo(() => (my ? inOrder(my.hand, my.sorted_by) : []), [my?.hand, my?.sorted_by]);

/**
 * Which cards are part of a legal play; requested when following a lead.
 * @typedef {object} Legal
 * @property {import("../types").PlayHints | undefined} hints of the open play
 * @property {string[][] | null} plays null: not known, or any card may be led
 * @property {boolean} complete whether `plays` are all there are
 * @property {Set<string>} dimmed cards of no legal play
 */

/**
 * @param {Session | undefined} session
 * @param {View} view
 * @param {boolean} asked
 * @param {Held[]} held
 * @returns {Legal}
 */
export function useLegalPlays(session, { decision }, asked, held) {
  const hints =
    asked && decision?.kind === "play"
      ? /** @type {import("../types").PlayHints | undefined} */ (decision.hints)
      : undefined;
  const follows = hints !== undefined && hints.cards !== null;
  const { value: legal } = useLoaded(
    async () =>
      follows && session ? { decision: decision?.id, ...(await session.get("/legal-plays?limit=500")) } : null,
    [follows ? decision?.id : ""],
  );
  const plays = legal && legal.decision === decision?.id ? /** @type {string[][]} */ (legal.plays) : null;
  const complete = Boolean(legal?.complete);
  const dimmed = useMemo(() => {
    if (!plays || !complete) return new Set(/** @type {string[]} */ ([]));
    const fit = new Set(plays.flat());
    return new Set(held.map(({ card }) => card).filter((card) => !fit.has(card)));
  }, [plays, held]);
  return { hints, plays, complete, dimmed };
}

/**
 * Keys of cards of the hand with these names; of identical ones, the first.
 * @param {Held[]} held
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
function keysOf(held, names) {
  const left = [...names];
  return new Set(
    held.filter(({ card }) => left.includes(card) && left.splice(left.indexOf(card), 1)).map(({ key }) => key),
  );
}

/**
 * Cards chosen while others play stay chosen, until cards leave the hand or new ones are dealt. All of this happens
 * before the player sees the new cards; otherwise it could undo a quick choice among them.
 * @param {View} view
 * @param {Held[]} held
 * @param {Legal} legal
 * @param {number} missed a new number clears the choice
 */
function useChosen({ my, round }, held, { hints, plays, complete, dimmed }, missed) {
  const [chosen, setChosen] = useState(/** @type {Set<string>} */ (new Set()));
  const cards = held.filter(({ key }) => chosen.has(key)).map(({ card }) => card);
  const before = useRef(0);
  useLayoutEffect(() => {
    if (held.length < before.current) setChosen(new Set());
    before.current = held.length;
  }, [held.length, round?.number]);
  useLayoutEffect(() => setChosen(new Set()), [missed]);
  // The cards of every legal play are chosen already, together with those chosen by the player that fit.
  useLayoutEffect(() => {
    if (!plays || !hints || !my) return;
    const must = forced(plays, complete, hints, my);
    if (!must.length) return;
    const more = without(cards, must).filter((card) => !dimmed.has(card));
    setChosen(keysOf(held, [...must, ...more.slice(0, (hints.cards ?? 0) - must.length)]));
  }, [plays]);
  return { chosen, cards, setChosen };
}

/**
 * What the player has chosen, and what a tap and a double tap do.
 * @param {{ session: Session | undefined, view: View, asked: boolean, held: Held[], legal: Legal, missed: number }} at
 */
export function useChoice({ session, view, asked, held, legal, missed }) {
  const { decision } = view;
  const { hints, plays, complete, dimmed } = legal;
  const { chosen, cards, setChosen } = useChosen(view, held, legal, missed);
  // The grey card that was tapped, whose reason is shown; it can still be tried. Empty: none.
  const [why, setWhy] = useState("");
  useEffect(() => setWhy(""), [decision?.id]);
  /** Choose cards, and dismiss the refusal, which was about the previous choice. @param {Set<string>} next */
  function pick(next) {
    setChosen(next);
    if (session?.state.refusal) session.change({ refusal: null });
  }
  function tap(/** @type {Set<string>} */ next) {
    const card = held.find(({ key }) => next.has(key) && !chosen.has(key))?.card;
    setWhy(card && dimmed.has(card) ? card : "");
    pick(next);
  }
  function choose(/** @type {readonly string[]} */ names) {
    setWhy(""); // a hint is shown in the same place
    pick(keysOf(held, names));
  }
  function send(/** @type {string[]} */ names) {
    if (!asked) return;
    noteHand(document);
    session?.act(decision?.kind === "discard" ? "discard" : "play", { cards: names });
  }
  /**
   * Enter, or a double tap on a card: play the chosen cards, or what the card alone determines. Nothing that the player
   * has not seen chosen is played; the card is chosen instead.
   * @param {string} [key]
   */
  function play(key) {
    if (!asked || decision?.kind !== "play") return;
    if (!key || chosen.has(key)) return void (cards.length && send(cards));
    const card = held.find((each) => each.key === key)?.card ?? "";
    const fit = onlyPlay(card, cards, hints?.cards ?? null, complete ? (plays ?? []) : []);
    if (!fit) return pick(new Set([...chosen, key]));
    choose(fit);
    send(fit);
  }
  return { chosen, cards, why, tap, choose, send, play };
}

/**
 * What a card alone determines to be played; null: nothing.
 * @param {string} card
 * @param {string[]} cards chosen before
 * @param {number | null} wanted how many cards must be played; null: any number
 * @param {string[][]} plays all legal plays, if known
 */
function onlyPlay(card, cards, wanted, plays) {
  if (wanted === 1 || (wanted === null && !cards.length)) return [card];
  const fits = cards.length ? [] : plays.filter((each) => each.includes(card));
  return fits.length === 1 ? fits[0] : null;
}

/**
 * The keys of the cards in the hand that came from the kitty, until cards are buried.
 * @param {Session | undefined} session
 * @param {Held[]} held
 * @param {boolean} buries whether the viewer buries now
 * @returns {Set<string>}
 */
export function useFresh(session, held, buries) {
  const taken = buries ? session?.state.taken : undefined;
  useEffect(() => void (buries && !taken?.length && session?.recall()), [buries]);
  return useMemo(() => {
    const left = [...(taken ?? [])];
    // Of identical copies, the last ones are marked.
    return new Set(
      [...held]
        .reverse()
        .flatMap(({ card, key }) => (left.includes(card) && left.splice(left.indexOf(card), 1) ? [key] : [])),
    );
  }, [taken, held]);
}

/** Delay before the page does what leaves no choice, ms: as long as a person takes. */
const MOMENT = 1200;

/**
 * Do what leaves no choice: pass if no set may be shown, and play the last cards, or the only legal play. The player
 * can turn this off; a lesson leaves every play but the last to the learner.
 * @param {Session | undefined} session
 * @param {View} view
 * @param {boolean} asked
 * @param {string[] | null} only the only legal play, if known
 */
export function useNoChoice(session, view, asked, only) {
  const { decision } = view;
  const { obvious = true } = useAccount();
  const hints = /** @type {{ cards?: number | null } | null | undefined} */ (decision?.hints);
  const hand = view.my?.hand ?? [];
  const isLast = decision?.kind === "play" && !!hints && isWhole(hand.length, hints.cards);
  const cards = isLast ? hand : session?.teaches ? null : only;
  const passes = isSpared(view);
  const will = obvious && asked && (cards !== null || passes);
  useEffect(() => {
    if (!will || !session) return;
    const timer = setTimeout(
      () => session.act(cards ? "play" : "pass", cards ? { cards } : {}),
      MOMENT + Math.random() * MOMENT,
    );
    return () => clearTimeout(timer);
  }, [will, decision?.id]);
}

/** Whether a play must take the whole hand. @param {number} held @param {number | null | undefined} wanted */
const isWhole = (held, wanted) => held > 0 && (wanted === held || (wanted === null && held === 1));

/**
 * Whether the open decision can only be answered by passing.
 * @param {View} view
 */
const isSpared = (view) => view.decision !== null && !isDealOpen(view) && maySpareItself(view);
