// The time bar: marks of turns, steps, rolls and one's own orders along it, words for each position, keys.

/** The marks of the service, oldest first. @typedef {{ turns: [at: number, turn: number][], steps: [at: number, words: string][], rolls: number[], own: number[], looked: number }} Marks */

/** Pixels from the edge of the slider to the middle of its thumb at an end; between two numbers of turns; around a mark. */
const BAR = { thumb: 8, number: 22, near: 3 };

/** @type {() => HTMLInputElement | null} */
const slider = () => document.querySelector("#bar");

/** @type {() => Marks} */
function marksOfBar() {
  const said = document.querySelector("#when .bar")?.getAttribute("data-marks");
  return said ? JSON.parse(said) : { turns: [], steps: [], rolls: [], own: [], looked: 0 };
}

/** The pixels from the left edge of the bar to a position. @type {(bar: HTMLInputElement, at: number) => number} */
function acrossBar(bar, at) {
  const share = (at - Number(bar.min)) / Math.max(Number(bar.max) - Number(bar.min), 1);
  return BAR.thumb + share * (bar.clientWidth - 2 * BAR.thumb);
}

/** The last mark up to a position. @template T @param {[at: number, words: T][]} marks @param {number} at @returns {T | undefined} */
function lastUpTo(marks, at) {
  return marks.filter(([position]) => position <= at).pop()?.[1];
}

/** A position in words: its turn and step, and the marks beside it. @type {(bar: HTMLInputElement, at: number) => string} */
function wordsAt(bar, at) {
  const marks = marksOfBar(), records = (Number(bar.max) - Number(bar.min)) / Math.max(bar.clientWidth - 2 * BAR.thumb, 1);
  const near = (/** @type {number} */ one) => Math.abs(one - at) <= BAR.near * records;
  const nearest = (/** @type {number[]} */ all) => all.filter(near).sort((one, other) => Math.abs(one - at) - Math.abs(other - at))[0];
  const turn = lastUpTo(marks.turns, at), own = nearest(marks.own), roll = nearest(marks.rolls);
  return [`#${at}`, turn ? `turn ${turn}` : "", lastUpTo(marks.steps, at) ?? "", own ? `your order #${own}` : "", roll ? `dice #${roll}` : "", marks.looked && near(marks.looked) ? `you last looked at #${marks.looked}` : ""].filter(Boolean).join(" · ");
}

/** Short lines at some positions, a pixel each at most. @type {(bar: HTMLInputElement, kind: string, all: number[], y: number, high: number) => SVGElement} */
function ticksOf(bar, kind, all, y, high) {
  const pixels = new Set(all.map((at) => Math.round(acrossBar(bar, at))));
  return shape("path", { class: kind, d: [...pixels].map((x) => `M${x}.5 ${y}v${high}`).join("") });
}

/** The numbers of turns where they have room. @type {(bar: HTMLInputElement, turns: Marks["turns"]) => SVGElement[]} */
function turnNumbers(bar, turns) {
  let free = 0;
  return turns.flatMap(([at, turn]) => {
    const x = acrossBar(bar, at) + 3;
    if (x < free || x + BAR.number > bar.clientWidth) return [];
    free = x + BAR.number;
    return [shape("text", { x, y: 11 }, String(turn))];
  });
}

function drawMarks() {
  const bar = slider(), box = bar?.parentElement, marks = marksOfBar();
  document.querySelector("#when .marks")?.remove();
  if (!bar || !box || !bar.clientWidth) return;
  const low = box.clientHeight - 10, looked = acrossBar(bar, marks.looked), picture = shape("svg", { class: "marks", "aria-hidden": "true" });
  picture.append(
    ticksOf(bar, "steps", marks.steps.map(([at]) => at), 11, 5), ticksOf(bar, "turns", marks.turns.map(([at]) => at), 3, 13), ...turnNumbers(bar, marks.turns),
    ticksOf(bar, "rolls", marks.rolls, low - 6, 6),
    shape("path", { class: "own", d: [...new Set(marks.own.map((at) => Math.round(acrossBar(bar, at))))].map((x) => `M${x - 2} ${low + 2}h4v4h-4z`).join("") }),
    ...(marks.looked ? [shape("path", { class: "looked", d: `M${looked} ${low - 5}l4.5 5l-4.5 5l-4.5 -5z` })] : [])
  );
  box.prepend(picture);
  bar.setAttribute("aria-valuetext", wordsAt(bar, Number(bar.value)));
}

/** Shows the words of a position over the bar; none for NaN. @type {(at: number) => void} */
function labelBar(at) {
  const bar = slider(), box = bar?.parentElement;
  find("bar-label")?.remove();
  if (!bar || !box || Number.isNaN(at)) return;
  const label = element("p", { id: "bar-label", "aria-hidden": "true" }, wordsAt(bar, at)), frame = box.getBoundingClientRect();
  box.append(label);
  const left = Math.min(Math.max(acrossBar(bar, at) - label.offsetWidth / 2, 8 - frame.left), innerWidth - 8 - label.offsetWidth - frame.left);
  label.style.left = `${left}px`;
}

/** The position under a pointer. @type {(bar: HTMLInputElement, event: PointerEvent) => number} */
function positionUnder(bar, event) {
  const share = (event.clientX - bar.getBoundingClientRect().left - BAR.thumb) / Math.max(bar.clientWidth - 2 * BAR.thumb, 1);
  return Math.round(Number(bar.min) + Math.min(Math.max(share, 0), 1) * (Number(bar.max) - Number(bar.min)));
}

/** Keys on the bar: with Shift to the next step, PgUp and PgDn to the next turn. @type {(event: KeyboardEvent) => void} */
function barKeys(event) {
  const bar = slider(), marks = marksOfBar(), ahead = ["PageUp", "ArrowRight", "ArrowUp"].includes(event.key);
  if (event.target !== bar || !bar || !/^(Page(Up|Down)|Arrow\w+)$/.test(event.key) || !(event.shiftKey || event.key.startsWith("Page"))) return;
  const all = (event.key.startsWith("Page") ? marks.turns : marks.steps).map(([at]) => at), now = Number(bar.value);
  const to = ahead ? all.find((at) => at > now) ?? Number(bar.max) : all.filter((at) => at < now).pop() ?? Number(bar.min);
  event.preventDefault();
  bar.value = String(to);
  for (const kind of ["input", "change"]) bar.dispatchEvent(new Event(kind, { bubbles: true }));
}

/** What the pointer or the focus is on, in words. @type {(event: Event) => void} */
function labelled(event) {
  const bar = slider();
  if (!bar || event.target !== bar) return;
  bar.setAttribute("aria-valuetext", wordsAt(bar, Number(bar.value)));
  labelBar(event.type === "pointermove" ? positionUnder(bar, /** @type {PointerEvent} */ (event)) : event.type === "blur" || event.type === "pointerout" ? (document.activeElement === bar && event.type === "pointerout" ? Number(bar.value) : NaN) : Number(bar.value));
}

for (const kind of ["pointermove", "pointerout", "focusin", "input"]) document.addEventListener(kind, labelled);
document.addEventListener("blur", labelled, { capture: true });
document.addEventListener("keydown", barKeys);
document.addEventListener("umpire:put", drawMarks);
addEventListener("resize", drawMarks);
drawMarks();
