// The board: the visible part of the map, its movement by mouse, fingers and keys, and the layer on which scripts draw.

/** Pixels: the largest width of a hex, the width of a counter for fingers and of a counter with a label, the smallest target, and the distance that a pointer may move during a click. */
const PIXELS = { hex: 76, counter: 33, labelled: 32, target: 24, slip: 6 };
/** Map units: the width of a hex and of a counter, and the usual and the smallest ground around the pieces in play. */
const MAP = { hex: 40, counter: 22, around: 34, least: 6 };
/** Duration of a long press, in milliseconds. */
const LONG_PRESS = 450;

/** The visible part of the map: its center, and the number of pixels of a map unit; null before the map is first shown. @type {{ x: number, y: number, scale: number } | null} */
let shown = null;
/** Whether somebody moved the map, so that a change of its size does not move it back; whether all that is in play was asked for. */
let moved = false, overview = false;
/** A telephone: there the board is above the desk, and a first view with all counters would make them too small. */
const narrow = matchMedia("(max-width: 900px)");

/** @type {() => HTMLElement | null} */
const boardBox = () => document.getElementById("board");
/** Returns the server's drawing; null if the page shows several. @type {() => SVGSVGElement | null} */
const drawing = () => document.querySelector("#map:not(.views) > svg");

/** Creates an SVG element. @type {(name: string, given?: Record<string, string | number>, words?: string) => SVGElement} */
function shape(name, given = {}, words = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, String(value));
  if (words) made.textContent = words;
  return made;
}

/** The layer above the map on which scripts draw, with all focusable elements. The server's drawing stays unchanged. */
const over = /** @type {SVGSVGElement} */ (shape("svg", { id: "over", role: "group", "aria-label": "Units and targets on the board" }));

/** Returns the box of the whole map in the server's drawing. @type {() => { x: number, y: number, wide: number, high: number }} */
function whole() {
  const box = drawing()?.getAttribute("data-whole") ?? drawing()?.getAttribute("viewBox") ?? "0 0 1 1";
  const [x = 0, y = 0, wide = 1, high = 1] = box.split(" ").map(Number);
  return { x, y, wide, high };
}

/** Returns the box around several elements, with some ground; null if there are none. @type {(all: Iterable<Element>, ground: number) => { x: number, y: number, wide: number, high: number } | null} */
function around(all, ground) {
  const boxes = [...all].map((one) => /** @type {SVGGraphicsElement} */ (one).getBBox());
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((one) => one.x)) - ground, y = Math.min(...boxes.map((one) => one.y)) - ground;
  const right = Math.max(...boxes.map((one) => one.x + one.width)) + ground, bottom = Math.max(...boxes.map((one) => one.y + one.height)) + ground;
  return { x, y, wide: right - x, high: bottom - y };
}

/** Returns the size of the board in pixels. @type {() => { wide: number, high: number }} */
const pane = () => ({ wide: Math.max(boardBox()?.clientWidth ?? 1, 1), high: Math.max(boardBox()?.clientHeight ?? 1, 1) });

/** Returns the width that the map's buttons cover at the right, and the height that the desk covers at the bottom, in pixels. @type {() => { right: number, bottom: number }} */
function covered() {
  const buttons = find("zoom"), desk = find("desk"), box = boardBox();
  const right = box && buttons?.offsetWidth ? box.clientWidth - buttons.offsetLeft : 0, legend = find("legend")?.offsetHeight ?? 0;
  return { right, bottom: (desk ? Math.max(0, -parseFloat(getComputedStyle(desk).marginTop)) : 0) + (legend && legend + 8) };
}

/** The sides of the drawing's legend at the edge of the board, where they stay as large as text, and whole. */
function drawLegend() {
  const rows = [...document.querySelectorAll("#map:not(.views) .legend .counter")].flatMap((card) => {
    const letter = card.nextElementSibling, words = letter?.nextElementSibling?.textContent ?? "", box = /** @type {SVGGraphicsElement} */ (card).getBBox();
    const picture = shape("svg", { viewBox: `${box.x - 1} ${box.y - 1} ${box.width + 2} ${box.height + 2}`, "aria-hidden": "true", class: "counters" }), row = document.createElement("li"), name = document.createElement("span");
    name.textContent = words;
    picture.append(card.cloneNode(true), ...(letter ? [letter.cloneNode(true)] : []));
    row.append(picture, name);
    return [row];
  });
  const legend = find("legend") ?? document.createElement("ul");
  legend.id = "legend";
  legend.setAttribute("aria-label", "Sides and their units");
  legend.replaceChildren(...rows);
  boardBox()?.append(legend);
}

