/** Why something was refused, in the words of the service. */
import { html } from "../../vendor/preact-htm.js";
import { withSigns } from "../cards/cards.js";
import { t } from "../texts/texts.js";
import { Cards } from "../cards/card.js";
import { Icon } from "./icon.js";

/**
 * @typedef {object} RefusalProps
 * @property {import("../types").Problem | null | undefined | false} problem nothing: nothing was refused
 * @property {() => void} [onClose]
 */

/** @param {RefusalProps} props */
export function Refusal({ problem, onClose }) {
  if (!problem) return null;
  const example = Array.isArray(problem.example) && typeof problem.example[0] === "string" ? problem.example : null;
  const faults = (problem.errors ?? []).map((fault) => fault.detail);
  return html`
    <div class="refusal" role="alert">
      <div>
        <b>${problem.title}</b>
        <p>${withSigns(problem.detail)}</p>
        ${faults.map(
          (fault) => html`
            <p>${withSigns(fault)}</p>
          `,
        )}
        ${
          example &&
          html`
            <p class="example">
              ${t("refusal.example")}${" "}
              <${Cards} cards=${example} size="tiny" />
            </p>
          `
        }
      </div>
      ${
        onClose &&
        html`
          <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>
            <${Icon} name="close" />
          </button>
        `
      }
    </div>
  `;
}
