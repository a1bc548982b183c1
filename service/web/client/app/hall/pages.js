/** A list that is too long for a screen nobody touches: it turns its pages by itself. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { say } from "./words.js";

/** How long a page is shown, ms. */
const PAGE_MS = 10_000;
/** Up to how many items are drawn larger, and from how many on they fill two columns. */
const FEW = 4;
const MANY = 8;

/** How many pages the columns of a strip fill. @param {HTMLElement} strip */
function pagesOf(strip) {
  const gap = parseFloat(getComputedStyle(strip).columnGap) || 0;
  return Math.max(1, Math.ceil((strip.scrollWidth + gap) / (strip.clientWidth + gap) - 0.02));
}

/**
 * The items fill columns, and the columns that do not fit are further pages to the right.
 * @param {{ label: string, count: number, narrow?: boolean, ordered?: boolean, children: unknown }} props
 * `count`: of items; `narrow`: there is room for one column
 */
export function Pages({ label, count, narrow = false, ordered = false, children }) {
  const strip = useRef(/** @type {HTMLElement | null} */ (null));
  const [pages, setPages] = useState(1);
  const [at, setAt] = useState(0);
  const measure = () => void (strip.current && setPages(pagesOf(strip.current)));
  useEffect(measure);
  useEffect(() => {
    const resized = new ResizeObserver(measure);
    if (strip.current) resized.observe(strip.current);
    return () => resized.disconnect();
  }, []);
  useEffect(() => {
    if (pages === 1) return;
    const timer = setInterval(() => setAt((page) => page + 1), PAGE_MS);
    return () => clearInterval(timer);
  }, [pages]);
  const page = at % pages;
  const few = count <= FEW && !narrow;
  return html`
    <div class=${`pages${few ? " few" : ""}`}>
      <div class="frame">
        <${ordered ? "ol" : "ul"}
          ref=${strip}
          aria-label=${label}
          style=${{ columnCount: count > MANY && !narrow ? 2 : 1, translate: `calc(${-page} * (100% + var(--gap))) 0` }}
        >
          ${children}
        <//>
      </div>
      ${
        pages > 1 &&
        html`
          <p class="dots" role="img" aria-label=${say("page", { page: page + 1, pages })}>
            ${Array.from(
              { length: pages },
              (_, each) => html`
                <i class=${each === page ? "here" : ""} />
              `,
            )}
          </p>
        `
      }
    </div>
  `;
}