/** Shows everything in play as large as possible, with less ground around it if counters would be small. */
function showInPlay() {
  const inPlay = document.querySelectorAll("#map .stack, #map .way, #map .lost, #map .contested"), { wide, high } = pane(), { right, bottom } = covered();
  const fitting = (/** @type {number} */ ground) => {
    const all = around(inPlay, ground) ?? whole();
    return { all, scale: Math.min((wide - right) / all.wide, (high - bottom) / all.high, PIXELS.hex / MAP.hex) };
  };
  const roomy = fitting(MAP.around), { all, scale } = roomy.scale < PIXELS.counter / MAP.counter ? fitting(MAP.least) : roomy;
  showAround(all.x + all.wide / 2, all.y + all.high / 2, scale);
}

/** A point in the middle of what nothing covers. @type {(x: number, y: number, scale: number) => void} */
function showAround(x, y, scale) {
  const { right, bottom } = covered();
  shown = { x: x + right / scale / 2, y: y + bottom / scale / 2, scale };
  moved = false;
  showMap();
}

/** The first view: all that is in play; on a telephone, where that is too small, the units that an action is required of, the active or the own ones, as large as a finger. */
function showFirst() {
  showInPlay();
  const scale = PIXELS.counter / MAP.counter;
  if (overview || !narrow.matches || !shown || shown.scale >= scale) return;
  const side = CSS.escape(boardBox()?.dataset["side"] ?? ""), named = new Set((document.querySelector("#standing .owed")?.textContent ?? "").split(/[\s,:;]+/)), all = (/** @type {string} */ more) => [...document.querySelectorAll(`#map .stack${side && `[data-side="${side}"]`}${more}`)];
  const isNamed = (/** @type {Element} */ one) => String(one.getAttribute("data-units")).split(" ").some((unit) => named.has(unit));
  const near = all("").length ? all("") : [...document.querySelectorAll("#map .stack")];
  const wanted = new Set([near.filter(isNamed), near.filter((one) => one.querySelector(".active")), near].find((one) => one.length));
  const boxes = near.map((one) => ({ box: /** @type {SVGGraphicsElement} */ (one).getBBox(), worth: wanted.has(one) ? near.length : 1 }));
  const { wide, high } = pane(), { right, bottom } = covered(), across = (wide - right) / scale, down = (high - bottom) / scale;
  // The best window has most of the wanted, then most of the others. It begins at the left edge of one and at the upper edge of one.
  const within = (/** @type {number} */ left, /** @type {number} */ top) => boxes.filter(({ box }) => box.x >= left && box.y >= top && box.x + box.width <= left + across && box.y + box.height <= top + down);
  const worth = (/** @type {typeof boxes} */ found) => found.reduce((sum, one) => sum + one.worth, 0);
  const windows = boxes.flatMap(({ box: { x } }) => boxes.map(({ box: { y } }) => within(x - MAP.least, y - MAP.least)));
  const best = windows.reduce((found, one) => (worth(one) > worth(found) ? one : found), []).map((one) => one.box);
  const [left, top] = [Math.min(...best.map((one) => one.x)), Math.min(...best.map((one) => one.y))];
  if (best.length) showAround((left + Math.max(...best.map((one) => one.x + one.width))) / 2, (top + Math.max(...best.map((one) => one.y + one.height))) / 2, scale);
}

function showMap() {
  const svg = drawing();
  over.toggleAttribute("hidden", !svg);
  if (!svg) return;
  if (!svg.hasAttribute("data-whole")) svg.setAttribute("data-whole", svg.getAttribute("viewBox") ?? "");
  if (!shown) return showFirst();
  const { wide, high } = pane(), across = wide / shown.scale, down = high / shown.scale;
  for (const one of [svg, over]) one.setAttribute("viewBox", `${shown.x - across / 2} ${shown.y - down / 2} ${across} ${down}`);
  svg.classList.toggle("small", MAP.counter * shown.scale < PIXELS.labelled);
  document.dispatchEvent(new CustomEvent("umpire:moved"));
}

/** Converts pixels to map units. @type {(pixels: number) => number} */
const inUnits = (pixels) => pixels / (shown?.scale ?? 1);

