/** Why an AI player decides so: a sentence, and behind a tap the numbers of it, and pictures of its words. */
import { html } from "../../vendor/preact-htm.js";
import { withSigns } from "../cards/cards.js";
import { Explained, TermsOf } from "./terms.js";

/** @param {{ reason: { text: string, figures?: string } | null | undefined }} props */
export const Reason = ({ reason }) =>
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
