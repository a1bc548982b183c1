/** Why an AI player decides so: a sentence, and behind a tap the numbers of it, and pictures of its words. */
import { html } from "../../vendor/preact-htm.js";
import { withSigns } from "../cards/cards.js";
import { Explained, TermsOf } from "./terms.js";

/**
 * @typedef {{ seat: number, text: string }} Friend who is probably a friend, and why
 * @typedef {{ text: string, figures?: string, friends?: readonly Friend[] }} Why
 */

/** @param {{ reason: Why | null | undefined, nameOf: (seat: number) => string }} props `nameOf` names a seat */
export const Reason = ({ reason, nameOf }) => html`
  <${Sentence} reason=${reason} />
  ${reason?.friends?.map(
    ({ seat, text }) =>
      text &&
      html`
        <div key=${seat}>
          <b>${nameOf(seat)}</b>
          ${" "}${text}
        </div>
      `,
  )}
`;

/** @param {{ reason: Why | null | undefined }} props */
const Sentence = ({ reason }) =>
  reason?.figures
    ? html`
        <details class="figures">
          <summary>${withSigns(reason.text)}</summary>
          <span>${withSigns(reason.figures)}</span>
          ${" "}
          <${TermsOf} text=${reason.text} />
        </details>
      `
    : html`
        <${Explained} text=${withSigns(reason?.text ?? "")} />
      `;
