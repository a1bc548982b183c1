/** The director's ruling on a board. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { boardsOf, teamNamed, withNames } from "./entries.js";
import { matchText } from "./matches.js";
import { say } from "./words.js";

/**
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {TeamEvent["played"][number]["matches"][number] & { round: number }} Match
 */

/** The matches of all rounds, the last one first. @param {TeamEvent} event @returns {Match[]} */
const matchesOf = ({ played }) =>
  played.flatMap((round) => round.matches.map((match) => ({ ...match, round: round.round }))).reverse();

/**
 * What a ruling is about: a match, the place of a board in its round, and the place of the team that gains.
 * @typedef {{ match: string, at: number, side: number }} Subject
 */

/** @param {{ event: TeamEvent, onChange: () => void }} props */
export function Ruling({ event, onChange }) {
  const all = matchesOf(event);
  const [subject, setSubject] = useState({ match: all[0].match, at: 0, side: 0 });
  const match = all.find((each) => each.match === subject.match) ?? all[0];
  const [counted, setCounted] = useState({ steps: 3, percents: [60, 40] });
  const isCompared = (event.size ?? event.players) < event.players;
  const [reason, setReason] = useState("");
  const [done, setDone] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const board = boardsOf(event, match.round)[subject.at];
  const decide = (/** @type {"PUT" | "DELETE"} */ method, /** @type {object} */ body = {}) => {
    setDone("");
    attempt(async () => {
      const path = `/team-events/${event.event}/matches/${match.match}/boards/${board}/ruling`;
      await call(method, path, body, { once: true });
      setDone(say(method === "PUT" ? "rule.done" : "rule.undone", { number: board }));
      setReason("");
    }).finally(onChange);
  };
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const { steps, percents } = counted;
    decide("PUT", { ...(isCompared ? { percents } : { steps: subject.side ? -steps : steps }), reason: reason.trim() });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <p class="hint">${say("rule.how")}</p>
      <${About} event=${event} all=${all} match=${match} subject=${subject} onChange=${setSubject}>
        <${Counted} isCompared=${isCompared} counted=${counted} onChange=${setCounted} />
      <//>
      <${Field}
        label=${say("rule.reason")}
        name="reason"
        required
        maxlength="200"
        autocomplete="off"
        value=${reason}
        onChange=${setReason}
      />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <p role="status">${done}</p>
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy}>${say("rule.set")}</button>
        <button type="button" disabled=${busy} onClick=${() => decide("DELETE")}>${say("rule.undo")}</button>
      </div>
    </form>
  `;
}

/**
 * @typedef {object} CountedProps
 * @property {boolean} isCompared whether boards are compared with other tables
 * @property {{ steps: number, percents: number[] }} counted
 * @property {(counted: CountedProps["counted"]) => void} onChange
 */

/** What a board counts: steps for one side, or percentages of both. @param {CountedProps} props */
function Counted({ isCompared, counted, onChange }) {
  const { steps, percents } = counted;
  /**
   * @param {string} name
   * @param {string} label
   * @param {number} most
   * @param {number} value
   * @param {(value: number) => void} put
   */
  const number = (name, label, most, value, put) => html`
    <${Field}
      label=${label}
      type="number"
      name=${name}
      required
      min="0"
      max=${most}
      value=${value}
      onChange=${(/** @type {string} */ text) => put(Number(text))}
    />
  `;
  const [first, second] = percents;
  if (!isCompared)
    return number("steps", t("event.steps"), 24, steps, (value) => onChange({ ...counted, steps: value }));
  return html`
    ${number("first", say("percent.first"), 100, first, (value) => onChange({ ...counted, percents: [value, second] }))}
    ${number("second", say("percent.second"), 100, second, (value) => onChange({ ...counted, percents: [first, value] }))}
  `;
}

/**
 * @typedef {object} AboutProps
 * @property {TeamEvent} event
 * @property {Match[]} all
 * @property {Match} match
 * @property {Subject} subject
 * @property {(subject: Subject) => void} onChange
 * @property {unknown} children beside the board
 */

/** What the ruling is about. @param {AboutProps} props */
function About({ event, all, match, subject, onChange, children }) {
  const change = (/** @type {Partial<Subject>} */ changes) => onChange({ ...subject, ...changes });
  return html`
    <label>
      ${say("rule.match")}
      <${Select}
        name="match"
        value=${subject.match}
        options=${all.map((each) => [
          each.match,
          say("of_round", { round: each.round, match: matchText(event, each) }),
        ])}
        onChange=${(/** @type {string} */ chosen) => change({ match: chosen })}
      />
    </label>
    <div class="halves">
      <label>
        ${say("rule.board")}
        <${Select}
          name="board"
          value=${subject.at}
          options=${boardsOf(event, match.round).map((each, place) => [place, t("event.board", { number: each })])}
          onChange=${(/** @type {string} */ place) => change({ at: Number(place) })}
        />
      </label>
      ${children}
    </div>
    ${
      (event.size ?? event.players) === event.players &&
      html`
        <label>
          ${say("rule.for")}
          <${Select}
            name="side"
            value=${subject.side}
            options=${match.teams.map((team, place) => [place, teamNamed(event, team)])}
            onChange=${(/** @type {string} */ place) => change({ side: Number(place) })}
          />
        </label>
      `
    }
  `;
}
