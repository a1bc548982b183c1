/** The ways to play, for the game that is chosen: with friends, with whoever is there, and alone. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { registerGuest } from "../account/name.js";
import { isOnline } from "../api/network.js";
import { seatsOf } from "../games/offered.js";
import { rulesets } from "../games/rules.js";
import { makeTable, QUICK_DEAL } from "../games/setup.js";
import { GameChoice, Play, useChosenGame, useSearch } from "../people/search.js";
import { aboutGame, t } from "../texts/texts.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Refusal } from "../ui/refusal.js";

/** The classic, which is offered before the games are known. */
const CLASSIC = { id: "shengji", players: 4 };

/** @param {{ door: string }} props */
export function Doors({ door }) {
  const { game: remembered = CLASSIC.id } = useAccount();
  const { value: games = [] } = useLoaded(rulesets, []);
  const game = useChosenGame(games);
  const id = game?.id ?? remembered;
  useEffect(() => {
    const heading = door && document.getElementById(door);
    if (!heading) return;
    heading.scrollIntoView({ block: "center" });
    heading.focus({ preventScroll: true });
  }, [door]);
  return html`
    <section class="play-now">
      <div class="choice">
        <${GameChoice} games=${games} />
        <p class="hint">
          ${aboutGame(id)}${" "}
          <a href=${`#/rules/${id}`}>${t("rules")}</a>
        </p>
      </div>
      <section class="door" aria-labelledby="with-friends">
        <h2 id="with-friends">${t("start.friends")}</h2>
        <a class="button wide" href="#/room">
          <${Icon} name="partner" />
          ${t("start.room")}
        </a>
        <p class="hint">
          ${t("start.room.how")}${" "}
          <a href=${`#/new?ruleset=${id}`}>${t("start.table")}</a>
        </p>
        <${Play} game=${game} />
        <p class="ways"><a href="#/club">${t("start.clubs")}</a></p>
      </section>
      <${Alone} game=${game} />
    </section>
  `;
}

/**
 * Against AI players at once, with lessons and the boards of the day.
 * @param {{ game: ReturnType<typeof useChosenGame> }} props
 */
function Alone({ game }) {
  const { token } = useAccount();
  const { ticket } = useSearch();
  const { attempt, busy, problem } = useAttempt();
  const play = () =>
    attempt(async () => {
      if (!isOnline()) return void (location.hash = "#/alone");
      if (!token) await registerGuest();
      const { id, players } = game ? { id: game.id, players: seatsOf(game) } : CLASSIC;
      const table = await makeTable({ ruleset: /** @type {any} */ (id), players, clock: QUICK_DEAL }, { ai: "easy" });
      location.hash = `#/table/${table}`;
    });
  return html`
    <section class="door" aria-labelledby="alone">
      <h2 id="alone" tabindex="-1">${t("start.alone")}</h2>
      ${
        !ticket &&
        html`
          <button type="button" class="alone wide" disabled=${busy} onClick=${play}>
            <${Icon} name="robot" />
            ${t("start.now")}
          </button>
        `
      }
      <${Refusal} problem=${problem} />
      <div class="buttons inside">
        <a class="button learn-way" href="#/learn">${t("learn")}</a>
        <a class="button" href="#/events">${t("event.today")}</a>
        <a class="button" href="#/riddles">${t("riddles")}</a>
      </div>
    </section>
  `;
}
