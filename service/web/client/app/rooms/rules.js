/** The rules of a room, which its host changes. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { hasVoice } from "../api/service.js";
import { Allowed, Preset } from "../games/choices.js";
import { useGameNames } from "../games/hooks.js";
import { LengthField, lengthFact } from "../games/length.js";
import { HouseRules } from "../games/houserules.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { chosenOptions, clockOf, TIMES, timeText } from "../games/setup.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/**
 * @typedef {import("./room.js").RoomProps} RoomProps
 * @typedef {import("../types").Room} Room
 * @typedef {import("../types").Ruleset} Ruleset
 */

/** @param {RoomProps} props */
export function Rules({ room, again }) {
  const { ruleset, players, preset, options, clock } = room.rules;
  const { value: rules } = useLoaded(() => rulesetOf(ruleset), [ruleset]);
  const nameOf = useGameNames();
  const way = rules?.presets.find(({ id }) => id === preset);
  return html`
    <section aria-label=${say("rules")}>
      <h2>${say("rules")}</h2>
      <p>
        <a href=${`#/rules/${ruleset}?players=${players}`}>
          ${t("waiting.title", { game: nameOf(ruleset), count: players })}
        </a>
      </p>
      <dl class="options">
        ${
          way &&
          html`
            <dt>${t("create.preset")}</dt>
            <dd>${ofCatalogue(way.title)}</dd>
          `
        }
        <dt>${t("create.time")}</dt>
        <dd>${clock ? timeText(clock.play_ms / 1000) : say("no_clock")}</dd>
        ${
          hasVoice &&
          room.rules.voice &&
          html`
            <dt>${say("voice")}</dt>
            <dd>${say("voice_on")}</dd>
          `
        }
        ${[...lengthFact(room.rules.length), ...chosenOptions(rules, options)].map(
          ({ title, value }) => html`
            <dt>${title}</dt>
            <dd>${value}</dd>
          `,
        )}
      </dl>
      ${
        room.role === "host" &&
        html`
          <details class="conditions">
            <summary>${say("rules_change")}</summary>
            <${Change} room=${room} again=${again} />
          </details>
        `
      }
    </section>
  `;
}

/** The form for name and rules; another game has rules of its own. @param {RoomProps} props */
function Change({ room, again }) {
  const [name, setName] = useState(room.name);
  const [ruleset, setRuleset] = useState(/** @type {string} */ (room.rules.ruleset));
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: rules } = useLoaded(() => rulesetOf(ruleset), [ruleset]);
  const [done, setDone] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const save = (/** @type {object} */ chosen) =>
    attempt(async () => {
      await call("PATCH", `/rooms/${room.room}`, { name: name.trim() || room.name, rules: chosen });
      setDone(true);
      again();
    });
  return html`
    <${Field} label=${say("name")} name="room" maxlength="40" autocomplete="off" value=${name} onChange=${setName} />
    <label>
      ${t("lobby.game")}
      <${Select}
        value=${ruleset}
        options=${games.map((game) => [game.id, ofCatalogue(game.names)])}
        onChange=${setRuleset}
      />
    </label>
    ${
      rules?.id === ruleset &&
      html`
        <${RulesForm} key=${ruleset} rules=${rules} own=${room.rules} busy=${busy} save=${save} />
      `
    }
    <${Refusal} problem=${problem} />
    ${
      done &&
      html`
        <p role="status">${say("saved")}. ${say("rules_next")}</p>
        <${Anew} room=${room} again=${again} />
      `
    }
  `;
}

/** Opens the table that waits anew, with the rules as they are now. @param {RoomProps} props */
function Anew({ room: { room, table }, again }) {
  const { attempt, busy, problem } = useAttempt();
  if (table?.status !== "lobby") return null;
  const open = () =>
    attempt(async () => {
      await call("DELETE", `/tables/${table.table}`);
      await call("POST", `/rooms/${room}/table`);
    }).finally(again);
  return html`
    <p>${say("rules_waiting")}</p>
    <div class="buttons"><button type="button" disabled=${busy} onClick=${open}>${say("rules_anew")}</button></div>
    <${Refusal} problem=${problem} />
  `;
}

/** What stays as it is. @param {Room["rules"]} rules */
const unchanged = ({ spectator_delay_ms, ai_pace_ms, takeover_level, hints, voice }) => ({
  spectator_delay_ms,
  ai_pace_ms,
  takeover_level,
  hints,
  voice,
});

/** What may be allowed, and whether it is. @param {Room["rules"]} own */
const flagsOf = (own) => ({
  spectators: own.spectators !== "off",
  open: own.spectators === "open",
  chat: own.chat,
  take_back: own.take_back,
  random_seats: own.random_seats,
  claims: own.claims,
  ...(hasVoice && { voice: own.voice }),
});

/**
 * @typedef {object} RulesFormProps
 * @property {Ruleset} rules
 * @property {Room["rules"]} own of the room
 * @property {boolean} busy
 * @property {(chosen: object) => unknown} save
 */

/** @param {RulesFormProps} props */
function RulesForm({ rules, own, busy, save }) {
  const isSame = rules.id === own.ruleset;
  const [players, setPlayers] = useState(isSame ? own.players : rules.players[0]);
  const [preset, setPreset] = useState(isSame ? (own.preset ?? "") : "");
  const [options, setOptions] = useState(/** @type {Record<string, unknown>} */ (isSame ? own.options : {}));
  const [seconds, setSeconds] = useState(own.clock ? own.clock.play_ms / 1000 : 0);
  const [length, setLength] = useState(isSame ? own.length : undefined);
  const [flags, setFlags] = useState(flagsOf(own));
  const presets = rules.presets.filter((each) => each.players.includes(players));
  const chosen = presets.find((each) => each.id === preset) ?? presets[0];
  const given = { .../** @type {object} */ (rules.games[players]?.options), ...chosen?.options };
  const times = [...new Set([0, ...TIMES, seconds])].sort((one, other) => one - other);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const { spectators, open, ...allowed } = flags;
    save({
      ...unchanged(own),
      ...allowed,
      ruleset: rules.id,
      players,
      options,
      spectators: open ? "open" : spectators ? "delayed" : "off",
      ...(chosen && { preset: chosen.id }),
      ...(seconds && { clock: clockOf(seconds) }),
      ...(length && { length }),
    });
  };
  return html`
    <form class="create" onSubmit=${submit}>
      <div class="pair">
        <label>
          ${t("create.players")}
          <${Select}
            value=${players}
            options=${rules.players.map((count) => [count, count])}
            onChange=${(/** @type {string} */ count) => setPlayers(Number(count))}
          />
        </label>
        <label>
          ${t("create.time")}
          <${Select}
            value=${seconds}
            options=${times.map((time) => [time, time ? timeText(time) : say("no_clock")])}
            onChange=${(/** @type {string} */ time) => setSeconds(Number(time))}
          />
        </label>
      </div>
      <${LengthField} ruleset=${rules.id} length=${length} onChange=${setLength} />
      <${Preset} presets=${presets} chosen=${chosen} onChange=${setPreset} />
      <${Allowed} flags=${flags} onChange=${setFlags} />
      <${HouseRules} rules=${rules} given=${given} options=${options} onChange=${setOptions} />
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${say("save")}</button></div>
    </form>
  `;
}
