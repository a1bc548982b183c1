/** Quick play: the button that looks for people, and the search. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { changeAccount } from "../api/account.js";
import { call } from "../api/client.js";
import {
  askForGame,
  confirm,
  forgetSearch,
  hasAsked,
  joinSearch,
  onSearch,
  stopLooking,
  theSearch,
} from "../api/quickplay.js";
import { entries, isWay, seatsOf, ways } from "../games/offered.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useAccount, useAttempt, useFollowed, useLoaded, useRepeated, useTicks } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { Icon } from "../ui/icon.js";
import { registerGuest } from "../account/name.js";
import { Refusal } from "../ui/refusal.js";
import { Select } from "../ui/fields.js";

/** How often the number of people looking is read again, ms. */
const EVERY_MS = 15_000;

export const useSearch = () => useFollowed(theSearch, onSearch);

/** The game last chosen on this device. @param {import("../types").RulesetSummary[]} games */
export function useChosenGame(games) {
  const { game = "shengji" } = useAccount();
  return games.find(({ id }) => id === game) ?? games.find(({ id }) => id === "shengji");
}

/** A game with its players. @param {import("../types").RulesetSummary} game */
const gameText = (game) => t("look.game", { game: ofCatalogue(game.names), count: seatsOf(game) });

/**
 * Which game, and which of several ways to play it; the device remembers both. Takes its room before the games are
 * known.
 * @param {{ games: import("../types").RulesetSummary[] }} props
 */
export function GameChoice({ games }) {
  const { game: remembered = "shengji" } = useAccount();
  const id = useChosenGame(games)?.id ?? remembered;
  const choose = (/** @type {string} */ game) => changeAccount({ game });
  return html`
    <div class="pair">
      <label>
        ${t("lobby.game")}
        <${Select}
          name="game"
          value=${isWay(id) ? ways(games)[0]?.id : id}
          options=${entries(games).map((game) => [game.id, isWay(game.id) ? t("look.ways") : gameText(game)])}
          disabled=${!games.length}
          onChange=${choose}
        />
      </label>
      ${
        isWay(id) &&
        html`
          <label>
            ${t("look.way")}
            <${Select}
              name="way"
              value=${id}
              options=${ways(games).map((game) => [game.id, ofCatalogue(game.names)])}
              disabled=${!games.length}
              onChange=${choose}
            />
          </label>
        `
      }
    </div>
  `;
}

/**
 * Looks for people who play the game now. Players without a name get one.
 * @param {{ game: import("../types").RulesetSummary | undefined }} props
 */
export function Play({ game }) {
  const { token } = useAccount();
  const { ticket } = useSearch();
  const { attempt, busy, problem } = useAttempt();
  const play = () =>
    attempt(async () => {
      if (!token) await registerGuest();
      if (game) await askForGame({ ruleset: /** @type {any} */ (game.id), players: seatsOf(game) });
    });
  if (ticket)
    return html`
      <${Looking} />
    `;
  return html`
    <div class="quick">
      <button type="button" class="main" disabled=${busy || !game} onClick=${play}>
        <${Icon} name="play" />
        ${t("look")}
      </button>
      ${
        token && game
          ? html`
              <${Waiting} game=${game} />
            `
          : html`
              <p class="hint">${t("look.how")}</p>
            `
      }
    </div>
    <${Outcome} />
    <${Refusal} problem=${problem} />
  `;
}

/** How many people wait for a game now. @param {{ game: import("../types").RulesetSummary }} props */
function Waiting({ game }) {
  const { value: pools = [], again } = useLoaded(
    async () => /** @type {import("../types").Pool[]} */ ((await call("GET", "/pools")).items),
    [],
  );
  useRepeated(again, EVERY_MS);
  const people = pools
    .filter(({ ruleset, players }) => ruleset === game.id && players === seatsOf(game))
    .reduce((sum, pool) => sum + pool.people, 0);
  return html`
    <p class="hint">
      ${
        people > 0 &&
        html`
          <b>${t("look.waiting", { count: people })}</b>
          ${" "}
        `
      }${t("look.how")}
    </p>
  `;
}

