// @ts-check
// Shows the map: its ground, which Python drew, the visible part of it, and the positions of its places.

/** Pixels: the smallest, largest and labelled width of a counter, and the margins that controls cover at each edge of the map. */
const PIXELS = { least: 32, most: 50, labelled: 32, left: 14, top: 14, right: 52, bottom: 14 };
/** Map units to show around a point in use, and the smallest width of the view. */
const AROUND = 26;
const LEAST = 220;
/** The distance in pixels that a pointer may move during a click. */
const SLIP = 5;

const board = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId("board")));

/** The ground of the map: a separate drawing, so that a step takes the same time on a map of any size. */
const ground = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId("ground")));

const layers = {
  contested: drawn("g", { id: "contested" }),
  stacks: drawn("g", { id: "stacks" }),
  ways: drawn("g", { id: "ways" }),
  lost: drawn("g", { id: "lost" }),
  fan: drawn("g", { id: "fan" }),
};

/** The visible part of the map, in map units. */
let view = { x: 0, y: 0, wide: 1, high: 1 };

/** The size of the map and its legend, in pixels. */
let pane = { width: 1, height: 1, legend: 0 };

/** @typedef {{shape: SVGPolygonElement, box: DOMRect}} Outline */

/** @type {Outline[]} The outlines on the ground. */
let shapes = [];

/** @type {Map<string, Outline>} */
let outlinesByMiddle = new Map();

/** @type {Map<string, Outline | null>} The outline of a place, where it has one. */
const outlines = new Map();

function openMap() {
  drawLegend(stateAt(player.at));
  measure(); // while the map is empty: that is fast
  const defs = drawn("defs", {});
  defs.innerHTML = facts.map.defs; // from our own svg.py, which escapes
  ground.innerHTML = facts.map.ground; // so does that
  board.append(defs, ...Object.values(layers));
  for (const name of ground.querySelectorAll("circle + text")) name.classList.add("town");
  const polygons = /** @type {NodeListOf<SVGPolygonElement>} */ (ground.querySelectorAll("polygon:not(.table)"));
  shapes = [...polygons].map((shape) => ({ shape, box: boxOf(shape) }));
  outlinesByMiddle = new Map(shapes.map((one) => [middleKey(one.box.x + one.box.width / 2, one.box.y + one.box.height / 2), one]));
  showWhole();
  board.addEventListener("wheel", wheeled, { passive: false });
  board.addEventListener("pointerdown", pressed);
  board.addEventListener("pointermove", dragged);
  for (const kind of ["pointerup", "pointercancel"]) {
    board.addEventListener(kind, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }
  board.addEventListener("click", clicked);
  byId("closer").addEventListener("click", () => zoom(1.4));
  byId("farther").addEventListener("click", () => zoom(1 / 1.4));
  byId("whole").addEventListener("click", showWhole);
  new ResizeObserver(resized).observe(board);
}

function measure() {
  pane = { width: Math.max(board.clientWidth, 1), height: Math.max(board.clientHeight, 1), legend: byId("legend").offsetHeight };
}

function resized() {
  measure();
  showView();
}

/** @param {number} at */
function drawMap(at) {
  const state = stateAt(at);
  const entry = record(at);
  const about = new Set(entry.u);
  closeFan();
  drawStacks(state, about);
  layers.contested.replaceChildren(...(state.contested ?? []).flatMap((place) => around(place, "contested")));
  const ways = Object.entries(state.ways ?? {}).map(([unit, path]) => way(unit, path, about.has(unit)));
  layers.ways.replaceChildren(...ways.filter((one) => one !== undefined));
  layers.lost.replaceChildren(...Object.entries(state.lost ?? {}).flatMap(([unit, [place, fate]]) => loss(unit, place, fate)));
  board.setAttribute("aria-label", `Map at #${at}; the units are listed under Table`);
  drawLegend(state);
}

// --- places ----------------------------------------------------------------------------------------------------------

/**
 * Returns the outline around a place, null for a point. Usually the outline has the same center as the place.
 * @param {string} place
 */
function outlineOf(place) {
  const known = outlines.get(place);
  if (known !== undefined) return known;
  const [x, y] = spotOf(place) ?? [NaN, NaN];
  const inside = (/** @type {Outline} */ { shape, box }) => inBox(box, x, y) && shape.isPointInFill(new DOMPoint(x, y));
  const found = outlinesByMiddle.get(middleKey(x, y)) ?? shapes.find(inside) ?? null;
  outlines.set(place, found);
  return found;
}

/** @type {(x: number, y: number) => string} */
function middleKey(x, y) {
  return `${Math.round(x)} ${Math.round(y)}`;
}

/** @type {(box: DOMRect, x: number, y: number) => boolean} */
function inBox(box, x, y) {
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}

/** @param {SVGPolygonElement} shape */
function boxOf(shape) {
  const numbers = (shape.getAttribute("points") ?? "").split(/[ ,]+/).map(Number);
  const [across, down] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd));
  const [left, top] = [Math.min(...(across ?? [])), Math.min(...(down ?? []))];
  return new DOMRect(left, top, Math.max(...(across ?? [])) - left, Math.max(...(down ?? [])) - top);
}

/**
 * Returns the center of a place, or of the place in which it is drawn.
 * @param {string} place
 */
function spotOf(place) {
  return spots.get(within.get(place) ?? place) ?? spots.get(place);
}

// --- the view ---------------------------------------------------------------------------------------------------------

