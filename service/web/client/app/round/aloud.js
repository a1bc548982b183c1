/** What others declare and play, and who wins the tricks, for screen readers, which read out each added line. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { listed, named, spoken, t, wonText } from "../texts/texts.js";
import { nameIn } from "../people/aiplayer.js";

/** How many lines stay, for reading them again. */
const MOST_LINES = 8;

/**
 * What a viewer is told about an event; empty: nothing.
 * @param {import("../types").Event} event
 * @param {import("../types").View} view after it
 */
function lineOf({ type, data }, view) {
  const {
    seat,
    cards = [],
    points = null,
  } = /** @type {{ seat?: number, cards?: string[], points?: number | null }} */ (data);
  if (seat === undefined || (seat === view.my?.seat && type !== "trick_won")) return "";
  const who = nameIn(view)(seat);
  if (type === "trick_won") return wonText({ points: view.seats[seat].points === null ? null : points }, who);
  const told = { who, cards: listed(cards.map(spoken)) };
  if (type === "declared") return t("aloud.declared", { ...told, how: named("declared", data.as) });
  return type === "played" ? t("aloud.played", told) : "";
}

/** @param {{ session: import("../live/session.js").Session }} props */
export function Aloud({ session }) {
  const [lines, setLines] = useState(/** @type {{ seq: number, line: string }[]} */ ([]));
  useEffect(
    () =>
      session.subscribe((event) => {
        const line = event && session.state.view ? lineOf(event, session.state.view) : "";
        if (event && line) setLines((before) => [...before, { seq: event.seq, line }].slice(-MOST_LINES));
      }),
    [session],
  );
  return html`
    <div class="visually-hidden" role="log" aria-label=${t("aloud")}>
      ${lines.map(
        ({ seq, line }) => html`
          <p key=${seq}>${line}</p>
        `,
      )}
    </div>
  `;
}
