/** What the director decides: what a board or a match counts, and penalties. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { boardsOf, teamNamed, withNames } from "../teams/entries.js";
import { matchText } from "../teams/matches.js";
import { isArena } from "../teams/arena.js";
import { say } from "../teams/words.js";

/**
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {TeamEvent["played"][number]["matches"][number] & { round: number }} Match
 */

/** The matches of all rounds, the last one first. @param {TeamEvent} event @returns {Match[]} */
const matchesOf = ({ played }) =>
  played.flatMap((round) => round.matches.map((match) => ({ ...match, round: round.round }))).reverse();

/**
 * What a ruling is about: a match, the place of a board in its round (-1: all of them), and of the team that gains.
 * @typedef {{ match: string, at: number, side: number }} Subject
 */

/** What a side can be awarded. @type {("average" | "average_plus" | "average_minus" | "forfeit")[]} */
const AWARDS = ["average", "average_plus", "average_minus", "forfeit"];

/** Whether boards are compared with all other tables. @param {TeamEvent} event */
const compares = (event) => (event.size ?? event.players) < event.players;

/** @typedef {"steps" | "split" | "awards" | "percents"} Way */

/** Ways to say what counts; the first one is chosen. @param {TeamEvent} event @returns {Way[]} */
const waysOf = (event) => (compares(event) ? ["percents", "awards"] : ["steps", "split", "awards"]);