/** Shows every place where a unit has ever been, without the margins that controls cover. */
function showWhole() {
  const used = [...new Set(allStays().map((stay) => stay.place))].flatMap((place) => roomOf(place));
  const [left, top, wide, high] = facts.map.extent;
  const boxes = used.length ? used : [new DOMRect(left, top, wide, high)];
  const x = Math.min(...boxes.map((box) => box.left));
  const y = Math.min(...boxes.map((box) => box.top));
  view = { x, y, wide: Math.max(...boxes.map((box) => box.right)) - x, high: Math.max(...boxes.map((box) => box.bottom)) - y };
  widen();
  showView();
}

/** Returns the boxes that must be visible to show a place. @param {string} place */
function roomOf(place) {
  const outline = outlineOf(place);
  if (outline) return [outline.box];
  const [x, y] = spotOf(place) ?? [];
  return x === undefined || y === undefined ? [] : [new DOMRect(x - AROUND, y - AROUND, 2 * AROUND, 2 * AROUND)];
}

/** Widens the view to its smallest width, and to the shape of the map's part of the screen. */
function widen() {
  const { width, height } = pane;
  const [across, down] = [Math.max(width - PIXELS.left - PIXELS.right, 1), Math.max(height - PIXELS.top - PIXELS.bottom - pane.legend, 1)];
  const pixel = Math.max(view.wide / across, view.high / down, LEAST / across);
  const x = view.x - (across * pixel - view.wide) / 2 - PIXELS.left * pixel;
  const y = view.y - (down * pixel - view.high) / 2 - PIXELS.top * pixel;
  view = { x, y, wide: width * pixel, high: height * pixel };
}

function showView() {
  for (const drawing of [ground, board]) drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.wide} ${view.high}`);
  const pixel = perPixel();
  ground.style.setProperty("--pixel", `${pixel}px`);
  ground.style.setProperty("--fade", String(clamp((6.5 / pixel - 5) / 2.5, 0, 1)));
  const [least, most] = [(PIXELS.least * pixel) / COUNTER.wide, (PIXELS.most * pixel) / COUNTER.wide];
  const [grid, free] = [rounded(clamp(1, Math.min(least, 1.3), most)), rounded(clamp(1, least, most))];
  board.classList.toggle("small", (COUNTER.wide * grid) / pixel < PIXELS.labelled);
  board.classList.toggle("small-free", (COUNTER.wide * free) / pixel < PIXELS.labelled);
  if (grid === sizes.grid && free === sizes.free) return;
  sizes = { grid, free };
  ground.style.setProperty("--town", `${(free - 1) * COUNTER.high * 0.5}px`);
  if (document.documentElement.dataset.ready === "yes") drawMap(player.at);
}

/** Rounds a size to a step of 5 %, so that the map is not drawn again for every pixel. @param {number} size */
function rounded(size) {
  return 1.05 ** Math.round(Math.log(size) / Math.log(1.05));
}

/** Returns the number of map units in one pixel of the screen. */
function perPixel() {
  return Math.max(view.wide / pane.width, view.high / pane.height);
}

/**
 * @param {number} times above 1 to zoom in
 * @param {Spot} [spot] the fixed point; by default the center
 */
function zoom(times, spot = [view.x + view.wide / 2, view.y + view.high / 2]) {
  const most = 2 * Math.max(facts.map.extent[2], facts.map.extent[3], LEAST);
  const by = 1 / clamp(times, view.wide / most, view.wide / 60);
  const [x, y] = spot;
  view = { x: x - (x - view.x) * by, y: y - (y - view.y) * by, wide: view.wide * by, high: view.high * by };
  showView();
}

/** @param {WheelEvent} event */
function wheeled(event) {
  if (event.ctrlKey || event.metaKey) return; // the browser's own zoom
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), under(event));
}

/** @type {Map<number, [x: number, y: number]>} Where each finger, or the mouse, is down. */
const fingers = new Map();
let slipped = 0;

/** @param {PointerEvent} event */
function pressed(event) {
  if (event.button) return;
  if (!fingers.size) slipped = 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
}

/** Moves the map with one finger; two fingers also zoom. @param {PointerEvent} event */
function dragged(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [across, down] = [event.clientX - before[0], event.clientY - before[1]];
  slipped += Math.hypot(across, down);
  if (slipped <= SLIP) return;
  if (!board.hasPointerCapture(event.pointerId)) board.setPointerCapture(event.pointerId);
  const apart = spread();
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const pixel = perPixel() / fingers.size;
  view = { ...view, x: view.x - across * pixel, y: view.y - down * pixel };
  if (apart && fingers.size > 1) zoom(spread() / apart, under(event));
  else showView();
}

function spread() {
  const [one, other] = fingers.values();
  return one && other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0;
}

/** Returns the position of a pointer in map units. @param {MouseEvent} event @returns {Spot} */
function under(event) {
  const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM()?.inverse());
  return [spot.x, spot.y];
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (slipped > SLIP || !(event.target instanceof Element)) return;
  const group = event.target.closest("[data-unit], [data-place]");
  const unit = group?.getAttribute("data-unit");
  const place = group?.getAttribute("data-place") ?? placeUnder(event);
  if (unit) showUnit(unit);
  else if (group && place) openFan(place);
  else if (!event.target.closest("#fan") && !closeFan() && place) showPlace(place);
}

/** Returns the place whose outline contains the pointer, otherwise the nearest place. @param {MouseEvent} event */
function placeUnder(event) {
  const [x, y] = under(event);
  let [nearest, least] = ["", 60];
  for (const [place, spot] of spots) {
    if (within.has(place)) continue;
    const far = Math.hypot(spot[0] - x, spot[1] - y);
    if (far < least) [nearest, least] = [place, far];
  }
  return nearest;
}
