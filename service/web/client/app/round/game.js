/** A running round: the seats around the cloth, the trick, one's own hand, and the controls. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { leadName, passText, waitingFor, whyNot } from "./explain.js";
import { asksMe, isDealOpen, maySpareItself, Panel } from "./panel.js";
import { pointsOf, without } from "../cards/cards.js";
import { forced } from "../cards/follow.js";
import { places } from "../seats/places.js";
import { About } from "../ui/about.js";
import { Aloud } from "./aloud.js";
import { Cards } from "../cards/card.js";
import { Clock } from "../seats/clock.js";
import { TrickDialog } from "./trick.js";
import { Hand, inOrder } from "../cards/hand.js";
import { useAccount, useLoaded, useMedia } from "../ui/hooks.js";
import { OpenHands } from "../cards/open.js";
import { noteHand, useGathering } from "../cards/motion.js";
import { SeatPlace } from "../seats/seat.js";
import { Side, sidedAt } from "./side.js";
import { NEWS_MS, newsText } from "../live/news.js";
import { named, t, wonText } from "../texts/texts.js";

/** @typedef {import("../live/session.js").FailedThrow | null} Failed */

/** Kinds of decision that are answered with cards of the hand. */
const WITH_CARDS = new Set(["play", "discard"]);

/**
 * @param {{
 *   session?: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   rules: import("../games/rules.js").TableRules | undefined,
 *   failed?: Failed,
 *   seat?: number,
 *   missed?: number,
 *   aside?: boolean,
 * }} props `session`: none in a replay, where nothing can be done; `failed`: the last failed throw of this trick;
 * `seat`: the seat drawn at the bottom, if not one's own; `missed`: a new number clears the choice; `aside`: whether
 * wide screens show more beside the table
 */
