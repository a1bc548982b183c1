/** A text as a QR code: black on white in the dark theme too, as cameras expect it. */
import { encode } from "../../vendor/uqr.js";
import { html, useMemo } from "../../vendor/preact-htm.js";

/** @param {{ text: string, label: string }} props */
export function Qr({ text, label }) {
  const code = useMemo(() => encode(text, { border: 2 }), [text]);
  const path = code.data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return html`
    <svg class="qr" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label=${label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d=${path} fill="#000" />
    </svg>
  `;
}