/** Zooms around a point: in if above 1, out if below 1; 0 shows everything in play. @type {(by: number, x?: number, y?: number) => void} */
function zoom(by, x, y) {
  if (by === 0 || !shown) { overview = true; return showInPlay(); }
  const all = whole(), { wide, high } = pane(), least = 0.8 * Math.min(wide / all.wide, high / all.high, 1);
  const scale = Math.min(Math.max(shown.scale * by, least), 8), share = shown.scale / scale;
  const [px, py] = [x ?? shown.x, y ?? shown.y];
  shown = { x: px - (px - shown.x) * share, y: py - (py - shown.y) * share, scale };
  moved = true;
  showMap();
}

/** Moves the map by pixels. @type {(across: number, down: number) => void} */
function drag(across, down) {
  if (!shown) return;
  shown = { ...shown, x: shown.x - across / shown.scale, y: shown.y - down / shown.scale };
  moved = true;
  showMap();
}

/** Moves the map until a point on it is visible, beside its buttons and above its legend. @type {(x: number, y: number) => void} */
function reveal(x, y) {
  if (!shown) return;
  const { wide, high } = pane(), { right, bottom } = covered(), across = wide / shown.scale / 2 - MAP.hex / 2, down = high / shown.scale / 2 - MAP.hex / 2;
  const nx = Math.min(Math.max(shown.x, x - across + right / shown.scale), x + across), ny = Math.min(Math.max(shown.y, y - down + bottom / shown.scale), y + down);
  if (nx === shown.x && ny === shown.y) return;
  shown = { ...shown, x: nx, y: ny };
  showMap();
}

/** Returns the point on the map under a pointer. @type {(event: MouseEvent) => DOMPoint | null} */
function spot(event) {
  const matrix = drawing()?.getScreenCTM();
  return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
}

// --- mouse and fingers ------------------------------------------------------------------------------------------------

/** The positions of the fingers, or of the pressed mouse. @type {Map<number, [x: number, y: number]>} */
const fingers = new Map();
/** The distance that the fingers moved since the first touch; whether the last pointer was a finger; the timer of the long press. */
let slipped = 0, touched = false, pressing = 0;

/** @type {() => number} */
function spread() {
  const [one, other] = fingers.values();
  return one && other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0;
}

/** @type {(event: PointerEvent) => void} */
function pressed(event) {
  if (event.button || !onMap(event)) return;
  if (!fingers.size) slipped = 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  touched = event.pointerType === "touch";
  clearTimeout(pressing);
  const target = event.target;
  if (touched && fingers.size === 1) pressing = setTimeout(() => target?.dispatchEvent(new CustomEvent("umpire:press", { bubbles: true })), LONG_PRESS);
}

/** Moves the map with one finger; two fingers also zoom. @type {(event: PointerEvent) => void} */
function dragged(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const across = event.clientX - before[0], down = event.clientY - before[1];
  slipped += Math.hypot(across, down);
  if (slipped <= PIXELS.slip) return;
  clearTimeout(pressing);
  const box = boardBox();
  if (box && !box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
  const apart = spread();
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  drag(across / fingers.size, down / fingers.size);
  const at = spot(event);
  if (apart && fingers.size > 1) zoom(spread() / apart, at?.x, at?.y);
}

/** @type {(event: PointerEvent) => void} */
function released(event) {
  fingers.delete(event.pointerId);
  clearTimeout(pressing);
}

/** Returns whether an event is on the map itself, not on a control above it. @type {(event: Event) => boolean} */
const onMap = (event) => event.target instanceof Element && drawing() !== null && event.target.closest("#map, #over") !== null;

/** @type {(event: WheelEvent) => void} */
function wheeled(event) {
  if (event.ctrlKey || event.metaKey || !onMap(event)) return; // the browser's own zoom
  event.preventDefault();
  const at = spot(event);
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), at?.x, at?.y);
}

function openBoard() {
  const box = boardBox();
  if (!box) return;
  find("map")?.after(over);
  find("zoom")?.removeAttribute("hidden");
  for (const [id, by] of /** @type {[string, number][]} */ ([["closer", 1.25], ["farther", 0.8], ["whole", 0]])) find(id)?.addEventListener("click", () => zoom(by));
  box.addEventListener("wheel", wheeled, { passive: false });
  box.addEventListener("pointerdown", pressed);
  box.addEventListener("pointermove", dragged);
  box.addEventListener("pointerup", released);
  box.addEventListener("pointercancel", released);
  box.addEventListener("contextmenu", (event) => { if (touched && onMap(event)) event.preventDefault(); });
  new ResizeObserver(() => (moved ? showMap() : showFirst())).observe(box);
  for (const draws of [drawLegend, showMap]) { document.addEventListener("umpire:put", draws); draws(); }
}

openBoard();
