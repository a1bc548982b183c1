/** Learning by playing: the lessons, and the table of one with the coach's line above it. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { changeAccount, theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { pointsOf } from "../cards/cards.js";
import { makeTable } from "../games/setup.js";
import { isOff, LessonSession, namedBy, stepAsked, stepsDone } from "./coach.js";
import { LESSONS } from "./lessons.js";
import { STEPS, WORDS } from "./words.js";
import { withNames } from "../people/aiplayer.js";
import { Cards } from "../cards/card.js";
import { useAccount, useAttempt, useOnline } from "../ui/hooks.js";
import { useSession } from "../live/hooks.js";
import { useRules } from "../games/hooks.js";
import { register } from "../account/name.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { TopBar } from "../round/topbar.js";
import { filled, ofCatalogue, t } from "../texts/texts.js";
import { Game } from "../round/game.js";

/** @typedef {import("./coach.js").Lesson} Lesson */

/**
 * The lessons done, and the table of the one in progress.
 * @returns {{ done: string[], open?: { id: string, table: string } }}
 */
const progress = () => theAccount().lessons ?? { done: [] };

/** Close a table that is no longer needed. @param {string} table */
const close = (table) => call("DELETE", `/tables/${table}`).catch(() => {});

/**
 * Begin a lesson at a new table; players without a name get one.
 * @param {Lesson} lesson
 * @returns {Promise<string>} id of the table
 */
async function begin(lesson) {
  if (!theAccount().token) await register(t("guest", { number: 100 + Math.floor(Math.random() * 900) }));
  const before = progress().open;
  if (before) close(before.table);
  const table = await makeTable(lesson.table, { ai: "easy" });
  changeAccount({ lessons: { ...progress(), open: { id: lesson.id, table } } });
  return table;
}

/** Note that a lesson is done, and offer the next one. @param {Lesson} lesson @param {string} table */
function finish(lesson, table) {
  const { done } = progress();
  changeAccount({ lessons: { done: [...new Set([...done, lesson.id])] } });
  close(table);
}

/** The screen of a lesson, or of all. @param {import("../routes.js").Address} address */
export const learnScreen = ({ rest: [id] }) =>
  id
    ? html`
        <${LessonScreen} key=${id} id=${id} />
      `
    : html`
        <${LearnScreen} />
      `;

/** All lessons, in their order. */
function LearnScreen() {
  const { lessons = { done: [] } } = useAccount();
  const next = LESSONS.find(({ id }) => !lessons.done.includes(id));
  return html`
    <main class="page learn">
      <${PageBar} title=${t("learn")} />
      <p>${t("learn.about")}</p>
      <ol class="my-tables">
        ${LESSONS.map(
          (lesson, at) => html`
            <li key=${lesson.id}>
              <a
                href=${`#/learn/${lesson.id}`}
                aria-current=${lesson === next ? "step" : undefined}
                class=${lesson === next ? "turn" : ""}
              >
                <b>${at + 1}. ${ofCatalogue(lesson.title)}</b>
                ${
                  lessons.done.includes(lesson.id)
                    ? html`
                        <span class="badge">${t("learn.done")}</span>
                      `
                    : lessons.open?.id === lesson.id &&
                      html`
                        <span class="badge">${t("learn.begun")}</span>
                      `
                }
              </a>
            </li>
          `,
        )}
      </ol>
      <p><a class="button" href="#/rules/shengji">${t("rules")}</a></p>
    </main>
  `;
}

/** @param {{ id: string }} props */
function LessonScreen({ id }) {
  const lesson = LESSONS.find((each) => each.id === id);
  const { lessons } = useAccount();
  const [table, setTable] = useState(lessons?.open?.id === id ? lessons.open.table : "");
  const { attempt, busy, problem } = useAttempt();
  if (!lesson)
    return html`
      <main class="page">
        <p role="alert">${t("address.unknown")}</p>
        <p><a href="#/learn">${t("learn")}</a></p>
      </main>
    `;
  const start = () => attempt(async () => setTable(await begin(lesson)));
  if (table)
    return html`
      <${LessonTable} key=${table} lesson=${lesson} table=${table} onAgain=${start} onLost=${() => setTable("")} />
    `;
  return html`
    <main class="page learn">
      <${PageBar} title=${ofCatalogue(lesson.title)} from="#/learn" />
      <p>${ofCatalogue(lesson.intro)}</p>
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${start}>${t("learn.begin")}</button>
      </div>
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
    </main>
  `;
}

