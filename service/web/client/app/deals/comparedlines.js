/** The lines of a deal: who has made what of it, and two of them side by side. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { Cards } from "../cards/card.js";
import { Player } from "../people/player.js";
import { signed } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Loading } from "../ui/loading.js";
import { doesText, say } from "./dealwords.js";

/**
 * @typedef {import("../types").DealComparison} Compared
 * @typedef {import("../types").ComparedLine} Line
 * @typedef {import("../types").DealStep} Step
 */

/** @param {{ path: string, isAlone: boolean }} props `isAlone`: nobody else has played it */
export function Comparison({ path, isAlone }) {
  const [beside, setBeside] = useState("");
  const { value, error } = useLoaded(
    async () =>
      /** @type {Compared} */ (
        await call("GET", `${path}/comparison${beside && `?with=${encodeURIComponent(beside)}`}`)
      ),
    [beside],
  );
  if (!value)
    return html`
      <${Loading} error=${error} />
    `;
  const other = value.items.find(({ player }) => player === value.other?.player);
  const mine = value.items.find(({ player }) => player === value.mine.player);
  return html`
    ${
      mine &&
      other &&
      html`
        <p class="versus" role="status">${leadText(mine, other)}</p>
      `
    }
    ${
      !isAlone &&
      html`
        <${Ladder} compared=${value} other=${other} onChoose=${setBeside} />
      `
    }
    ${
      value.par &&
      html`
        <p class="hint">
          ${say(value.level === null ? "par.scores" : "par", { value: signed(Math.round(value.par.value)) })}
        </p>
      `
    }
    ${
      mine &&
      other &&
      html`
        <${BothLines} compared=${value} mine=${mine} other=${other} />
      `
    }
  `;
}

/** What somebody made of the deal, in words. @param {Line} line */
function resultText({ points, side, scores }) {
  if (scores) return scores.join(" : ");
  if (side === "declarers" || side === "attackers") return say(`points.${side}`, { points: points ?? 0 });
  return say("broken");
}

/** Two results, and where the lines part. @param {Line} mine @param {Line} other */
function leadText(mine, other) {
  const values = { other: other.name, theirs: resultText(other), who: mine.name, mine: resultText(mine) };
  return `${say(mine.me ? "lead" : "lead.two", values)} ${partsText(other)}`;
}

/** @param {Line} other */
function partsText({ parts }) {
  if (!parts) return say("parts.same");
  return parts.trick ? say("parts.trick", { trick: parts.trick }) : say("parts.before");
}

/** @param {Line} line */
const partedText = ({ parts }) =>
  !parts ? "" : parts.trick ? say("parted.trick", { trick: parts.trick }) : say("parted.before");

/**
 * Everybody's results, the best first; a name lays the line of that player beside one's own.
 * @param {{ compared: Compared, other: Line | undefined, onChoose: (player: string) => void }} props
 */
const Ladder = ({ compared, other, onChoose }) => html`
  <h2>${say("ladder")}</h2>
  <table class="results ladder" aria-label=${say("ladder")}>
    <thead>
      <tr>
        <th scope="col" class="number">${say("place")}</th>
        <th scope="col">${say("who")}</th>
        <th scope="col">${say("result")}</th>
        <th scope="col" class="number">±</th>
        <th scope="col">${say("parted")}</th>
      </tr>
    </thead>
    <tbody>
      ${compared.items.map(
        (line) => html`
          <tr key=${line.player} class=${line.me ? "me" : ""}>
            <td class="number">${line.rank ?? "–"}</td>
            <th scope="row">
              <${Who}
                line=${line}
                isMine=${line.player === compared.mine.player}
                isBeside=${line === other}
                onChoose=${onChoose}
              />
            </th>
            <td>${resultText(line)}</td>
            <td class="number">${line.value === null ? "–" : signed(line.value)}</td>
            <td>${partedText(line)}</td>
          </tr>
        `,
      )}
    </tbody>
  </table>
`;

/**
 * @typedef {object} WhoProps
 * @property {Line} line
 * @property {boolean} isMine
 * @property {boolean} isBeside
 * @property {(player: string) => void} onChoose
 */

/** @param {WhoProps} props */
const Who = ({ line, isMine, isBeside, onChoose }) => html`
  ${
    isMine
      ? html`
          <${Player} plain player=${line.player} name=${line.name} face=${line.face} />
        `
      : html`
          <button
            type="button"
            aria-pressed=${isBeside}
            aria-label=${say("beside", { name: line.name })}
            onClick=${() => onChoose(line.player)}
          >
            ${line.name}
          </button>
        `
  }
  ${
    line.sender &&
    html`
      ${" "}
      <small class="hint">${say("first")}</small>
    `
  }
`;

/**
 * The steps of a line by trick; those before the first one are trick 0.
 * @param {readonly Step[]} steps
 */
function tricksOf(steps) {
  const tricks = /** @type {Step[][]} */ ([[]]);
  for (const step of steps) (tricks[step.trick ?? 0] ??= []).push(step);
  return tricks;
}

/** @param {readonly Step[] | undefined} one @param {readonly Step[] | undefined} other */
const areSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {{ compared: Compared, mine: Line, other: Line }} props */
function BothLines({ compared, mine, other }) {
  const lines = [tricksOf(compared.mine.steps), tricksOf(compared.other?.steps ?? [])];
  const numbers = Array.from({ length: Math.max(...lines.map(({ length }) => length)) }, (_, at) => at);
  const first = numbers.find((at) => !areSame(lines[0][at], lines[1][at])) ?? numbers.length;
  const names = [mine.me ? say("you") : mine.name, other.name];
  const rows = (/** @type {number[]} */ shown) => html`
    <table class="lines">
      <thead>
        <tr>
          <th scope="col" class="number">${say("trick")}</th>
          ${names.map(
            (name) => html`
              <th scope="col">${name}</th>
            `,
          )}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (at) => html`
            <tr key=${at} class=${areSame(lines[0][at], lines[1][at]) ? "" : "differs"}>
              <th scope="row" class="number">${at || say("before")}</th>
              ${lines.map(
                (line) => html`
                  <td><${Trick} steps=${line[at] ?? []} seat=${compared.seat} /></td>
                `,
              )}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
  const same = numbers.slice(0, first);
  return html`
    <h2>${say("lines")}</h2>
    ${
      same.length > 0 &&
      html`
        <details>
          <summary>${say("same", { count: Math.max(0, first - 1) })}</summary>
          ${rows(same)}
        </details>
      `
    }
    ${first < numbers.length && rows(numbers.slice(first))}
  `;
}

/** What was done in a trick, or before the first. @param {{ steps: readonly Step[], seat: number }} props */
const Trick = ({ steps, seat }) => html`
  <ol class="steps">
    ${steps.map(
      (step) => html`
        <li class=${step.seat === seat ? "me" : ""}>
          <small>${step.seat + 1}${step.type !== "play" && ` ${doesText(step.type)}`}</small>
          ${
            step.cards.length > 0 &&
            html`
              <${Cards} cards=${step.cards} size="tiny" />
            `
          }
          ${[...step.calls, step.road ?? ""].join(" ")}
        </li>
      `,
    )}
  </ol>
`;
