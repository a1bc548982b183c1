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
import { enterText, withNames } from "./entries.js";
import { Field, Select } from "../ui/fields.js";

/** Prefix of the value of an AI player; its level follows. */
const AI = "ai:";

/** @typedef {{ player: string, name: string }} Person */

/**
 * @typedef {object} TeamFormProps
 * @property {import("../types").TeamEvent} event
 * @property {import("../types").TeamOfEvent} [team] the one to change; a new one without it
 * @property {string} [code] of the link by which the reader has come
 * @property {() => void} onDone
 */

/**
 * The people who may be chosen, id -> name: the player, the members, friends, and those found by their code.
 * @param {TeamFormProps["team"]} team
 * @param {Person[]} found
 */
function usePeople(team, found) {
  const { player = "", name = "" } = theAccount();
  const { value: known = [] } = useLoaded(friends, []);
  const all = [
    { player, name },
    ...(team?.members ?? []),
    ...known.filter(({ state }) => state === "friend"),
    ...found,
  ];
  return new Map(all.flatMap((each) => (each.player ? [[each.player, each.name]] : [])));
}

/** Whether a team has a name of its own; a pair may have those of its members. @param {TeamFormProps["team"]} team */
const isNamed = (team) =>
  team?.name !==
  team?.members
    .map(({ name }) => name)
    .filter(Boolean)
    .join(" / ");

/** @param {TeamFormProps} props */
export function TeamForm({ event, team, code, onDone }) {
  const { size = event.players } = event;
  const isTeam = size === event.players;
  const [name, setName] = useState(isNamed(team) ? (team?.name ?? "") : "");
  const [places, setPlaces] = useState(() =>
    team
      ? team.members.map(({ player, level }) => (level ? AI + level : (player ?? "")))
      : [theAccount().player ?? "", ...Array(size - 1).fill(`${AI}normal`)],
  );
  const [found, setFound] = useState(/** @type {Person[]} */ ([]));
  const people = usePeople(team, found);
  const { value: levels, error: unknown } = useLoaded(aiLevels, []);
  const { attempt, busy, problem } = useAttempt();
  const put = (/** @type {number} */ at, /** @type {string} */ value) =>
    setPlaces(places.map((each, place) => (place === at ? value : each)));
  const add = (/** @type {Person} */ person) => {
    setFound([...found, person]);
    const free = places.findIndex((each) => !each || each.startsWith(AI));
    if (free >= 0 && !places.includes(person.player)) put(free, person.player);
  };
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const members = places.map((each) => (each.startsWith(AI) ? { level: each.slice(AI.length) } : { player: each }));
    const entry = { ...(name.trim() && { name: name.trim() }), members };
    const path = `/team-events/${event.event}/teams`;
    attempt(async () => {
      await (team
        ? call("PUT", `${path}/${team.team}`, entry)
        : call("POST", path, { teams: [entry], ...(code && { code }) }));
      onDone();
    });
  };
  return html`
    <form class="inline team-form" onSubmit=${submit}>
      ${
        size > 1 &&
        html`
          <${Field}
            label=${say(isTeam ? "name" : "name.pair")}
            name="team"
            required=${isTeam}
            maxlength="40"
            autocomplete="off"
            value=${name}
            onChange=${setName}
          />
          <p class="hint">${isTeam ? say("places", { count: size / 2 }) : say("places.pair")}</p>
        `
      }
      <${Places} places=${places} people=${people} levels=${levels ?? []} put=${put} />
      <${Other} onFound=${add} />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy || !(levels || unknown)}>
          ${team ? say("change.done") : enterText(event)}
        </button>
      </div>
    </form>
  `;
}

/**
 * @typedef {object} PlacesProps
 * @property {string[]} places who has each place: a player, or the level of an AI player
 * @property {Map<string, string>} people who may be chosen, id -> name
 * @property {Awaited<ReturnType<typeof aiLevels>>} levels of AI players
 * @property {(at: number, value: string) => void} put
 */

/** The members, one by one. @param {PlacesProps} props */
function Places({ places, people, levels, put }) {
  const ai = levels.map(({ id, title }) => [AI + id, say("ai", { level: ofCatalogue(title) })]);
  const free = (/** @type {string} */ place) =>
    [...people].filter(([player]) => player === place || !places.includes(player));
  return html`
    <div class="places">
      ${places.map(
        (place, at) => html`
          <label key=${at}>
            ${say("place", { number: at + 1 })}
            <${Select}
              name=${`place-${at}`}
              required
              value=${place}
              options=${[...(place ? [] : [["", "–"]]), ...free(place), ...ai]}
              onChange=${(/** @type {string} */ value) => put(at, value)}
            />
          </label>
        `,
      )}
    </div>
  `;
}

/**
 * A form to find a player who is not a friend.
 * @param {{ onFound: (person: Person) => void }} props
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
      <${Field}
        label=${t("friends.code")}
        name="other"
        maxlength="300"
        autocomplete="off"
        value=${text}
        onKeyDown=${key}
        onChange=${setText}
      />
      ${
        wrong &&
        html`
          <p role="alert">${t("friends.code.wrong")}</p>
        `
      }
      <${Refusal} problem=${problem} />
      <div class="buttons"><button type="button" disabled=${busy} onClick=${look}>${say("other.add")}</button></div>
    </details>
  `;
}
