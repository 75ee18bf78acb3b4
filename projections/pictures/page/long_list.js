// @ts-check
// Shows a list of up to 50,000 rows with only the rows near the visible part in the page.

/** The number of rows that are created together. */
const RUN = 24;

/**
 * A list of any length. Rows are created in runs, and only runs near the visible part have rows.
 */
class LongList {
  /**
   * @param {HTMLElement} box the scrolling element
   * @param {(number: number) => HTMLElement} row creates the `li` for the row with an index
   */
  constructor(box, row) {
    this.box = box;
    this.row = row;
    this.count = 0;
    /** @type {HTMLElement[]} */
    this.runs = [];
    /** Approximate height of a row, in pixels. */
    this.usual = 26;
    this.watch = new IntersectionObserver((seen) => seen.forEach((one) => this.seen(one)), { root: box, rootMargin: "400px 0px" });
  }

  /** Shows a number of rows, all created again. @param {number} count */
  show(count) {
    this.watch.disconnect();
    this.count = count;
    this.runs = Array.from({ length: Math.ceil(count / RUN) }, (_, number) => {
      const run = made("ol", { "data-run": String(number) });
      run.style.height = `${Math.min(RUN, count - number * RUN) * this.usual}px`;
      return run;
    });
    this.box.replaceChildren(...this.runs);
    for (const run of this.runs) this.watch.observe(run);
  }

  /** @param {IntersectionObserverEntry} one */
  seen(one) {
    const run = /** @type {HTMLElement} */ (one.target);
    if (one.isIntersecting) this.fill(run);
    else if (run.hasChildNodes() && !run.contains(document.activeElement)) {
      run.style.height = `${run.offsetHeight}px`;
      run.replaceChildren();
    }
  }

  /** @param {HTMLElement | undefined} run */
  fill(run) {
    if (!run || run.hasChildNodes()) return;
    const first = Number(run.dataset.run) * RUN;
    const numbers = Array.from({ length: Math.min(RUN, this.count - first) }, (_, at) => first + at);
    run.append(...numbers.map(this.row));
    run.style.height = "";
  }

  /** Returns the row with an index if it is in the page. @param {number} number */
  shown(number) {
    const run = this.runs[Math.floor(number / RUN)];
    return /** @type {HTMLElement | undefined} */ (run?.children[number % RUN]);
  }

  /** Creates a row again if it is in the page. @param {number} number */
  again(number) {
    this.shown(number)?.replaceWith(this.row(number));
  }

  /** Scrolls to a row or to a part of it. @type {(number: number, part?: string) => void} */
  reveal(number, part) {
    const run = Math.floor(number / RUN);
    for (const near of [run - 1, run, run + 1]) this.fill(this.runs[near]);
    const row = this.shown(number);
    const seen = (part && row?.querySelector(part)) || row;
    if (!seen) return;
    const [outer, inner] = [this.box.getBoundingClientRect(), seen.getBoundingClientRect()];
    const [above, under] = [inner.top - outer.top, inner.bottom - outer.bottom];
    if (above < outer.height * 0.1 || under > -outer.height * 0.15) this.box.scrollTop += above - outer.height * 0.4;
  }
}
