// The board: the part of the map that is shown, how mouse, fingers and keys move it, and the layer that scripts draw on.

/** Pixels: a hex where there is room for it, the width of a counter for fingers and of one with a label, the least of a target, how far a pointer may slip in a click. */
const PIXELS = { hex: 76, counter: 33, labelled: 32, target: 24, slip: 6 };
/** Units of the map: the width of a hex and of a counter, the ground around what is in play, and the least of it. */
const MAP = { hex: 40, counter: 22, around: 34, least: 6 };
/** Milliseconds that a finger rests for a long press. */
const LONG_PRESS = 450;

/** What of the map is shown: its middle, and the pixels of a unit of the map; null before anything was shown. @type {{ x: number, y: number, scale: number } | null} */
let shown = null;
/** Whether somebody moved the map, so that a change of its size does not move it back. */
let moved = false;

/** @type {() => HTMLElement | null} */
const boardBox = () => document.getElementById("board");
/** The drawing of the server; null where the page shows several. @type {() => SVGSVGElement | null} */
const drawing = () => document.querySelector("#map:not(.views) > svg");

/** An element of a drawing. @type {(name: string, given?: Record<string, string | number>, words?: string) => SVGElement} */
function shape(name, given = {}, words = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, String(value));
  if (words) made.textContent = words;
  return made;
}

/** What scripts draw above the map, with all that takes the focus; the server's drawing stays as it came. */
const over = /** @type {SVGSVGElement} */ (shape("svg", { id: "over", role: "group", "aria-label": "Units and targets on the board" }));

/** All of the map, as the server drew it. @type {() => { x: number, y: number, wide: number, high: number }} */
function whole() {
  const box = drawing()?.getAttribute("data-whole") ?? drawing()?.getAttribute("viewBox") ?? "0 0 1 1";
  const [x = 0, y = 0, wide = 1, high = 1] = box.split(" ").map(Number);
  return { x, y, wide, high };
}

/** The box around several, with some ground; null for none. @type {(all: Iterable<Element>, ground: number) => { x: number, y: number, wide: number, high: number } | null} */
function around(all, ground) {
  const boxes = [...all].map((one) => /** @type {SVGGraphicsElement} */ (one).getBBox());
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((one) => one.x)) - ground, y = Math.min(...boxes.map((one) => one.y)) - ground;
  const right = Math.max(...boxes.map((one) => one.x + one.width)) + ground, bottom = Math.max(...boxes.map((one) => one.y + one.height)) + ground;
  return { x, y, wide: right - x, high: bottom - y };
}

/** The pixels of the board. @type {() => { wide: number, high: number }} */
const pane = () => ({ wide: Math.max(boardBox()?.clientWidth ?? 1, 1), high: Math.max(boardBox()?.clientHeight ?? 1, 1) });

/** The pixels of the board behind the buttons of the map, and those that the desk overlaps. @type {() => { right: number, bottom: number }} */
function covered() {
  const buttons = find("zoom"), desk = find("desk"), box = boardBox();
  const right = box && buttons?.offsetWidth ? box.clientWidth - buttons.offsetLeft : 0;
  return { right, bottom: desk ? Math.max(0, -parseFloat(getComputedStyle(desk).marginTop)) : 0 };
}

/** All that is in play, as large as it fits; there is less ground around it where counters would be small. */
function showInPlay() {
  const inPlay = document.querySelectorAll("#map .stack, #map .way, #map .lost, #map .contested"), { wide, high } = pane(), { right, bottom } = covered();
  const fitting = (/** @type {number} */ ground) => {
    const all = around(inPlay, ground) ?? whole();
    return { all, scale: Math.min((wide - right) / all.wide, (high - bottom) / all.high, PIXELS.hex / MAP.hex) };
  };
  const roomy = fitting(MAP.around), { all, scale } = roomy.scale < PIXELS.counter / MAP.counter ? fitting(MAP.least) : roomy;
  shown = { x: all.x + all.wide / 2 + right / scale / 2, y: all.y + all.high / 2 + bottom / scale / 2, scale };
  moved = false;
  showMap();
}

function showMap() {
  const svg = drawing();
  over.toggleAttribute("hidden", !svg);
  if (!svg) return;
  if (!svg.hasAttribute("data-whole")) svg.setAttribute("data-whole", svg.getAttribute("viewBox") ?? "");
  if (!shown) return showInPlay();
  const { wide, high } = pane(), across = wide / shown.scale, down = high / shown.scale;
  for (const one of [svg, over]) one.setAttribute("viewBox", `${shown.x - across / 2} ${shown.y - down / 2} ${across} ${down}`);
  svg.classList.toggle("small", MAP.counter * shown.scale < PIXELS.labelled);
  document.dispatchEvent(new CustomEvent("umpire:moved"));
}

/** Units of the map that are as wide as some pixels. @type {(pixels: number) => number} */
const inUnits = (pixels) => pixels / (shown?.scale ?? 1);

/** Closer (above 1), farther (below 1), or all that is in play (0), about a point. @type {(by: number, x?: number, y?: number) => void} */
function zoom(by, x, y) {
  if (by === 0 || !shown) return showInPlay();
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

/** Moves the map until a point of it can be seen. @type {(x: number, y: number) => void} */
function reveal(x, y) {
  if (!shown) return;
  const { wide, high } = pane(), across = wide / shown.scale / 2 - MAP.hex / 2, down = high / shown.scale / 2 - MAP.hex / 2;
  const nx = Math.min(Math.max(shown.x, x - across), x + across), ny = Math.min(Math.max(shown.y, y - down), y + down);
  if (nx === shown.x && ny === shown.y) return;
  shown = { ...shown, x: nx, y: ny };
  showMap();
}

/** A point of the screen on the map. @type {(event: MouseEvent) => DOMPoint | null} */
function spot(event) {
  const matrix = drawing()?.getScreenCTM();
  return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
}

// --- mouse and fingers ------------------------------------------------------------------------------------------------

/** Where each finger, or the mouse, is down. @type {Map<number, [x: number, y: number]>} */
const fingers = new Map();
/** How far the fingers slipped since the first came down; whether the last that came down was a finger; the long press under way. */
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

/** One finger moves the map, two change its size too. @type {(event: PointerEvent) => void} */
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

/** Whether an event is about the map, not about what lies on it. @type {(event: Event) => boolean} */
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
  new ResizeObserver(() => (moved ? showMap() : showInPlay())).observe(box);
  document.addEventListener("umpire:put", showMap);
  showMap();
}

openBoard();
