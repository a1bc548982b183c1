/** A running round: the cloth, the controls, and one's own hand. */
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Hand } from "../cards/hand.js";
import { useGathering } from "../cards/motion.js";
import { OpenHands } from "../cards/open.js";
import { t } from "../texts/texts.js";
import { About } from "../ui/about.js";
import { useMedia } from "../ui/hooks.js";
import { Aloud } from "./aloud.js";
import { useChoice, useFresh, useHeld, useLegalPlays, useNoChoice } from "./choice.js";
import { Cloth, trickOf } from "./cloth.js";
import { whyNot } from "./explain.js";
import { orderedCards, useOrders } from "./orders.js";
import { asksMe, Panel } from "./panel.js";
import { Side, sidedAt } from "./side.js";
import { Strip, Waits } from "./strip.js";
import { TrickDialog } from "./trick.js";
import { sizeOf, useWidth } from "./width.js";

/** Kinds of decision that are answered with cards of the hand. */
const WITH_CARDS = new Set(["play", "discard"]);

/**
 * @typedef {object} GameProps
 * @property {import("../live/session.js").Session} [session] none in a replay, where nothing can be done
 * @property {import("../types").View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {import("../live/session.js").FailedThrow | null} [failed] the last failed throw of this trick
 * @property {number} [seat] the seat drawn at the bottom, if not one's own
 * @property {number} [missed] a new number clears the choice
 * @property {boolean} [aside] whether wide screens show more beside the table
 */

/** @param {GameProps} props */
export function Game({ session, view, rules, failed, seat = 0, missed = 0, aside = true }) {
  const { decision, my } = view;
  const round = /** @type {import("../types").Round} */ (view.round);
  useLettingGo(decision?.id);
  const held = useHeld(my);
  const asked = asksMe(view) && session !== undefined;
  const sided = useMedia(sidedAt(view.players)) && session !== undefined && aside;
  const [place, width] = useWidth(sided);
  const [looksBack, setLooksBack] = useState(false);
  const legal = useLegalPlays(session, view, asked, held);
  const choice = useChoice({ session, view, asked, held, legal, missed });
  useNoChoice(session, view, asked, onlyOf(legal));
  useGathering(place, trickOf(round));
  const orders = useOrders(view);
  const shared = { session, view, rules, asked, choice };
  return html`
    <${Cloth}
      session=${session}
      view=${view}
      bottom=${my?.seat ?? seat}
      place=${place}
      onLookBack=${() => setLooksBack(true)}
    />
    ${
      session || failed
        ? html`
            <${Strip} session=${session} view=${view} failed=${failed} asked=${asked} orders=${orders} />
          `
        : null
    }
    <${Controls} ...${shared} failed=${failed} hints=${legal.hints} sided=${sided} />
    ${
      my &&
      html`
        <${OwnHand} ...${shared} held=${held} dimmed=${legal.dimmed} ordered=${orderedCards(orders)} width=${width} />
      `
    }
    <${Besides} session=${session} view=${view} rules=${rules} sided=${sided} />
    ${
      looksBack &&
      html`
        <${LookedBack} view=${view} onClose=${() => setLooksBack(false)} />
      `
    }
  `;
}

/**
 * @typedef {object} BesidesProps
 * @property {import("../live/session.js").Session | undefined} session
 * @property {import("../types").View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {boolean} sided
 */

/**
 * Explanations, what is read out, open hands, and what wide screens show beside the table.
 * @param {BesidesProps} props
 */
const Besides = ({ session, view, rules, sided }) => html`
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
`;

/** The only legal play; null: there are others, or they are not known. @param {import("./choice.js").Legal} legal */
const onlyOf = ({ complete, plays }) => (complete && plays?.length === 1 ? plays[0] : null);

/** The trick before, while there is one. @param {{ view: import("../types").View, onClose: () => void }} props */
function LookedBack({ view, onClose }) {
  const trick = view.round?.last_trick;
  return trick
    ? html`
        <${TrickDialog} view=${view} trick=${trick} onClose=${onClose} />
      `
    : null;
}

/**
 * @typedef {object} OwnHandProps
 * @property {import("../live/session.js").Session | undefined} session
 * @property {import("../types").View} view
 * @property {boolean} asked
 * @property {ReturnType<typeof useChoice>} choice
 * @property {import("../cards/hand.js").Held[]} held
 * @property {Set<string>} dimmed
 * @property {Set<string>} ordered
 * @property {number} width
 */

/** One's own hand: chosen cards, those that cannot be played, those from the kitty. @param {OwnHandProps} props */
function OwnHand({ session, view, asked, choice, held, dimmed, ordered, width }) {
  const kind = asked ? (view.decision?.kind ?? "") : "";
  const fresh = useFresh(session, held, kind === "discard");
  return html`
    <${Hand}
      held=${held}
      chosen=${choice.chosen}
      dimmed=${WITH_CARDS.has(kind) ? dimmed : new Set()}
      fresh=${fresh}
      ordered=${ordered}
      width=${width}
      size=${sizeOf(view)}
      label=${t("hand.label", { count: held.length })}
      onChoose=${choice.tap}
      onPlay=${choice.play}
    />
  `;
}

/**
 * @typedef {object} ControlsProps
 * @property {import("../live/session.js").Session | undefined} session
 * @property {import("../types").View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {import("../live/session.js").FailedThrow | null | undefined} failed
 * @property {boolean} asked
 * @property {ReturnType<typeof useChoice>} choice
 * @property {import("../types").PlayHints | undefined} hints
 * @property {boolean} sided whether the last trick is shown beside the table
 */

/** The panel of one's own decision; while others decide, what there is to look at. @param {ControlsProps} props */
function Controls({ session, view, rules, failed, asked, choice, hints, sided }) {
  const { decision } = view;
  if (asked && decision)
    return html`
      <${Panel}
        key=${decision.id}
        session=${session}
        view=${view}
        decision=${decision}
        rules=${rules}
        chosen=${choice.cards}
        choose=${choice.choose}
        submit=${() => choice.send(choice.cards)}
        why=${choice.why && hints ? whyNot(choice.why, hints, view) : ""}
      />
    `;
  return session && view.status !== "finished"
    ? html`
        <${Waits} view=${view} failed=${failed} sided=${sided} />
      `
    : null;
}

/**
 * Take the focus off the panel of a decision that is over before the panel is removed: when a focused element is
 * removed, browsers first lay out the whole half-rendered page. Then, or if the focused card was played, the hand has
 * the focus.
 * @param {string | undefined} decision its id
 */
function useLettingGo(decision) {
  const shown = useRef(decision);
  const isHere = useRef(false);
  if (shown.current !== decision) {
    shown.current = decision;
    const { activeElement: focused } = document;
    isHere.current = Boolean(focused?.closest(".panel, .hand"));
    if (focused instanceof HTMLElement && focused.closest(".panel")) focused.blur();
  }
  useLayoutEffect(() => {
    if (!isHere.current || document.activeElement !== document.body) return;
    const card = document.querySelector(".hand .card:not(.dimmed)") ?? document.querySelector(".hand .card");
    if (card instanceof HTMLElement) card.focus({ preventScroll: true });
  }, [decision]);
}
