/** Learning by playing: the lessons, and the table of one with the coach's line above it. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { changeAccount, theAccount } from "../api/account.js";
import { isInPage } from "../api/alone.js";
import { call } from "../api/client.js";
import { isOnline } from "../api/network.js";
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
import { Explained } from "../ui/terms.js";
import { TopBar } from "../round/topbar.js";
import { filled, ofCatalogue, t } from "../texts/texts.js";
import { Game } from "../round/game.js";

/** @typedef {import("./coach.js").Lesson} Lesson */

/**
 * The lessons done, and the table of the one in progress.
 * @returns {{ done: string[], open?: { id: string, table: string } }}
 */
const progress = () => theAccount().lessons ?? { done: [] };

/** The table of a lesson without a network. */
const ALONE = "/tables/alone-lesson";

/** Close a table that is no longer needed. @param {string} table */
const close = (table) => call("DELETE", `/tables/${table}`).catch(() => {});

/**
 * Begin a lesson at a new table; players without a name get one.
 * @param {Lesson} lesson
 * @returns {Promise<string>} id of the table
 */
async function begin(lesson) {
  const path = isOnline() ? undefined : ALONE;
  if (!theAccount().token && !path) await register(t("guest", { number: 100 + Math.floor(Math.random() * 900) }));
  const before = progress().open;
  if (before) close(before.table);
  const table = await makeTable(lesson.table, { ai: "easy", path });
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
      <${Offline} />
      <ol class="my-tables" aria-label=${t("learn.all")}>
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
      <p><${Explained} text=${ofCatalogue(lesson.intro)} /></p>
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${start}>${t("learn.begin")}</button>
      </div>
      <${Refusal} problem=${problem} />
      <${Offline} />
    </main>
  `;
}

/** Without a network: the way to what lessons need then. */
const Offline = () =>
  !useOnline() &&
  html`
    <p class="offline" role="status"><a href="#/alone">${t("alone")}</a></p>
  `;

/**
 * What a table asks of the learner besides the lesson, if anything.
 * @param {Lesson} lesson
 * @param {View | null | undefined} view
 */
function askedBeside(lesson, view) {
  if (!view || stepAsked(lesson, view)) return undefined;
  return view.decision?.seats.includes(view.my?.seat ?? -1) ? view.decision.kind : undefined;
}

/**
 * Take the decisions that a lesson is not about for the learner.
 * @param {LessonSession | null} session
 * @param {Lesson} lesson
 * @param {View | null | undefined} view
 */
function useDecisionsTaken(session, lesson, view) {
  const beside = askedBeside(lesson, view);
  useEffect(() => {
    if (beside === "declare" || beside === "defend" || beside === "overcall-kitty") session?.act("pass");
    if (beside === "discard" && lesson.bury) session?.act("discard", { cards: lesson.bury });
  }, [beside, view?.decision?.id]);
}

/**
 * @typedef {import("../types").View} View
 * @typedef {object} LessonProps
 * @property {Lesson} lesson
 * @property {string} table
 * @property {() => void} onAgain
 * @property {() => void} onLost
 */

/** @param {LessonProps} props */
function LessonTable({ lesson, table, onAgain, onLost }) {
  const session = /** @type {LessonSession | null} */ (
    useSession(table, lesson.id, undefined, () => new LessonSession(table, lesson))
  );
  const online = useOnline();
  const { lost, refusal, live } = session?.state ?? {};
  const view = session?.state.view && withNames(session.state.view);
  const rules = useRules(view);
  const isOver = Boolean(view && stepsDone(lesson, view) === lesson.steps.length);
  useEffect(() => void (isOver && finish(lesson, table)), [isOver]);
  useDecisionsTaken(session, lesson, view);
  useEffect(() => void (lost && !isOver && onLost()), [lost]);
  if (!session || !view?.round)
    return html`
      <main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline")}</p></main>
    `;
  return html`
    <main class=${`table playing lesson${isOver ? " finished" : ""}`}>
      <${TopBar} view=${view} rules=${rules} from="#/learn" />
      ${
        !isOver &&
        html`
          <${Connection} isThere=${(online || isInPage(table)) && live} online=${online} />
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
      <${Refusal} problem=${refusal} onClose=${() => session.change({ refusal: null })} />
    </main>
  `;
}

/** What is wrong with the connection, if anything. @param {{ isThere: unknown, online: boolean }} props */
const Connection = ({ isThere, online }) =>
  !isThere &&
  html`
    <p class="offline" role="status">${t(online ? "reconnecting" : "offline")}</p>
  `;

/**
 * @typedef {object} CoachProps
 * @property {LessonSession} session
 * @property {Lesson} lesson
 * @property {View} view
 * @property {boolean} over whether the lesson is done
 * @property {() => void} onAgain
 */

/**
 * Where the learner is: how many steps are done, the step that is asked, and whether the deal has gone another way, or
 * the last try was wrong.
 * @param {CoachProps} props
 */
function placeOf({ session, lesson, view }) {
  const number = stepsDone(lesson, view);
  const step = stepAsked(lesson, view);
  return {
    number,
    step,
    off: step !== null && isOff(step, view),
    missed: step !== null && session.misses.step === number,
  };
}

/** What the coach says. @param {CoachProps} props @param {ReturnType<typeof placeOf>} place */
function lineOf({ lesson, over }, { number, step, off, missed }) {
  if (over) return lesson.end;
  if (off) return WORDS.off;
  if (!step) return number ? WORDS.right : WORDS.watch;
  return STEPS[step.say][missed ? "miss" : step.quiz ? "quiz" : "ask"];
}

/** The coach's line. @param {CoachProps} props */
function Coach(props) {
  const { session, lesson, view, over, onAgain } = props;
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => void (over && element.current?.querySelector("a")?.focus()), [over]);
  const place = placeOf(props);
  const { number, step, off, missed } = place;
  const cards = step && !off && step.cards && (!step.quiz || missed) ? namedBy(step, view) : null;
  return html`
    <section class=${`coach${missed && !over ? " missed" : ""}`} ref=${element} aria-label=${t("learn.coach")}>
      <p role="status" key=${over ? "over" : `${number} ${session.misses.count}`}>
        <b>${t("learn.step", { number: Math.min(number + 1, lesson.steps.length), of: lesson.steps.length })}</b>
        ${" "}
        <${Explained} text=${filled(ofCatalogue(lineOf(props, place)), valuesOf(view))} />
        ${
          cards &&
          html`
            ${" "}
            <${Cards} cards=${cards} size="tiny" />
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
            ${over && onwards(lesson)}
            <a class="button" href="#/learn">${t("learn.all")}</a>
          </div>
        `
      }
    </section>
  `;
}

/** Where to go after a lesson. @param {Lesson} lesson */
function onwards(lesson) {
  const next = LESSONS[LESSONS.indexOf(lesson) + 1];
  return html`
    <a class="button main" href=${`#/${next ? `learn/${next.id}` : ""}`}>${t(next ? "learn.next" : "home")}</a>
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
