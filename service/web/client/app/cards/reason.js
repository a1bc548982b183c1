/** Why an AI player decides so: a sentence, and behind a tap the numbers of it. */
import { html } from "../../vendor/preact-htm.js";
import { withSigns } from "./cards.js";

/** @param {{ reason: { text: string, figures?: string } | null | undefined }} props */
export const Reason = ({ reason }) =>
  reason?.figures
    ? html`
        <details class="figures">
          <summary>${withSigns(reason.text)}</summary>
          <span>${withSigns(reason.figures)}</span>
        </details>
      `
    : withSigns(reason?.text ?? "");
