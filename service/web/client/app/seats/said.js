/** What the player of a seat has just said, for as long as it stays there. */
import { html, useState } from "../../vendor/preact-htm.js";
import { saidWords } from "../live/said.js";
import { useTicks } from "../ui/hooks.js";

/** How long a message stays at its seat, ms. */
const SAID_MS = 6000;

/** @param {{ said: import("../live/session.js").Message }} props */
export function Said({ said }) {
  const [until] = useState(() => performance.now() + SAID_MS);
  const left = until - performance.now();
  useTicks(left > 0, SAID_MS + 50);
  return left > 0
    ? html`
        <p class="said">${saidWords(said)}</p>
      `
    : null;
}
