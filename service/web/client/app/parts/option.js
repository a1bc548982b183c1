/** A control for an option of the catalogue, made from the JSON Schema of its values. */
import { html } from "../../vendor/preact-htm.js";
import { valueText } from "../game/setup.js";
import { ofCatalogue, t } from "../texts/texts.js";

/** @typedef {import("../types").Option} Option */

/**
 * @param {{ option: Option, value: any, onChange: (value: any) => void }} props `value` undefined: as the game has it
 */
export function OptionField({ option, value, onChange }) {
  const id = `option-${option.name}`;
  const schema = /** @type {any} */ (option.schema);
  return html`<div class=${`option${value === undefined ? "" : " changed"}`}>
    <label for=${id}>${ofCatalogue(option.title)}</label>
    <p class="hint" id=${`${id}-about`}>${ofCatalogue(option.meaning)}</p>
    ${control(option, schema, id, value === undefined ? option.default : value, onChange)}
  </div>`;
}

/** @param {Option} option @param {any} schema @param {string} id @param {any} value @param {(value: any) => void} onChange */
function control(option, schema, id, value, onChange) {
  const about = `${id}-about`;
  if (schema.type === "array" && schema.items?.enum) return chips(schema.items.enum, id, about, value, onChange);
  if (schema.type === "object" && schema.properties) return parts(schema.properties, value ?? {}, onChange);
  const number = schema.type === "integer" ? schema : schema.anyOf?.find((/** @type {any} */ each) => each.type === "integer");
  const fixed = option.values.map((each) => each.value);
  if (!number && !fixed.length) return html`<p id=${id}><code>${valueText(option, value)}</code></p>`;
  return html`<span class="control">
    ${fixed.length > 0 &&
    html`<select id=${id} aria-describedby=${about} value=${JSON.stringify(fixed.includes(value) ? value : "#")}
      onChange=${(/** @type {any} */ event) => onChange(event.target.value === '"#"' ? number.minimum : JSON.parse(event.target.value))}>
      ${fixed.map((each) => html`<option value=${JSON.stringify(each)}>${valueText(option, each)}</option>`)}
      ${number && html`<option value='"#"'>${t("option.number")}</option>`}
    </select>`}
    ${number &&
    (!fixed.length || !fixed.includes(value)) &&
    html`<input type="number" id=${fixed.length ? undefined : id} aria-label=${ofCatalogue(option.title)} min=${number.minimum} max=${number.maximum} step=${number.multipleOf ?? 1} value=${value ?? ""}
      onChange=${(/** @type {any} */ event) => onChange(event.target.value === "" ? option.default : Number(event.target.value))} />`}
  </span>`;
}

/** Any of some values. @param {string[]} all @param {string} id @param {string} about @param {string[]} value @param {(value: string[]) => void} onChange */
const chips = (all, id, about, value, onChange) =>
  html`<span class="choices" id=${id} role="group" aria-describedby=${about}>
    ${all.map((each) => {
      const on = value.includes(each);
      const next = on ? value.filter((other) => other !== each) : all.filter((other) => other === each || value.includes(other));
      return html`<button type="button" aria-pressed=${on ? "true" : "false"} onClick=${() => onChange(next)}>${each.replace("T", "10")}</button>`;
    })}
  </span>`;

/** An object of switches and numbers. @param {Record<string, any>} properties @param {Record<string, any>} value @param {(value: any) => void} onChange */
const parts = (properties, value, onChange) =>
  html`<span class="control">
    ${Object.entries(properties).map(([name, schema]) => {
      const set = (/** @type {unknown} */ part) => {
        const { [name]: _, ...others } = value;
        onChange(part ? { ...others, [name]: part } : others);
      };
      return schema.type === "boolean"
        ? html`<label class="check"><input type="checkbox" checked=${Boolean(value[name])} onChange=${(/** @type {any} */ event) => set(event.target.checked)} />${name.replaceAll("_", " ")}</label>`
        : html`<label>${name.replaceAll("_", " ")}<input type="number" min=${schema.minimum} max=${schema.maximum} step=${schema.multipleOf ?? 1} value=${value[name] ?? ""} onChange=${(/** @type {any} */ event) => set(Number(event.target.value))} /></label>`;
    })}
  </span>`;
