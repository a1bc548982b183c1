/** Words of the game that lead to a picture, where they first stand in a text. */
import { html, useState } from "../../vendor/preact-htm.js";
import { Cards } from "../cards/card.js";
import { TERMS } from "../texts/terms.js";
import { ofCatalogue } from "../texts/texts.js";
import { Dialog } from "./dialog.js";

/**
 * @typedef {import("../texts/terms.js").Term} Term
 * @typedef {(string | { term: Term, word: string })[]} Parts a text, with the words that lead to a picture
 */

/**
 * Texts that follow each other, with the first of each word.
 * @param {string[]} texts
 * @returns {Parts[]}
 */
export function linked(texts) {
  const left = new Set(TERMS);
  return texts.map((text) => {
    /** @type {Parts} */
    const parts = [];
    let rest = text;
    for (;;) {
      const found = [...left]
        .map((term) => ({ term, match: new RegExp(ofCatalogue(term.words), "i").exec(rest) }))
        .filter(({ match }) => match)
        .sort((one, other) => (one.match?.index ?? 0) - (other.match?.index ?? 0))[0];
      if (!found?.match) return [...parts, rest];
      const { term, match } = found;
      left.delete(term);
      parts.push(rest.slice(0, match.index), { term, word: match[0] });
      rest = rest.slice(match.index + match[0].length);
    }
  });
}

/** A text whose words lead to pictures. @param {{ parts: Parts }} props */
export function Linked({ parts }) {
  const [open, setOpen] = useState(/** @type {Term | null} */ (null));
  return html`
    ${parts.map((part) =>
      typeof part === "string"
        ? part
        : html`
            <button type="button" class="term" aria-haspopup="dialog" onClick=${() => setOpen(part.term)}>
              ${part.word}
            </button>
          `,
    )}${
      open &&
      html`
        <${Dialog} title=${ofCatalogue(open.name)} onClose=${() => setOpen(null)}>
          <p class="picture">
            ${open.cards.map(
              (cards) => html`
                <${Cards} cards=${cards} />
              `,
            )}
          </p>
          <p>${ofCatalogue(open.about)}</p>
        <//>
      `
    }
  `;
}

/** A text alone, whose words lead to pictures. @param {{ text: string }} props */
export const Explained = ({ text }) => html`
  <${Linked} parts=${linked([text])[0]} />
`;

/** Only the words of a text that lead to pictures. @param {{ text: string }} props */
export const TermsOf = ({ text }) => html`
  <${Linked} parts=${linked([text])[0].filter((part) => typeof part !== "string")} />
`;
