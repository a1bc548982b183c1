/** The form of a team: its name and its members (friends, others by their code, AI players). */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { aiLevels } from "../games/setup.js";
import { say } from "./words.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { codeIn, friends } from "../people/person.js";
import { Refusal } from "../ui/refusal.js";
import { withNames } from "./entries.js";

/** Prefix of the value of an AI player; its level follows. */
const AI = "ai:";

/**
 * @param {{
 *   event: import("../types").TeamEvent,
 *   team?: import("../types").TeamOfEvent,
 *   onDone: () => void,
 * }} props `team`: the one to change; a new one without it
 */
export function TeamForm({ event, team, onDone }) {
  const me = { player: theAccount().player ?? "", name: theAccount().name ?? "" };
  const [name, setName] = useState(team?.name ?? "");
  const [places, setPlaces] = useState(() =>
    team
      ? team.members.map(({ player, level }) => (level ? AI + level : (player ?? "")))
      : [me.player, ...Array(event.players - 1).fill(`${AI}normal`)],
  );
  const [found, setFound] = useState(/** @type {{ player: string, name: string }[]} */ ([]));
  const { value: known = [] } = useLoaded(friends, []);
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const { attempt, busy, problem } = useAttempt();
  const people = new Map(
    [me, ...(team?.members ?? []), ...known.filter(({ state }) => state === "friend"), ...found].flatMap(
      ({ player, name }) => (player ? [[player, name]] : []),
    ),
  );
  const put = (/** @type {number} */ at, /** @type {string} */ value) =>
    setPlaces(places.map((each, place) => (place === at ? value : each)));
  const add = (/** @type {{ player: string, name: string }} */ person) => {
    setFound([...found, person]);
    const free = places.findIndex((each) => !each || each.startsWith(AI));
    if (free >= 0 && !places.includes(person.player)) put(free, person.player);
  };
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const members = places.map((each) => (each.startsWith(AI) ? { level: each.slice(AI.length) } : { player: each }));
    const entry = { name: name.trim(), members };
    attempt(async () => {
      await (team
        ? call("PUT", `/team-events/${event.event}/teams/${team.team}`, entry)
        : call("POST", `/team-events/${event.event}/teams`, { teams: [entry] }));
      onDone();
    });
  };
  return html`
    <form class="inline team-form" onSubmit=${submit}>
      <label>
        ${say("name")}
        <input
          type="text"
          name="team"
          required
          maxlength="40"
          autocomplete="off"
          value=${name}
          onInput=${(/** @type {any} */ input) => setName(input.target.value)}
        />
      </label>
      <p class="hint">${say("places", { count: event.players / 2 })}</p>
      <div class="places">
        ${places.map(
          (place, at) => html`
            <label key=${at}>
              ${say("place", { number: at + 1 })}
              <select
                name=${`place-${at}`}
                required
                value=${place}
                onChange=${(/** @type {any} */ input) => put(at, input.target.value)}
              >
                ${
                  !place &&
                  html`
                    <option value="">–</option>
                  `
                }
                ${[...people]
                  .filter(([player]) => player === place || !places.includes(player))
                  .map(
                    ([player, name]) => html`
                      <option value=${player}>${name}</option>
                    `,
                  )}
                ${levels.map(
                  ({ id, title }) => html`
                    <option value=${AI + id}>${say("ai", { level: ofCatalogue(title) })}</option>
                  `,
                )}
              </select>
            </label>
          `,
        )}
      </div>
      <${Other} onFound=${add} />
      ${
        problem &&
        html`
          <${Refusal} problem=${withNames(problem, event)} />
        `
      }
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy}>${say(team ? "change.done" : "enter")}</button>
      </div>
    </form>
  `;
}

/**
 * A form to find a player who is not a friend.
 * @param {{ onFound: (person: { player: string, name: string }) => void }} props
 */
function Other({ onFound }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const look = () => {
    const code = codeIn(text);
    setWrong(!code);
    if (!code) return;
    attempt(async () => {
      const { name } = await call("GET", `/players/${code}`, undefined, { once: true });
      onFound({ player: code, name });
      setText("");
    });
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    look();
  };
  return html`
    <details>
      <summary>${say("other")}</summary>
      <label>
        ${t("friends.code")}
        <input
          type="text"
          name="other"
          maxlength="300"
          autocomplete="off"
          value=${text}
          onKeyDown=${key}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)}
        />
      </label>
      ${
        wrong &&
        html`
          <p role="alert">${t("friends.code.wrong")}</p>
        `
      }
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
      <div class="buttons"><button type="button" disabled=${busy} onClick=${look}>${say("other.add")}</button></div>
    </details>
  `;
}
