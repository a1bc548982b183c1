/** Fields of the forms in which rules are chosen: the preset, and what is allowed. */
import { html } from "../../vendor/preact-htm.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Check, Select, titled } from "../ui/fields.js";

/**
 * @typedef {object} PresetProps
 * @property {import("../types").Ruleset["presets"]} presets
 * @property {import("../types").Ruleset["presets"][number] | undefined} chosen
 * @property {(id: string) => void} onChange
 */

/** Which rules of the house. @param {PresetProps} props */
export const Preset = ({ presets, chosen, onChange }) => html`
  <label>
    ${t("create.preset")}
    <${Select} value=${chosen?.id ?? ""} options=${titled(presets)} onChange=${onChange} />
  </label>
  ${
    chosen &&
    html`
      <p class="hint">${ofCatalogue(chosen.meaning)}</p>
    `
  }
`;

/**
 * What may be allowed at a table, and whether it is.
 * @typedef {Partial<Record<
 *   "public" | "spectators" | "open" | "chat" | "take_back" | "random_seats" | "pauses" | "claims" | "voice",
 *   boolean
 * >>} Flags
 */

/** @param {{ flags: Flags, onChange: (flags: any) => void }} props */
export const Allowed = ({ flags, onChange }) => html`
  <div class="flags">
    ${
      /** @type {(keyof Flags)[]} */ (Object.keys(flags)).map(
        (flag) => html`
          <${Check}
            text=${t(`create.${flag}`)}
            checked=${flags[flag]}
            onChange=${(/** @type {boolean} */ on) => onChange({ ...flags, [flag]: on })}
          />
        `,
      )
    }
  </div>
`;