export function Game({ session, view, rules, failed, seat = 0, missed = 0, aside = true }) {
  const { decision, my } = view;
  const round = /** @type {import("../types").Round} */ (view.round);
  useLettingGo(decision?.id);
  const held = useMemo(() => (my ? inOrder(my.hand, my.sorted_by) : []), [my?.hand, my?.sorted_by]);
  const asked = session !== undefined && decision !== null && asksMe(view);
  const [chosen, setChosen] = useState(/** @type {Set<string>} */ (new Set()));
  const cards = held.filter(({ key }) => chosen.has(key)).map(({ card }) => card);
  const wide = useMedia("(min-aspect-ratio: 1/1)");
  const sided = useMedia(sidedAt(view.players)) && session !== undefined && aside;
  const [place, width] = useWidth(sided);
  const [looksBack, setLooksBack] = useState(false);
  const fresh = useFresh(session, held, decision?.kind === "discard" && asked);

  // Which cards are part of a legal play; requested when following a lead.
  const hints =
    asked && decision.kind === "play"
      ? /** @type {import("../types").PlayHints | undefined} */ (decision.hints)
      : undefined;
  const follows = hints !== undefined && hints.cards !== null;
  const { value: legal } = useLoaded(
    async () => (follows && asked ? { decision: decision.id, ...(await session.get("/legal-plays?limit=500")) } : null),
    [follows ? decision?.id : ""],
  );
  const plays = legal && legal.decision === decision?.id ? /** @type {string[][]} */ (legal.plays) : null;
  const dimmed = useMemo(() => {
    if (!plays || !legal.complete) return new Set(/** @type {string[]} */ ([]));
    const fit = new Set(plays.flat());
    return new Set(held.map(({ card }) => card).filter((card) => !fit.has(card)));
  }, [plays, held]);

  // The grey card that was tapped, whose reason is shown; it can still be tried. Empty: none.
  const [why, setWhy] = useState("");
  useEffect(() => setWhy(""), [decision?.id]);
  function tap(/** @type {Set<string>} */ next) {
    const card = held.find(({ key }) => next.has(key) && !chosen.has(key))?.card;
    setWhy(card && dimmed.has(card) ? card : "");
    pick(next);
  }
  /** Choose cards, and dismiss the refusal, which was about the previous choice. @param {Set<string>} next */
  function pick(next) {
    setChosen(next);
    if (session?.state.refusal) session.change({ refusal: null });
  }

  // Cards chosen while others play stay chosen, until cards leave the hand or new ones are dealt. All of this happens
  // before the player sees the new cards; otherwise it could undo a quick choice among them.
  const before = useRef(0);
  useLayoutEffect(() => {
    if (held.length < before.current) setChosen(new Set());
    before.current = held.length;
  }, [held.length, round.number]);
  useLayoutEffect(() => setChosen(new Set()), [missed]);
  // The cards of every legal play are chosen already, together with those chosen by the player that fit.
  useLayoutEffect(() => {
    if (!plays || !hints || !my) return;
    const must = forced(plays, legal.complete, hints, my);
    if (!must.length) return;
    const more = without(cards, must).filter((card) => !dimmed.has(card));
    setChosen(keysOf([...must, ...more.slice(0, (hints.cards ?? 0) - must.length)]));
  }, [plays]);

  useNoChoice(session, view, asked, rules, legal?.complete && plays?.length === 1 ? plays[0] : null);

  /** @param {readonly string[]} names @returns {Set<string>} */
  function keysOf(names) {
    const left = [...names];
    return new Set(
      held.filter(({ card }) => left.includes(card) && left.splice(left.indexOf(card), 1)).map(({ key }) => key),
    );
  }
  const choose = (/** @type {readonly string[]} */ names) => pick(keysOf(names));
  function send(/** @type {string[]} */ names) {
    if (!asked) return;
    noteHand(document);
    session.act(decision.kind === "discard" ? "discard" : "play", { cards: names });
  }
  /**
   * Enter, or a double tap on a card: play the chosen cards, or what the card alone determines. Nothing that the player
   * has not seen chosen is played; the card is chosen instead.
   * @param {string} [key]
   */
  function play(key) {
    if (!asked || decision.kind !== "play") return;
    if (!key || chosen.has(key)) return void (cards.length && send(cards));
    const card = held.find((each) => each.key === key)?.card ?? "";
    const wanted = hints?.cards ?? null;
    const alone = wanted === 1 || (wanted === null && !cards.length);
    const fits = legal?.complete && !cards.length ? (plays ?? []).filter((each) => each.includes(card)) : [];
    const fit = alone ? [card] : fits.length === 1 ? fits[0] : null;
    if (!fit) return pick(new Set([...chosen, key]));
    choose(fit);
    send(fit);
  }

  const trick = round.trick ?? round.last_trick;
  const size = sizeOf(view);
  useGathering(place, trick);
  const bottom = my?.seat ?? seat;
  const around = places(view.players, bottom, view.direction, wide);
  const playOf = (/** @type {number} */ seat) => trick?.plays.find((each) => each.seat === seat);
  const seatProps = (/** @type {number} */ seat) => ({
    view,
    seat,
    turn: session !== undefined && decision !== null && decision.kind !== "declare" && decision.seats.includes(seat),
    play: playOf(seat),
    winning: trick !== null && (trick.winner ?? trick.winning) === seat && playOf(seat) !== undefined,
    now: () => session?.now() ?? 0,
    bubble: bubbleOf(view, seat),
    said: session?.state.said[seat],
    led: trick !== null && trick.plays.length > 1 && trick.leader === seat,
  });
  const crowd = view.players > 12 ? "crowded packed" : view.players > 8 ? "crowded" : view.players > 4 ? "some" : "few";
  const last = round.last_trick;
  return html`
    <div class=${`cloth ${crowd}${round.trick ? "" : " over"}${trick ? "" : " unplayed"}`} ref=${place}>
      ${
        last &&
        html`
          <button
            type="button"
            class="look-back"
            aria-label=${t("trick.last")}
            onClick=${() => setLooksBack(true)}
          ></button>
        `
      }
      ${around.map(
        ({ seat, edge, at, of }) => html`
          <${SeatPlace}
            key=${seat}
            ...${seatProps(seat)}
            place=${edge}
            style=${{ "--at": (at + 0.5) / of, "--of": of }}
          />
        `,
      )}
      <div class="middle">
        <${LeadText} trick=${trick} view=${view} />
        ${
          !trick &&
          round.kitty?.shown &&
          html`
            <div class="standing">
              <p>${t("kitty.shown")}</p>
              <${Cards} cards=${round.kitty.shown} size="tiny" />
            </div>
          `
        }
        ${
          !trick &&
          round.declarations &&
          round.declarations.length > 0 &&
          html`
            <${Standing} view=${view} />
          `
        }
      </div>
      <${SeatPlace} ...${seatProps(bottom)} place="bottom" style=${{}} />
    </div>
    ${
      session || failed
        ? html`
            <${Strip} session=${session} view=${view} failed=${asked || !session ? failed : null} asked=${asked} />
          `
        : null
    }
    ${
      asked
        ? html`
            <${Panel}
              key=${decision.id}
              session=${session}
              view=${view}
              decision=${decision}
              rules=${rules}
              chosen=${cards}
              choose=${choose}
              submit=${() => send(cards)}
              why=${why && hints ? whyNot(why, hints, view) : ""}
            />
          `
        : session &&
          view.status !== "finished" &&
          html`
            <${Waits} view=${view} failed=${failed} />
          `
    }
    ${
      my &&
      html`
        <${Hand}
          held=${held}
          chosen=${chosen}
          dimmed=${asked && WITH_CARDS.has(decision.kind) ? dimmed : new Set()}
          fresh=${fresh}
          width=${width}
          size=${size}
          label=${t("hand.label", { count: held.length })}
          onChoose=${tap}
          onPlay=${play}
        />
      `
    }
    <${About} />
    ${
      session &&
      html`
        <${Aloud} session=${session} />
      `
    }
    ${
      view.hands &&
      html`
        <${OpenHands} view=${view} rules=${rules} />
      `
    }
    ${
      sided &&
      html`
        <${Side} session=${session} view=${view} rules=${rules} />
      `
    }
    ${
      looksBack &&
      last &&
      html`
        <${TrickDialog} view=${view} trick=${last} onClose=${() => setLooksBack(false)} />
      `
    }
  `;
}

