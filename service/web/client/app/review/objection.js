/**
 * "This play was silly": one tap keeps a play of an AI player for those who improve the AI players, another one takes
 * it back. Whoever likes says what would have been better.
 *
 * @typedef {import("../types").Objection} Objection
 * @typedef {import("../types").RecordedRound["actions"][number]} Action
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Cards, Face } from "../cards/card.js";
import { inOrder } from "../cards/hand.js";
import { spoken, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/** Actions in which other cards could have been chosen. */
const WITH_CARDS = ["play", "discard"];

/**
 * @typedef {object} ObjectionProps
 * @property {string} game
 * @property {number} round
 * @property {Action} taken the step that is shown
 * @property {boolean} failed whether it was a throw that failed
 */

/** Whether the player of this device has played in a game. @param {import("../types").GameSummary} summary */
export const hasPlayedIn = ({ seats, changes = [] }) =>
  [...seats, ...changes].some(({ occupant }) => occupant?.player && occupant.player === theAccount().player);

/** @param {ObjectionProps} props */
export function ObjectionPanel({ game, round, taken, failed }) {
  const { value, again } = useLoaded(async () => {
    const { items } = await call("GET", "/me/objections");
    return /** @type {Objection[]} */ (items).filter((each) => each.game === game && each.round === round);
  }, [game, round]);
  const { attempt, busy, problem } = useAttempt();
  const objection = value?.find(({ seq }) => seq === taken.seq);
  const path = `/games/${game}/rounds/${round}/objections/${taken.seq}`;
  const send = (/** @type {"PUT" | "DELETE"} */ method, /** @type {object} */ body = {}) =>
    attempt(async () => {
      await call(method, path, method === "PUT" ? body : undefined);
      again();
    });
  return html`
    <div class="objection">
      <button
        type="button"
        aria-pressed=${objection ? "true" : "false"}
        disabled=${busy || !value || taken.by !== "ai"}
        onClick=${() => send(objection ? "DELETE" : "PUT")}
      >
        <${Icon} name="robot" />
        ${say("silly")}
      </button>
      ${
        objection &&
        html`
          <p class="hint" role="status">${say("stored")}</p>
          <${Better}
            key=${taken.seq}
            objection=${objection}
            taken=${taken}
            failed=${failed}
            send=${(/** @type {string[]} */ instead) => send("PUT", { instead })}
          />
        `
      }
      <${Refusal} problem=${problem} />
    </div>
  `;
}

/**
 * What the person would have played, or the way to say it.
 * @param {{
 *   objection: Objection,
 *   taken: Action,
 *   failed: boolean,
 *   send: (instead: string[]) => void,
 * }} props
 */
function Better({ objection, taken, failed, send }) {
  const [open, setOpen] = useState(false);
  if (!WITH_CARDS.includes(taken.type)) return null;
  if (open)
    return html`
      <${Choice}
        objection=${objection}
        cards=${failed ? [] : (taken.cards ?? [])}
        send=${(/** @type {string[]} */ instead) => {
          setOpen(false);
          send(instead);
        }}
      />
    `;
  return html`
    ${
      objection.instead &&
      html`
        <p>
          ${say("yours")}${" "}
          <${Cards} cards=${objection.instead} size="tiny" />
        </p>
      `
    }
    <button type="button" class="plain" onClick=${() => setOpen(true)}>${say("better")}</button>
  `;
}

/**
 * The hand of the AI player, from which the person chooses.
 * @param {{
 *   objection: Objection,
 *   cards: readonly string[],
 *   send: (instead: string[]) => void,
 * }} props `cards`: those that have left the hand
 */
function Choice({ objection: { game, round, seq, seat }, cards, send }) {
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const { value: view } = useLoaded(
    async () =>
      /** @type {import("../types").View} */ (
        await call("GET", `/games/${game}/rounds/${round}/states/${seq}?seat=${seat}`)
      ),
    [seq],
  );
  if (!view?.my)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  const held = inOrder([...view.my.hand, ...cards], view.my.sorted_by);
  const instead = held.filter(({ key }) => chosen.includes(key)).map(({ card }) => card);
  const turn = (/** @type {string} */ key) =>
    setChosen(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]);
  return html`
    <div class="better" role="group" aria-label=${say("better")}>
      ${held.map(
        ({ key, card }) => html`
          <button
            type="button"
            class="card"
            key=${key}
            data-card=${card}
            aria-pressed=${chosen.includes(key) ? "true" : "false"}
            onClick=${() => turn(key)}
          >
            <span class="visually-hidden">${spoken(card)}</span>
            <${Face} card=${card} />
          </button>
        `,
      )}
    </div>
    <button type="button" class="main" disabled=${!instead.length} onClick=${() => send(instead)}>
      ${say("send")}
    </button>
  `;
}
