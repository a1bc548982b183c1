/** Who would meet if the next round began now, for directors. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { withNames } from "../teams/entries.js";
import { Byes, matchText } from "../teams/matches.js";
import { say } from "../teams/words.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

/**
 * The pairing of the next round, read again with whatever changes it, once somebody looks.
 * @param {import("../types").TeamEvent} event
 * @param {number} changes that the reader has made
 * @param {string[]} order of the draw; empty: as they entered
 */
export function usePairing({ event, round, entries }, changes, order) {
  const [isOpen, setOpen] = useState(false);
  const playing = entries.filter(({ complete, withdrawn }) => complete && !withdrawn).map(({ team }) => team);
  const read = () => call("GET", `/team-events/${event}/next-round${order.length ? `?order=${order}` : ""}`);
  const { value, error } = useLoaded(
    async () => /** @type {import("../types").PairingOfRound | undefined} */ (isOpen ? await read() : undefined),
    [event, round, isOpen, `${playing}`, `${order}`, changes],
  );
  return { isOpen, setOpen, pairing: isOpen && !error ? value : undefined, error };
}

/** @param {{ event: import("../types").TeamEvent, of: ReturnType<typeof usePairing> }} props */
export const Pairing = ({ event, of: { isOpen, setOpen, pairing, error } }) => html`
  <details open=${isOpen} onToggle=${(/** @type {any} */ toggled) => setOpen(toggled.target.open)}>
    <summary>${say("pairing")}</summary>
    <p class="hint">${say("pairing.how")}</p>
    ${
      error instanceof Refused
        ? html`
            <${Refusal} problem=${withNames(error.problem, event)} />
          `
        : pairing
          ? html`
              <ul class="pairs" aria-label=${say("pairing")}>
                ${pairing.matches.map(
                  (each) => html`
                    <li key=${each.match}>${matchText(event, each)}</li>
                  `,
                )}
              </ul>
              <${Byes} event=${event} round=${pairing} />
            `
          : html`
              <p class="hint" role="status">${t("loading")}</p>
            `
    }
  </details>
`;
