/** The house rules of a game: every option that the catalogue of the API has, phase by phase. */
import { html } from "../../vendor/preact-htm.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { OptionField } from "./option.js";

/** @typedef {Record<string, any>} Options */

/**
 * @param {{
 *   rules: import("../types").Ruleset,
 *   given: Options,
 *   options: Options,
 *   onChange: (options: Options) => void,
 * }} props `given`: the values in effect if nothing is chosen
 */
export const HouseRules = ({ rules, given, options, onChange }) => html`
  <h2>${t("options.chosen")}</h2>
  ${rules.phases.map((phase) => {
    const fields = rules.options.filter((option) => option.phase === phase.id && option.changeable);
    if (!fields.length) return null;
    const changed = fields.filter((option) => option.name in options).length;
    return html`
      <details key=${phase.id}>
        <summary>
          ${ofCatalogue(phase.title)}${" "}
          <span class="hint">${changed ? t("create.changed", { count: changed }) : ""}</span>
        </summary>
        <p class="hint">${ofCatalogue(phase.meaning)}</p>
        ${fields.map(
          (option) => html`
            <${OptionField}
              key=${option.name}
              option=${{ ...option, default: given[option.name] }}
              value=${options[option.name]}
              onChange=${(/** @type {unknown} */ next) => onChange({ ...options, [option.name]: next })}
            />
          `,
        )}
      </details>
    `;
  })}
`;
