/** Fields of forms. */
import { html, useState } from "../../vendor/preact-htm.js";
import { ofCatalogue } from "../texts/texts.js";

/** @typedef {[value: string | number, text: unknown]} Option */

/**
 * @typedef {object} SelectProps
 * @property {string | number | undefined} value
 * @property {Option[]} options
 * @property {(value: string) => unknown} onChange gets the value that was chosen
 */

/**
 * A choice of one thing; other properties are those of the element.
 * @param {SelectProps & Record<string, unknown>} props
 */
export const Select = ({ options, onChange, ...props }) => html`
  <select ...${props} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
    ${options.map(
      ([value, text]) => html`
        <option value=${value}>${text}</option>
      `,
    )}
  </select>
`;

/**
 * Things of the catalogue as options.
 * @param {readonly { id: string, title: Record<string, unknown> }[]} things
 * @returns {Option[]}
 */
export const titled = (things) => things.map(({ id, title }) => [id, ofCatalogue(title)]);

/** @typedef {{ text: string, checked: boolean, onChange: (checked: boolean) => unknown }} CheckProps */

/** A box to check, with its text. @param {CheckProps & Record<string, unknown>} props */
export const Check = ({ text, onChange, ...props }) => html`
  <label class="check">
    <input type="checkbox" ...${props} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />
    ${text}
  </label>
`;

/** @typedef {{ label: string, value: string | number, onChange: (value: string) => unknown }} FieldProps */

/** A field to type in, with its label. @param {FieldProps & Record<string, unknown>} props */
export const Field = ({ label, onChange, ...props }) => html`
  <label>
    ${label}
    <input type="text" ...${props} onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />
  </label>
`;

/**
 * The start and the end of a span of the day. A time that is being typed changes nothing. What has been chosen stays
 * while the service has not taken it yet, so that the second change goes with the first.
 * @template {{ start: string, end: string }} Span times like `22:00`
 * @param {{ span: Span, from: string, until: string, onChange: (span: Span) => unknown }} props
 */
export function Span({ span, from, until, onChange }) {
  const [chosen, setChosen] = useState({});
  const shown = { ...span, ...chosen };
  const choose = (/** @type {"start" | "end"} */ name, /** @type {string} */ value) => {
    setChosen({ ...chosen, [name]: value });
    onChange({ ...shown, [name]: value });
  };
  return /** @type {["start" | "end", string][]} */ ([
    ["start", from],
    ["end", until],
  ]).map(
    ([name, label]) => html`
      <label>
        ${label}
        <input
          type="time"
          required
          value=${shown[name]}
          onChange=${(/** @type {any} */ { target: { value } }) => value && choose(name, value)}
        />
      </label>
    `,
  );
}