/**
 * Take the focus off the panel of a decision that is over before the panel is removed: when a focused element is
 * removed, browsers first lay out the whole half-rendered page.
 * @param {string | undefined} decision its id
 */
function useLettingGo(decision) {
  const shown = useRef(decision);
  if (shown.current === decision) return;
  shown.current = decision;
  const { activeElement: focused } = document;
  if (focused instanceof HTMLElement && focused.closest(".panel")) focused.blur();
}

/**
 * The keys of the cards in the hand that came from the kitty, until cards are buried.
 * @param {import("../live/session.js").Session | undefined} session
 * @param {import("../cards/hand.js").Held[]} held
 * @param {boolean} buries whether the viewer buries now
 * @returns {Set<string>}
 */
function useFresh(session, held, buries) {
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

/**
 * What the table waits for, with the remaining time; or the outcome of a throw in this trick.
 * @param {{
 *   session: import("../live/session.js").Session | undefined,
 *   view: import("../types").View,
 *   failed: Failed | undefined,
 *   asked: boolean,
 * }} props
 */
function Strip({ session, view, failed, asked }) {
  const news = useNews(session?.state.news ?? null);
  const status = !session
    ? ""
    : news
      ? news
      : view.phase === "scored"
        ? t("status.scored")
        : asked && !isDealOpen(view)
          ? t("status.you")
          : waitingFor(view);
  return html`
    <div class=${`strip${news ? " news" : ""}`}>
      <p class="status" role="status" aria-live="polite">${status}</p>
      ${
        failed &&
        html`
          <${FailedText} failed=${failed} view=${view} />
        `
      }
      ${
        session &&
        asked &&
        view.decision &&
        html`
          <${Clock} decision=${view.decision} now=${() => session.now()} seconds />
        `
      }
    </div>
  `;
}

/** What has just happened, for as long as it is shown. @param {import("../live/news.js").News | null} news */
function useNews(news) {
  const [over, setOver] = useState(/** @type {import("../live/news.js").News | null} */ (news));
  useEffect(() => {
    if (!news || news === over) return;
    const timer = setTimeout(() => setOver(news), NEWS_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return news && news !== over ? newsText(news) : "";
}

/** Delay before the page does what leaves no choice, ms: as long as a person takes. */
const MOMENT = 1200;

/**
 * Do what leaves no choice: pass if no set may be shown, and play the last cards, or the only legal play. The player
 * can turn this off; a lesson leaves every play but the last to the learner.
 * @param {import("../live/session.js").Session | undefined} session
 * @param {import("../types").View} view
 * @param {boolean} asked
 * @param {import("../games/rules.js").TableRules | undefined} rules
 * @param {string[] | null} only the only legal play, if known
 */
function useNoChoice(session, view, asked, rules, only) {
  const { decision } = view;
  const { obvious = true } = useAccount();
  const hints = /** @type {{ cards?: number | null } | undefined} */ (decision?.hints);
  const hand = view.my?.hand ?? [];
  const isLast =
    decision?.kind === "play" &&
    hints !== undefined &&
    hand.length > 0 &&
    (hints.cards === hand.length || (hints.cards === null && hand.length === 1));
  const cards = isLast ? hand : session?.teaches ? null : only;
  const passes = decision !== null && !isDealOpen(view) && maySpareItself(view, rules);
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

/** @param {{ failed: import("../live/session.js").FailedThrow, view: import("../types").View }} props */
const FailedText = ({ failed, view }) => html`
  <div class="lead failed">
    <p>${t("throw.failed", { who: view.seats[failed.seat].occupant?.name ?? "" })}</p>
    <${Cards} cards=${failed.cards} size="tiny" />
    ${
      failed.ends_round
        ? html`
            <p>${t("score.stopped")}</p>
          `
        : html`
            <p>${t("throw.forced")}</p>
            <${Cards} cards=${failed.forced} size="tiny" />
          `
    }
    ${
      failed.penalty > 0 &&
      html`
        <p>${t("throw.penalty", { count: failed.penalty })}</p>
      `
    }
    ${
      failed.levels !== undefined &&
      html`
        <p>${t("throw.levels", { count: failed.levels })}</p>
      `
    }
  </div>
`;

/**
 * While others decide: the outcome of a throw, the previous trick, or the cards that the viewer has buried.
 * @param {{ view: import("../types").View, failed: Failed | undefined }} props
 */
function Waits({ view, failed }) {
  const { last_trick: last } = /** @type {import("../types").Round} */ (view.round);
  const discard = view.my?.discard;
  const late = view.settings.spectators === "open" ? 0 : Math.round(view.settings.spectator_delay_ms / 1000);
  const name = (/** @type {number} */ seat) => view.seats[seat].occupant?.name ?? "";
  if (failed)
    return html`
      <div class="waits"><${FailedText} failed=${failed} view=${view} /></div>
    `;
  if (last)
    return html`
      <div class="waits">
        <p class="heading">
          <span>${!view.my && late > 0 ? t("watch.late", { count: late }) : t("trick.last")}</span>
          <span>${wonText(last, name(/** @type {number} */ (last.winner)))}</span>
        </p>
        <ol class="trick" key=${last.number}>
          ${last.plays.map(
            (play) => html`
              <li class=${play.seat === last.winner ? "won" : ""}>
                <span>${name(play.seat)}</span>
                <${Cards} cards=${play.cards} size="tiny" />
              </li>
            `,
          )}
        </ol>
      </div>
    `;
  if (discard)
    return html`
      <div class="waits">
        <p class="heading"><span>${t("kitty.mine")}</span></p>
        <${Cards} cards=${discard} size="tiny" />
      </div>
    `;
  return html`
    <div class="waits">
      ${
        !view.my &&
        late > 0 &&
        html`
          <p>${t("watch.late", { count: late })}</p>
        `
      }
    </div>
  `;
}

/**
 * How the lead is read, and the points in the trick; or who has won it.
 * @param {{ view: import("../types").View, trick: import("../types").Trick | null }} props
 */
function LeadText({ view, trick }) {
  const lead = trick?.plays[0];
  if (!trick || !lead) return null;
  if (trick.winner !== undefined)
    return html`
      <p class="lead won">${wonText(trick, view.seats[/** @type {number} */ (trick.winner)].occupant?.name ?? "")}</p>
    `;
  const unit = lead.units && lead.cards.length > 1 ? leadName(lead.units) : "";
  const points =
    view.seats[0].points === null
      ? 0
      : trick.plays.flatMap(({ cards }) => cards).reduce((sum, card) => sum + pointsOf(card), 0);
  const text = [unit, points && t("seat.points", { count: points })].filter(Boolean).join(" · ");
  return (
    text &&
    html`
      <p class="lead">${text}</p>
    `
  );
}

/** The standing declaration. @param {{ view: import("../types").View }} props */
function Standing({ view }) {
  const last = view.round?.declarations?.at(-1);
  if (!last) return null;
  return html`
    <div class="standing">
      <p>${t("declaration.stands", { who: view.seats[last.seat].occupant?.name ?? "" })}</p>
      <${Cards} cards=${last.cards} />
    </div>
  `;
}

/** What a seat has said in this phase. @param {import("../types").View} view @param {number} seat */
function bubbleOf(view, seat) {
  const round = view.round;
  if (!round || (view.phase !== "declaring" && view.phase !== "dealing" && view.phase !== "roads")) return "";
  const last = round.declarations?.at(-1);
  if (last?.seat === seat) return named("declared", last.as);
  if (round.roads?.stated.includes(seat) && !round.roads.set[seat]) return t("road.stated");
  return view.phase === "declaring" && round.passes?.includes(seat) ? passText("declare", view) : "";
}

/** The largest width of a hand, px: on a television it grows with the screen. */
const widest = () => Math.max(1184, Math.min(0.48 * innerWidth, 0.85 * innerHeight));

/**
 * The largest hand of a round: what each seat is dealt, and the kitty, which may be in a hand at the moment.
 * @param {import("../types").View} view
 * @returns {import("../cards/hand.js").Size}
 */
function sizeOf({ round, seats, players }) {
  const dealt = Math.ceil((round?.dealt.of ?? 0) / players);
  const most = Math.max(...seats.map((seat) => seat.hand_count));
  return { cards: dealt, kitty: Math.max(round?.kitty?.count ?? 0, most - dealt, 0) };
}

/**
 * A ref to an element, and the current width for a hand below it.
 * @param {boolean} sided whether there is a panel beside it
 * @returns {[import("../../vendor/preact-htm.js").Ref<HTMLElement | null>, number]}
 */
function useWidth(sided) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, set] = useState(() => Math.min(innerWidth, widest()));
  useEffect(() => {
    const table = place.current?.parentElement;
    if (!table) return;
    const cloth = /** @type {HTMLElement} */ (place.current);
    // What is beside the hand, too, and not just beside the cloth, as the controls on a phone on its side.
    const isBeside = (/** @type {DOMRect} */ at) =>
      at.left >= cloth.getBoundingClientRect().right - 1 && at.bottom >= table.getBoundingClientRect().bottom - 1;
    const observer = new ResizeObserver(() => {
      const beside = [...table.querySelectorAll(":scope > .side, :scope > .panel")]
        .map((part) => part.getBoundingClientRect())
        .find(isBeside);
      set(Math.min(table.clientWidth - (beside?.width ?? 0), widest()));
    });
    observer.observe(table);
    observer.observe(cloth);
    return () => observer.disconnect();
  }, [sided]);
  return [place, width];
}
