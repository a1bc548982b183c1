/** A finished trick: who has played what, and who won it. */
import { html } from "../../vendor/preact-htm.js";
import { Cards } from "../cards/card.js";
import { t, wonText } from "../texts/texts.js";
import { Dialog } from "../ui/dialog.js";

/** @param {{ view: import("../types").View, trick: import("../types").Trick }} props */
export function TrickList({ view, trick }) {
  const name = (/** @type {number | undefined} */ seat) =>
    seat === undefined ? "" : (view.seats[seat].occupant?.name ?? "");
  return html`
    <ul class="trick" aria-label=${t("trick.last")}>
      ${trick.plays.map(
        (play, at) => html`
          <li key=${play.seat} class=${play.seat === trick.winner ? "won" : ""}>
            <span>
              ${name(play.seat)}${
                at === 0 &&
                html`
                  ${" "}
                  <small>${t("trick.led")}</small>
                `
              }
            </span>
            <${Cards} cards=${play.cards} size="tiny" />
          </li>
        `,
      )}
    </ul>
    <p class="hint">${wonText(trick, name(trick.winner))}</p>
  `;
}

/** @param {{ view: import("../types").View, trick: import("../types").Trick, onClose: () => void }} props */
export const TrickDialog = ({ view, trick, onClose }) => html`
  <${Dialog} title=${t("trick.last")} onClose=${onClose} kind="last-trick">
    <${TrickList} view=${view} trick=${trick} />
  <//>
`;
