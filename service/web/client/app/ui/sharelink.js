/** A link, and a button that shares or copies it. */
import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { copied as isCopied } from "./copy.js";

/**
 * @typedef {object} ShareLinkProps
 * @property {string} link
 * @property {string} about what is shared with it
 * @property {string} [label] what the link is; an invitation, if left out
 * @property {unknown} [children] between the link and the button
 */

/** @param {ShareLinkProps} props */
export function ShareLink({ link, about, label = t("invite.link"), children }) {
  const [copied, setCopied] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const share = async () => {
    try {
      if (navigator.share) await navigator.share({ url: link, title: t("invite.title"), text: about });
      else if (!(await isCopied(link, field.current))) return;
      setCopied(true);
    } catch {
      // Not shared after all; the link can be copied by hand.
    }
  };
  return html`
    <p>
      <input
        ref=${field}
        readonly
        aria-label=${label}
        value=${link}
        onFocus=${(/** @type {any} */ event) => event.target.select()}
      />
    </p>
    ${children}
    <p>
      <button type="button" class="main" onClick=${share}>${t(copied ? "invite.copied" : "invite.share")}</button>
    </p>
  `;
}
