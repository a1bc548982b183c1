/** A button for what cannot be undone at once: it asks before it acts. */
import { html, useState } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { useAttempt } from "./hooks.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {object} SureProps
 * @property {string} label of the button
 * @property {string} question what follows
 * @property {string} yes the button that acts
 * @property {boolean} [mild] whether nobody loses anything
 * @property {() => Promise<unknown>} act
 */

/** @param {SureProps} props */
export function Sure({ label, question, yes, mild = false, act }) {
  const [asks, setAsks] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const confirm = () =>
    attempt(async () => {
      await act();
      setAsks(false);
    });
  if (!asks)
    return html`
      <button type="button" onClick=${() => setAsks(true)}>${label}</button>
    `;
  return html`
    <div class="question" role="group" aria-label=${label}>
      <p role="alert">${question}</p>
      <div class="buttons">
        <button type="button" class=${mild ? "main" : "danger"} disabled=${busy} onClick=${confirm}>${yes}</button>
        <button type="button" onClick=${() => setAsks(false)}>${t("cancel")}</button>
      </div>
      <${Refusal} problem=${problem} />
    </div>
  `;
}