/** @param {{ event: TeamEvent, onChange: () => void }} props */
export function Ruling({ event, onChange }) {
  const all = matchesOf(event);
  const [subject, setSubject] = useState({ match: all[0].match, at: 0, side: 0 });
  const match = all.find((each) => each.match === subject.match) ?? all[0];
  const [counted, setCounted] = useState(
    /** @type {Counts} */ ({
      way: waysOf(event)[0],
      steps: 3,
      split: [3, -3],
      percents: [60, 40],
      awards: ["average", "average"],
    }),
  );
  const [reason, setReason] = useState("");
  const { decide, busy, problem, done } = useDecision(event, onChange, () => setReason(""));
  const board = boardsOf(event, match.round)[subject.at];
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const { way, steps, ...pairs } = counted;
    const value = way === "steps" ? (subject.side ? -steps : steps) : pairs[way];
    decide("PUT", match.match, board, { [way]: value, reason: reason.trim() });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <p class="hint">${say("rule.how")}</p>
      <${About} event=${event} all=${all} match=${match} subject=${subject} way=${counted.way} onChange=${setSubject} />
      <${Counted} event=${event} counted=${counted} onChange=${setCounted} />
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
        ${
          board &&
          html`
            <button type="button" disabled=${busy} onClick=${() => decide("DELETE", match.match, board)}>
              ${say("rule.undo")}
            </button>
          `
        }
      </div>
    </form>
  `;
}

/**
 * Sends rulings, and says what came of the last one.
 * @param {TeamEvent} event
 * @param {() => void} onChange
 * @param {() => void} onDone after one that was not refused
 */
function useDecision(event, onChange, onDone) {
  const [done, setDone] = useState("");
  const { attempt, busy, problem } = useAttempt();
  /**
   * @param {"PUT" | "DELETE"} method
   * @param {string} match
   * @param {number | undefined} board undefined: all boards of the match
   * @param {object} [body]
   */
  const decide = (method, match, board, body = {}) => {
    setDone("");
    return attempt(async () => {
      const path = `/team-events/${event.event}/matches/${match}${board ? `/boards/${board}` : ""}/ruling`;
      await call(method, path, body, { once: true });
      setDone(board ? say(method === "PUT" ? "rule.done" : "rule.undone", { number: board }) : say("rule.done.match"));
      onDone();
    }).finally(onChange);
  };
  return { decide, busy, problem, done };
}

/**
 * How a ruling says what counts, and what it counts by each way.
 * @typedef {{ way: Way, steps: number, split: number[], percents: number[], awards: string[] }} Counts
 */

/** @typedef {{ event: TeamEvent, counted: Counts, onChange: (counted: Counts) => void }} CountedProps */

/** What counts. @param {CountedProps} props */
const Counted = ({ event, counted, onChange }) => html`
  <label>
    ${say("rule.way")}
    <${Select}
      name="way"
      value=${counted.way}
      options=${waysOf(event).map((each) => [each, say(`rule.way.${each}`)])}
      onChange=${(/** @type {Way} */ way) => onChange({ ...counted, way })}
    />
  </label>
  <${Values} counted=${counted} onChange=${onChange} />
`;

/** Fields for the chosen way. @param {Omit<CountedProps, "event">} props */
function Values({ counted, onChange }) {
  const { way } = counted;
  /**
   * @param {string} name
   * @param {string} label
   * @param {[number, number]} range
   * @param {number} value
   * @param {(value: number) => void} put
   */
  const number = (name, label, [low, high], value, put) => html`
    <${Field}
      label=${label}
      type="number"
      name=${name}
      required
      min=${low}
      max=${high}
      value=${value}
      onChange=${(/** @type {string} */ text) => put(Number(text))}
    />
  `;
  if (way === "steps")
    return number("steps", t("event.steps"), [0, 24], counted.steps, (steps) => onChange({ ...counted, steps }));
  /** @type {any[]} */
  const both = counted[way];
  const put = (/** @type {number} */ at, /** @type {unknown} */ value) =>
    onChange({ ...counted, [way]: both.map((each, place) => (place === at ? value : each)) });
  return html`
    <div class="halves">
      ${["first", "second"].map((name, at) => {
        const side = /** @type {"first" | "second"} */ (name);
        if (way === "awards")
          return html`
            <label key=${name}>
              ${say(`award.${side}`)}
              <${Select}
                name=${name}
                value=${both[at]}
                options=${AWARDS.map((award) => [award, say(`award.${award}`)])}
                onChange=${(/** @type {string} */ award) => put(at, award)}
              />
            </label>
          `;
        const [label, range] = /** @type {[string, [number, number]]} */ (
          way === "split" ? [say(`split.${side}`), [-24, 24]] : [say(`percent.${side}`), [0, 100]]
        );
        return number(name, label, range, both[at], (value) => put(at, value));
      })}
    </div>
  `;
}

/**
 * @typedef {object} AboutProps
 * @property {TeamEvent} event
 * @property {Match[]} all
 * @property {Match} match
 * @property {Subject} subject
 * @property {Way} way
 * @property {(subject: Subject) => void} onChange
 */

/** What the ruling is about. @param {AboutProps} props */
function About({ event, all, match, subject, way, onChange }) {
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
    <label>
      ${say("rule.board")}
      <${Select}
        name="board"
        value=${subject.at}
        options=${[
          ...boardsOf(event, match.round).map((each, place) => [place, t("event.board", { number: each })]),
          [-1, say("rule.boards")],
        ]}
        onChange=${(/** @type {string} */ place) => change({ at: Number(place) })}
      />
    </label>
    ${
      way === "steps" &&
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

/** Whether a penalty can be taken off what the ranks follow from. @param {TeamEvent} event */
export const takesPenalties = (event) =>
  isArena(event) || event.ranks.includes(compares(event) ? "percent" : "victory_points");

/** A penalty for a team. @param {{ event: TeamEvent, onChange: () => void }} props */
export function Penalty({ event, onChange }) {
  const all = event.entries.filter(({ house }) => !house);
  const [chosen, setChosen] = useState("");
  const team = all.find((each) => each.team === chosen) ?? all[0];
  const [amount, setAmount] = useState("1");
  const [reason, setReason] = useState("");
  const [done, setDone] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    setDone("");
    attempt(async () => {
      const body = { amount: Math.round(100 * Number(amount)), reason: reason.trim() };
      await call("PUT", `/team-events/${event.event}/teams/${team.team}/penalty`, body, { once: true });
      setDone(say("penalty.done", { team: team.name }));
      setReason("");
    }).finally(onChange);
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <p class="hint">${say("penalty.how")}</p>
      <label>
        ${say("penalty.of")}
        <${Select}
          name="team"
          value=${team.team}
          options=${all.map((each) => [each.team, each.name])}
          onChange=${setChosen}
        />
      </label>
      <${Field}
        label=${say(isArena(event) ? "penalty.arena" : compares(event) ? "penalty.percent" : "penalty.points")}
        type="number"
        name="amount"
        required
        min="0"
        max="100"
        step="0.01"
        value=${amount}
        onChange=${setAmount}
      />
      <${Field}
        label=${say("penalty.reason")}
        name="why"
        required
        maxlength="200"
        autocomplete="off"
        value=${reason}
        onChange=${setReason}
      />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <p role="status">${done}</p>
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy}>${say("penalty.set")}</button>
      </div>
    </form>
  `;
}