/** How the last search ended, if without a game. */
export function Outcome() {
  const { ticket, note, asker } = useSearch();
  if (note === "missed" && !ticket)
    return html`
      <p class="hint" role="status">
        ${t("look.missed", { who: asker })}${" "}
        <button type="button" class="quiet" onClick=${forgetSearch}>${t("close")}</button>
      </p>
    `;
  return note === "ended" && !ticket
    ? html`
        <p class="hint" role="status">
          ${t("look.ended")}${" "}
          <button type="button" class="quiet" onClick=${forgetSearch}>${t("close")}</button>
        </p>
      `
    : null;
}

/** What is known about a search. @param {ReturnType<typeof theSearch>} search */
function searchText({ ticket, note }) {
  const match = ticket?.match;
  if (match) return foundText(match.people, ticket.players ?? 0);
  if (note === "unmatched") return t("look.unmatched");
  const looking = ticket?.looking ?? 0;
  return t(looking > 1 ? "look.looking" : "look.looking.alone", { count: looking });
}

/** What a player who takes part in a search may be asked for. @param {ReturnType<typeof theSearch>} search */
function askedIn({ ticket, asker }) {
  if (ticket?.match) return ticket.match.confirmed ? "" : "confirm";
  return asker !== "" && !hasAsked() ? "join" : "";
}

/** The search: what it is for, what it has found, and a button to stop. */
export function Looking() {
  const search = useSearch();
  const { ticket, until, asker } = search;
  const nameOf = useGameNames();
  useCalling(askedIn(search) !== "");
  if (!ticket) return null;
  const { match } = ticket;
  return html`
    <section class="box looking" aria-label=${t("look.title")}>
      <h2>${t("look.game", { game: nameOf(ticket.ruleset ?? ""), count: ticket.players ?? "" })}</h2>
      ${
        asker &&
        html`
          <p><b>${t("look.with", { who: asker, game: nameOf(ticket.ruleset ?? "") })}</b></p>
        `
      }
      <p role="status">
        ${searchText(search)}${
          match?.confirmed &&
          match.missing > 0 &&
          html`
            ${" "}${t("look.missing", { count: match.missing })}
          `
        }
      </p>
      ${
        until < Infinity &&
        html`
          <${Countdown} until=${until} text=${match ? "look.confirm" : "look.ai"} />
        `
      }
      <${Answers} search=${search} />
    </section>
  `;
}

/** Takes part in the search, or stops it. @param {{ search: ReturnType<typeof theSearch> }} props */
function Answers({ search }) {
  const { attempt, busy, problem } = useAttempt();
  const asked = askedIn(search);
  const answer = asked === "confirm" ? confirm : joinSearch;
  return html`
    <div class="buttons">
      ${
        asked &&
        html`
          <button type="button" class="main" disabled=${busy} onClick=${() => attempt(answer)}>
            ${t(hasAsked() ? "look.here" : "look.join")}
          </button>
        `
      }
      <button type="button" disabled=${busy} onClick=${() => attempt(stopLooking)}>
        ${t((search.ticket?.match || search.asker) && !hasAsked() ? "look.refuse" : "cancel")}
      </button>
    </div>
    <${Refusal} problem=${problem} />
  `;
}

/** Who plays in the game that is ready. @param {number} people @param {number} players */
function foundText(people, players) {
  if (people === 1) return t("look.found.alone");
  return t(people < players ? "look.found.ai" : "look.found", { count: people });
}

/**
 * The time until something happens; hidden from screen readers, since it changes every second.
 * @param {{ until: number, text: "look.ai" | "look.confirm" }} props
 */
function Countdown({ until, text }) {
  const [from] = useState(() => performance.now());
  const left = Math.max(0, until - performance.now());
  useTicks(left > 0, 500);
  return html`
    <div>
      <p class="hint" aria-hidden="true">${left > 0 ? t(text, { count: Math.ceil(left / 1000) }) : t("look.now")}</p>
      <p class="visually-hidden">${t(text, { count: Math.ceil((until - from) / 1000) })}</p>
      <div class="bar" aria-hidden="true">
        <span style=${{ scale: `${Math.min(1, left / Math.max(1, until - from))} 1` }}></span>
      </div>
    </div>
  `;
}

/** Call a player whose page is hidden: by its title, and by vibrating a phone. @param {boolean} calls */
function useCalling(calls) {
  useEffect(() => {
    if (!calls || document.visibilityState === "visible") return;
    const title = document.title;
    document.title = t("title.match");
    navigator.vibrate?.(200);
    return () => void (document.title = title);
  }, [calls]);
}