/** @param {{ lesson: Lesson, table: string, onAgain: () => void, onLost: () => void }} props */
function LessonTable({ lesson, table, onAgain, onLost }) {
  const session = /** @type {LessonSession | null} */ (
    useSession(table, lesson.id, undefined, () => new LessonSession(table, lesson))
  );
  const online = useOnline();
  const { lost, refusal, live } = session?.state ?? {};
  const view = session?.state.view && withNames(session.state.view);
  const rules = useRules(view);
  const isOver = view !== undefined && view !== null && stepsDone(lesson, view) === lesson.steps.length;
  const beside =
    view && !stepAsked(lesson, view) && view.decision?.seats.includes(view.my?.seat ?? -1)
      ? view.decision.kind
      : undefined;
  useEffect(() => void (isOver && finish(lesson, table)), [isOver]);
  // Decisions that the lesson is not about are taken for the learner.
  useEffect(() => {
    if (beside === "declare" || beside === "defend" || beside === "overcall-kitty") session?.act("pass");
    if (beside === "discard" && lesson.bury) session?.act("discard", { cards: lesson.bury });
  }, [beside, view?.decision?.id]);
  useEffect(() => void (lost && !isOver && onLost()), [lost]);
  if (!session || !view?.round)
    return html`
      <main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline")}</p></main>
    `;
  return html`
    <main class=${`table playing lesson${isOver ? " finished" : ""}`}>
      <${TopBar} view=${view} rules=${rules} from="#/learn" />
      ${
        (!online || !live) &&
        !isOver &&
        html`
          <p class="offline" role="status">${t(online ? "reconnecting" : "offline")}</p>
        `
      }
      <${Coach} session=${session} lesson=${lesson} view=${view} over=${isOver} onAgain=${onAgain} />
      <${Game}
        session=${session}
        view=${view}
        rules=${rules}
        failed=${session.state.failedThrow}
        missed=${session.misses.count}
        aside=${false}
      />
      ${
        refusal &&
        html`
          <${Refusal} problem=${refusal} onClose=${() => session.change({ refusal: null })} />
        `
      }
    </main>
  `;
}

/**
 * The coach's line.
 * @param {{
 *   session: LessonSession,
 *   lesson: Lesson,
 *   view: import("../types").View,
 *   over: boolean,
 *   onAgain: () => void,
 * }} props
 */
function Coach({ session, lesson, view, over, onAgain }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const number = stepsDone(lesson, view);
  const step = stepAsked(lesson, view);
  const off = step !== null && isOff(step, view);
  const next = LESSONS[LESSONS.indexOf(lesson) + 1];
  useEffect(() => void (over && place.current?.querySelector("a")?.focus()), [over]);
  const missed = step !== null && session.misses.step === number;
  const text = over
    ? lesson.end
    : off
      ? WORDS.off
      : step
        ? STEPS[step.say][missed ? "miss" : step.quiz ? "quiz" : "ask"]
        : number
          ? WORDS.right
          : WORDS.watch;
  const shown = step && !off && step.cards && (!step.quiz || missed) ? namedBy(step, view) : null;
  return html`
    <section class=${`coach${missed && !over ? " missed" : ""}`} ref=${place} aria-label=${t("learn.coach")}>
      <p role="status" key=${over ? "over" : `${number} ${session.misses.count}`}>
        <b>${t("learn.step", { number: Math.min(number + 1, lesson.steps.length), of: lesson.steps.length })}</b>
        ${" "}${filled(ofCatalogue(text), valuesOf(view))}
        ${
          shown &&
          html`
            ${" "}
            <${Cards} cards=${shown} size="tiny" />
          `
        }
      </p>
      ${
        (off || over) &&
        html`
          <div class="buttons">
            ${
              off &&
              html`
                <button type="button" class="main" onClick=${onAgain}>${t("learn.again")}</button>
              `
            }
            ${
              over &&
              next &&
              html`
                <a class="button main" href=${`#/learn/${next.id}`}>${t("learn.next")}</a>
              `
            }
            ${
              over &&
              !next &&
              html`
                <a class="button main" href="#/">${t("home")}</a>
              `
            }
            <a class="button" href="#/learn">${t("learn.all")}</a>
          </div>
        `
      }
    </section>
  `;
}

/**
 * Values for the coach's texts: who is winning the trick, and the points in it.
 * @param {import("../types").View} view
 */
function valuesOf({ round, seats }) {
  const { trick } = round ?? {};
  const winner = trick?.winning ?? null;
  const points = (trick?.plays ?? []).flatMap(({ cards }) => cards).reduce((sum, card) => sum + pointsOf(card), 0);
  return { who: winner === null ? "" : (seats[winner].occupant?.name ?? ""), points };
}
