/** A control for an option of the catalogue, made from the JSON Schema of its values. */
import { html } from "../../vendor/preact-htm.js";
import { shownRank } from "../cards/cards.js";
import { valueText } from "./setup.js";
import { named, ofCatalogue, t } from "../texts/texts.js";
import { Select } from "../ui/fields.js";

/** @typedef {import("../types").Option} Option */

/**
 * @param {{ option: Option, value: any, onChange: (value: any) => void }} props `value` undefined: the game's default
 */
export function OptionField({ option, value, onChange }) {
  const id = `option-${option.name}`;
  const schema = /** @type {any} */ (option.schema);
  return html`
    <div data-option=${option.name} class=${`option${value === undefined ? "" : " changed"}`}>
      <label for=${id}>${ofCatalogue(option.title)}</label>
      <p class="hint" id=${`${id}-about`}>${ofCatalogue(option.meaning)}</p>
      ${control(option, schema, id, value === undefined ? option.default : value, onChange)}
    </div>
  `;
}

/**
 * @typedef {object} ControlProps
 * @property {Option} option
 * @property {string} id
 * @property {any} value
 * @property {(value: any) => void} onChange
 */

/**
 * @param {Option} option
 * @param {any} schema
 * @param {string} id
 * @param {any} value
 * @param {(value: any) => void} onChange
 */
function control(option, schema, id, value, onChange) {
  const about = `${id}-about`;
  if (schema.type === "array" && schema.items.enum) return chips(schema.items.enum, id, about, value, onChange);
  if (schema.type === "array") return list(schema.items, id, about, value, onChange);
  if (schema.type === "object" && schema.properties)
    return html`
      <span class="control" id=${id} role="group" aria-describedby=${about}>
        ${parts(schema.properties, value ?? {}, onChange)}
      </span>
    `;
  if (schema.type === "object") return pairs(schema, id, about, value ?? {}, onChange);
  return single({ option, id, value, onChange });
}

/** The schema of numbers that an option takes; undefined: it takes none. @param {any} schema */
const numberIn = (schema) =>
  schema.type === "integer" ? schema : schema.anyOf?.find((/** @type {any} */ each) => each.type === "integer");

/** One value: from a list, or a number. @param {ControlProps} props */
function single({ option, id, value, onChange }) {
  const number = numberIn(option.schema);
  const fixed = option.values.map((each) => each.value);
  if (!number && !fixed.length)
    return html`
      <p id=${id}><code>${valueText(option, value)}</code></p>
    `;
  const isFixed = fixed.includes(value);
  const text = isFixed ? valueText(option, value) : "";
  return html`
    <span class="control">
      ${fixed.length > 0 && known({ option, id, value, onChange })}
      ${number && !isFixed && typed({ option, id: fixed.length ? "" : id, value, onChange })}
    </span>
    ${
      isLong(text) &&
      html`
        <p class="hint">${text}</p>
      `
    }
  `;
}

/** In place of a value: any number. */
const NUMBER = '"#"';

/** The values that the catalogue lists. @param {ControlProps} props */
function known({ option, id, value, onChange }) {
  const number = numberIn(option.schema);
  const fixed = option.values.map((each) => each.value);
  /** @type {import("../ui/fields.js").Option[]} */
  const options = fixed.map((each) => [JSON.stringify(each), valueText(option, each)]);
  return html`
    <${Select}
      id=${id}
      aria-describedby=${`${id}-about`}
      value=${fixed.includes(value) ? JSON.stringify(value) : NUMBER}
      options=${number ? [...options, [NUMBER, t("option.number")]] : options}
      onChange=${(/** @type {string} */ chosen) => onChange(chosen === NUMBER ? number.minimum : JSON.parse(chosen))}
    />
  `;
}

/** A number that is typed in. @param {ControlProps} props `id`: "" if a list has it */
function typed({ option, id, value, onChange }) {
  const { minimum, maximum, multipleOf = 1 } = numberIn(option.schema);
  const change = (/** @type {string} */ text) => onChange(text === "" ? option.default : Number(text));
  return html`
    <input
      type="number"
      id=${id || undefined}
      aria-label=${ofCatalogue(option.title)}
      min=${minimum}
      max=${maximum}
      step=${multipleOf}
      value=${value ?? ""}
      onChange=${(/** @type {any} */ event) => change(event.target.value)}
    />
  `;
}

/** Whether a phone cuts off a text in a select; Chinese characters are twice as wide. @param {string} text */
const isLong = (text) => [...text].reduce((width, sign) => width + (sign > "⺀" ? 2 : 1), 0) > 32;

/**
 * Any subset of some values.
 * @param {string[]} all
 * @param {string} id
 * @param {string} about
 * @param {string[]} value
 * @param {(value: string[]) => void} onChange
 */
