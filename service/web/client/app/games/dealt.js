/** Whether a round was dealt fairly: the browser shuffles it again, and says in a sentence what that showed. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { checkShuffle } from "../table/shuffle.js";
import { spoken, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { DealtCards } from "./dealtcards.js";
import { rulesAt } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("../types").GameRecord} GameRecord */

/**
 * What the check of a round showed, as a sentence.
 * @param {GameRecord} record
 * @param {number} number of the round
 */
async function sentence(record, number) {
  const { game: id, ruleset, players, options, seats } = record;
  const round = record.rounds.find((each) => each.round === number);
  if (!round) return say("missing");
  const { composition } = (await rulesAt({ ruleset, players, options })).game;
  const cards = /** @type {import("../table/shuffle.js").Cards | null} */ (composition);
  if (!cards) return say("unknown");
  const { code, seen, count = 0, card = "", seat = 0 } = await checkShuffle(round, { id, players, options, cards });
  if (code === "right") return say(seen ? "right" : "right.unseen", { count });
  return say(code, { who: seats[seat].occupant?.name ?? "", card: card && spoken(card) });
}

/** @param {{ game: string, round: number }} props */
function DealtScreen({ game, round }) {
  const { value, error } = useLoaded(async () => {
    const record = /** @type {GameRecord} */ (await call("GET", `/games/${game}/record`));
    return { table: record.table, game: `${record.ruleset} ${record.players}`, answer: await sentence(record, round) };
  }, []);
  return html`
    <main class="page">
      <${PageBar} title=${say("title")} from=${`#/${value ? `table/${value.table}` : ""}`} />
      <p role="status">${value?.answer ?? (error ? "" : say("checking"))}</p>
      ${
        error?.problem &&
        html`
          <${Refusal} problem=${error.problem} />
        `
      }
      <p><a class="button" href=${`#/replay/${game}/${round}`}>${t("replay")}</a></p>
      ${
        (value || error) &&
        html`
          <${DealtCards} first=${value?.game} />
        `
      }
    </main>
  `;
}

/** Without a game, the distribution alone. @param {import("../routes.js").Address} address */
export const dealtScreen = ({ path, rest: [game, round] }) =>
  round
    ? html`
        <${DealtScreen} key=${path} game=${game} round=${Number(round)} />
      `
    : html`
        <main class="page">
          <${PageBar} title=${say("title")} />
          <${DealtCards} />
        </main>
      `;
