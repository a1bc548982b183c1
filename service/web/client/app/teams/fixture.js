/**
 * A match of a league: its people agree on a time, or begin as soon as all are ready.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {NonNullable<TeamEvent["mine"]["fixture"]>} OwnFixture
 * @typedef {{ event: TeamEvent, onChange: () => void }} Props
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { enumerated, momentText } from "../texts/texts.js";
import { Field } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { teamNamed, withNames } from "./entries.js";
import { matchText } from "./matches.js";
import { say } from "./words.js";

/** The player's match, until it begins. @param {Props} props */
export function Fixture({ event, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const { fixture } = event.mine;
  const match = event.played.at(-1)?.matches.find((each) => each.match === fixture?.match);
  if (!fixture || !match || fixture.begun) return null;
  const change = (/** @type {string} */ method, /** @type {string} */ what, /** @type {object} */ body = {}) =>
    attempt(() =>
      call(method, `/team-events/${event.event}/matches/${fixture.match}/${what}`, body, { once: true }),
    ).finally(onChange);
  const propose = (/** @type {string} */ at) => change("PUT", "time", { at });
  return html`
    <section class="box arrival" aria-label=${say("fixture")}>
      <p><b>${matchText(event, match)}</b></p>
      <${Agreed} event=${event} fixture=${fixture} busy=${busy} onAgree=${propose} />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <${Proposing} left=${fixture.proposals_left} busy=${busy} onPropose=${propose} />
      <${Ready} event=${event} fixture=${fixture} busy=${busy} change=${change} />
    </section>
  `;
}

/**
 * The time on which all have agreed, and the one that is proposed.
 * @param {{ event: TeamEvent, fixture: OwnFixture, busy: boolean, onAgree: (at: string) => unknown }} props
 */
function Agreed({ event, fixture: { agreed_at, proposed }, busy, onAgree }) {
  const waits = proposed && !proposed.teams.includes(event.mine.team ?? "");
  return html`
    <p role="status">
      ${agreed_at ? say("fixture.agreed", { at: momentText(agreed_at) }) : say("fixture.none")}
      ${
        proposed &&
        html`
          <br />
          ${say(waits ? "fixture.proposed" : "fixture.waits", { team: teamNamed(event, proposed.teams[0]), at: momentText(proposed.at) })}
        `
      }
    </p>
    ${
      proposed &&
      waits &&
      html`
        <div class="buttons">
          <button type="button" class="main" disabled=${busy} onClick=${() => onAgree(proposed.at)}>
            ${say("fixture.agree", { at: momentText(proposed.at) })}
          </button>
        </div>
      `
    }
  `;
}

/**
 * Proposes a time, in the device's time zone.
 * @param {{ left: number, busy: boolean, onPropose: (at: string) => unknown }} props `left`: how many times more
 */
function Proposing({ left, busy, onPropose }) {
  const [at, setAt] = useState("");
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    onPropose(new Date(at).toISOString());
  };
  if (!left)
    return html`
      <p class="hint">${say("fixture.no_more")}</p>
    `;
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field} label=${say("fixture.at")} type="datetime-local" name="at" required value=${at} onChange=${setAt} />
      <div class="buttons"><button type="submit" disabled=${busy}>${say("fixture.propose")}</button></div>
    </form>
  `;
}

/**
 * @typedef {object} ReadyProps
 * @property {TeamEvent} event
 * @property {OwnFixture} fixture
 * @property {boolean} busy
 * @property {(method: string, what: string) => unknown} change
 */

/** Who is ready to play at once. @param {ReadyProps} props */
function Ready({ event, fixture: { ready, players }, busy, change }) {
  const me = theAccount().player ?? "";
  const isReady = ready.includes(me);
  const names = new Map(
    event.entries.flatMap(({ members }) => members.map(({ player, name }) => /** @type {const} */ ([player, name]))),
  );
  const named = (/** @type {string[]} */ of) => enumerated(of.map((player) => names.get(player) ?? player));
  const others = players.filter((player) => player !== me && !ready.includes(player));
  const there = ready.filter((player) => player !== me);
  return html`
    <p class="hint" role="status">
      ${there.length > 0 && say("ready.there", { names: named(there) })}
      ${isReady && others.length > 0 ? say("ready.waits", { names: named(others) }) : say("ready.how")}
    </p>
    <div class="buttons">
      <button
        type="button"
        aria-pressed=${isReady ? "true" : "false"}
        disabled=${busy}
        onClick=${() => change(isReady ? "DELETE" : "PUT", "readiness")}
      >
        ${say(isReady ? "ready.not" : "ready")}
      </button>
    </div>
  `;
}