const chips = (all, id, about, value, onChange) => html`
  <span class="choices" id=${id} role="group" aria-describedby=${about}>
    ${all.map((each) => {
      const on = value.includes(each);
      const next = on
        ? value.filter((other) => other !== each)
        : all.filter((other) => other === each || value.includes(other));
      return html`
        <button type="button" aria-pressed=${on ? "true" : "false"} onClick=${() => onChange(next)}>
          ${shownRank(each)}
        </button>
      `;
    })}
  </span>
`;

/**
 * One of some ranks.
 * @param {string} label
 * @param {string[]} ranks
 * @param {string | undefined} value
 * @param {(rank: string | undefined) => void} onChange
 * @param {boolean} [optional]
 */
const rank = (label, ranks, value, onChange, optional = false) => html`
  <label>
    ${label}
    <${Select}
      value=${value ?? ""}
      options=${[...(optional ? [["", "–"]] : []), ...ranks.map((each) => [each, shownRank(each)])]}
      onChange=${(/** @type {string} */ chosen) => onChange(chosen || undefined)}
    />
  </label>
`;

/**
 * The fields of an object: switches, numbers and ranks.
 * @param {Record<string, any>} properties
 * @param {Record<string, any>} value
 * @param {(value: any) => void} onChange
 */
const parts = (properties, value, onChange) =>
  Object.entries(properties).map(([name, schema]) => {
    const label = named("part", name);
    const set = (/** @type {unknown} */ part) => {
      const { [name]: _, ...others } = value;
      onChange(part ? { ...others, [name]: part } : others);
    };
    if (schema.enum) return rank(label, schema.enum, value[name], set, true);
    return schema.type === "boolean"
      ? html`
          <label class="check">
            <input
              type="checkbox"
              checked=${Boolean(value[name])}
              onChange=${(/** @type {any} */ event) => set(event.target.checked)}
            />
            ${label}
          </label>
        `
      : html`
          <label>
            ${label}
            <input
              type="number"
              min=${schema.minimum}
              max=${schema.maximum}
              step=${schema.multipleOf ?? 1}
              value=${value[name] ?? ""}
              onChange=${(/** @type {any} */ event) => set(Number(event.target.value))}
            />
          </label>
        `;
  });

/**
 * Rows with buttons to remove them, and a button to add one.
 * @param {string} id
 * @param {string} about
 * @param {unknown[]} rows
 * @param {(row: number) => void} remove
 * @param {false | (() => void)} add
 */
const rows = (id, about, rows, remove, add) => html`
  <span class="rows" id=${id} role="group" aria-describedby=${about}>
    ${rows.map(
      (row, at) => html`
        <span class="control" key=${at}>
          ${row}
          <button type="button" onClick=${() => remove(at)}>${t("option.remove")}</button>
        </span>
      `,
    )}
    ${
      add &&
      html`
        <button type="button" class="add" onClick=${add}>${t("option.add")}</button>
      `
    }
  </span>
`;

/** @template Value @param {Value[]} values @param {number} at @param {Value} value */
const replaced = (values, at, value) => values.map((each, number) => (number === at ? value : each));

/** @template Value @param {Value[]} values @param {number} at */
const without = (values, at) => values.filter((_, number) => number !== at);

/**
 * Any number of objects.
 * @param {any} schema of one
 * @param {string} id
 * @param {string} about
 * @param {Record<string, any>[]} value
 * @param {(value: any) => void} onChange
 */
const list = (schema, id, about, value, onChange) =>
  rows(
    id,
    about,
    value.map((each, at) => parts(schema.properties, each, (next) => onChange(replaced(value, at, next)))),
    (at) => onChange(without(value, at)),
    () => onChange([...value, {}]),
  );

/**
 * A map from ranks to lower ranks.
 * @param {any} schema
 * @param {string} id
 * @param {string} about
 * @param {Record<string, string>} value
 * @param {(value: any) => void} onChange
 */
function pairs(schema, id, about, value, onChange) {
  const all = /** @type {string[]} */ (schema.propertyNames.enum);
  const held = Object.entries(value);
  const set = (/** @type {[string, string][]} */ next) => onChange(Object.fromEntries(next));
  const below = (/** @type {string} */ high) => all.slice(0, all.indexOf(high));
  const free = all.slice(1).filter((each) => !(each in value));
  return rows(
    id,
    about,
    held.map(([high, low], at) => [
      rank(
        t("option.from"),
        all.slice(1).filter((each) => each === high || !(each in value)),
        high,
        (next = high) => set(replaced(held, at, [next, below(next).includes(low) ? low : all[0]])),
      ),
      rank(t("option.to"), below(high), low, (next = low) => set(replaced(held, at, [high, next]))),
    ]),
    (at) => set(without(held, at)),
    free.length > 0 && (() => set([...held, [free.at(-1) ?? "A", all[0]]])),
  );
}
