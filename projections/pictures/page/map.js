// @ts-check
// The map: its ground is drawn once, by Python; what stands on it is drawn at each position.

/** In units of the map: those of a grid, of which a place is 40 wide. */
const COUNTER = { wide: 30, high: 17, below: 3.5, fan: 2, mostFanned: 3 };
/** Pixels: the least width of a counter where there is room, the most, and what is drawn over each edge of the map. */
const PIXELS = { least: 34, most: 54, left: 14, top: 14, right: 52, bottom: 14 };
/** Units of the map around what is in play, and the least that is shown. */
const AROUND = 26;
const LEAST = 220;
/** How often stacks are pushed apart; a table too full for it stays as it is. */
const PUSHES = 60;
/** Pixels that a pointer may slip in a click. */
const SLIP = 5;

const board = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId("board")));

/** What lies below: a drawing of its own, so that a step costs the same on a map of any size. */
const ground = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId("ground")));

const layers = {
  contested: drawn("g", { id: "contested" }),
  stacks: drawn("g", { id: "stacks" }),
  ways: drawn("g", { id: "ways" }),
  lost: drawn("g", { id: "lost" }),
  fan: drawn("g", { id: "fan" }),
};

/** The part of the map that is shown. */
let view = { x: 0, y: 0, wide: 1, high: 1 };

/** The pixels of the map. */
let pane = { width: 1, height: 1, legend: 0 };

/** How large counters are drawn: on a grid, and where nothing bounds them. */
let sizes = { grid: 1, free: 1 };

/** @type {Map<string, {node: Element, looks: string}>} The stacks that are drawn, by place and side. */
const drawnStacks = new Map();

/** @typedef {{shape: SVGPolygonElement, box: DOMRect}} Outline */

/** @type {Outline[]} The outlines on the ground. */
let shapes = [];

/** @type {Map<string, Outline>} */
let outlinesByMiddle = new Map();

/** @type {Map<string, Outline | null>} The outline of a place, where it has one. */
const outlines = new Map();

/**
 * @typedef {object} Stack
 * @property {string} place
 * @property {string} side
 * @property {[string, Unit][]} units
 * @property {number} row which it is of the place's stacks
 * @property {number} of
 * @property {Spot} spot its middle
 * @property {number} size
 */

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

// --- what stands on it ------------------------------------------------------------------------------------------------

/** @type {(state: State, about: Set<string>) => void} */
function drawStacks(state, about) {
  const gone = new Set(drawnStacks.keys());
  const stacks = stacksOf(state);
  pushApart(stacks.filter((stack) => !outlineOf(stack.place)));
  for (const stack of stacks) {
    const key = `${stack.place}\n${stack.side}`;
    const marks = stack.units.some(([id]) => about.has(id)) ? "told" : "";
    const pick = stack.units.some(([id]) => id === picked.unit) || stack.place === picked.place ? "pick" : "";
    const seen = stack.units.map(([id, unit]) => [id, unit.label, unit.signs]);
    const how = JSON.stringify([seen, stack.spot, stack.size, marks, pick]);
    gone.delete(key);
    const before = drawnStacks.get(key);
    if (before?.looks === how) continue;
    const node = drawStack(stack, `${marks} ${pick}`);
    if (before) before.node.replaceWith(node);
    else layers.stacks.append(node);
    drawnStacks.set(key, { node, looks: how });
  }
  for (const key of gone) {
    drawnStacks.get(key)?.node.remove();
    drawnStacks.delete(key);
  }
}

/**
 * The units in play by the place that they are drawn in and their side.
 * @param {State} state
 */
function stacksOf(state) {
  /** @type {Map<string, Map<string, Stack>>} */
  const places = new Map();
  for (const id of Object.keys(state.units).sort(byName)) {
    const unit = /** @type {Unit} */ (state.units[id]);
    if (unit.fate || !unit.place) continue;
    const place = within.get(unit.place) ?? unit.place;
    const here = places.get(place) ?? new Map();
    places.set(place, here);
    const stack = here.get(unit.side) ?? { place, side: unit.side, units: [], row: 0, of: 1, spot: [0, 0], size: 1 };
    here.set(unit.side, stack);
    stack.units.push([id, unit]);
  }
  return [...places].flatMap(([place, here]) => {
    const inOrder = [...looks.keys()].flatMap((side) => here.get(side) ?? []);
    inOrder.forEach((stack, row) => Object.assign(stack, { row, of: inOrder.length }));
    return placed(inOrder, place);
  });
}

/** The stacks of a place around its middle: in a grid one below the other, elsewhere side by side. @type {(stacks: Stack[], place: string) => Stack[]} */
function placed(stacks, place) {
  const spot = spotOf(place);
  if (!spot) return [];
  const free = !outlineOf(place);
  const size = free ? sizes.free : sizes.grid;
  for (const stack of stacks) {
    const off = (stack.row - (stack.of - 1) / 2) * size;
    stack.size = size;
    stack.spot = free
      ? [spot[0] + off * (COUNTER.wide + 4), spot[1]]
      : [spot[0], spot[1] + COUNTER.below + off * (COUNTER.high + 3)];
  }
  return stacks;
}

/** Moves stacks until none lies on another, each pair the shorter way. @param {Stack[]} stacks */
function pushApart(stacks) {
  const [wide, high] = [(COUNTER.wide + 3) * sizes.free, (COUNTER.high + 3) * sizes.free];
  for (let time = 0; time < PUSHES; time++) {
    let touched = false;
    for (const [at, one] of stacks.entries()) {
      for (const other of stacks.slice(at + 1)) {
        const across = wide - Math.abs(other.spot[0] - one.spot[0]);
        const down = high - Math.abs(other.spot[1] - one.spot[1]);
        if (across < 0.2 || down < 0.2) continue;
        touched = true;
        const axis = across < down ? 0 : 1;
        const push = ((axis ? down : across) / 2) * (other.spot[axis] >= one.spot[axis] ? 1 : -1);
        one.spot[axis] -= push;
        other.spot[axis] += push;
      }
    }
    if (!touched) return;
  }
}

/** A line from a stack that was moved aside to the point where it stands. @param {Stack} stack */
function leader({ place, spot, size }) {
  const [x, y] = spotOf(place) ?? spot;
  const [across, down] = [(x - spot[0]) / size, (y - spot[1]) / size];
  const grid = outlineOf(place) !== null;
  const under = grid || Math.abs(across) < COUNTER.wide / 2 && Math.abs(down) < COUNTER.high;
  return under ? [] : [drawn("path", { class: "leader", d: `M0 0L${across} ${down}` }), drawn("circle", { class: "dot", cx: across, cy: down, r: 2 })];
}

/** @type {(stack: Stack, marks: string) => Element} */
function drawStack(stack, marks) {
  const { wide, high, fan, mostFanned } = COUNTER;
  const [x, y] = stack.spot;
  const moved = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${stack.size})`;
  const group = drawn("g", { class: `stack ${marks}`, "data-place": stack.place, transform: moved });
  const units = stack.units;
  group.append(titled(`${sideName(stack.side)} at ${stack.place}: ${units.map(unitWords).join(", ")}`));
  group.append(...leader(stack));
  for (let behind = Math.min(units.length, mostFanned) - 1; behind > 0; behind--) {
    group.append(card(stack.side, "", behind * fan, -behind * fan));
  }
  const [id, unit] = /** @type {[string, Unit]} */ (units[0]);
  if (units.length === 1) group.setAttribute("data-unit", id);
  const all = units.flatMap(([, one]) => one.signs ?? []);
  const signs = new Set(units.length > 1 ? all.filter((sign) => sign !== "crippled") : all);
  const label = units.length > 1 ? `×${units.length}` : unit.label;
  group.append(...counterParts(stack.side, label, signs), ...facings(units));
  const crippled = all.filter((sign) => sign === "crippled").length;
  if (units.length > 1 && crippled) group.append(written(wide / 2 + 1, high / 2 + 5, `⁄${crippled}`, "many"));
  return group;
}

/** @param {[id: string, unit: Unit]} unit */
function unitWords([id, { kind, signs = [] }]) {
  return `${id} ${kind}${signs.length ? ` (${signs.join(", ")})` : ""}`;
}

/** @type {(side: string, label: string, signs: Set<string>) => Element[]} */
function counterParts(side, label, signs) {
  const { wide, high } = COUNTER;
  const look = looks.get(side);
  const text = drawn("text", { class: "label", y: 3.4, style: `fill:${look?.ink ?? "#1d2430"};stroke:${look?.colour ?? "#fff"}` });
  const letter = drawn("tspan", { class: "letter" });
  letter.textContent = look?.letter ?? "";
  text.append(letter, label ? ` ${label}` : "");
  if (label.length > 3) text.setAttribute("textLength", String(wide - 4));
  if (label.length > 3) text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  const parts = [card(side, signs.has("hidden") ? "hidden" : "", 0, 0)];
  if (signs.has("crippled")) parts.push(drawn("path", { class: "struck", d: `M${-wide / 2} ${high / 2}L${wide / 2} ${-high / 2}` }));
  parts.push(text);
  if (signs.has("burning")) parts.push(drawn("circle", { class: "fire", cx: wide / 2, cy: -high / 2, r: 4 }));
  if (signs.has("bound")) parts.push(drawn("circle", { class: "ring", cx: -wide / 2, cy: high / 2, r: 4 }));
  if (signs.has("active")) parts.push(drawn("circle", { class: "active", cx: -wide / 2, cy: -high / 2, r: 3 }));
  return parts;
}

/** Small arrow heads at the edge of a counter, one for each way that its units look. @param {[string, Unit][]} units */
function facings(units) {
  const bearings = new Set(units.map(([, unit]) => unit.bearing).filter((bearing) => bearing !== undefined));
  return [...bearings].map((bearing) => {
    const angle = ((bearing - 90) * Math.PI) / 180;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const far = Math.min(COUNTER.wide / 2 / (Math.abs(x) || 1e-9), COUNTER.high / 2 / (Math.abs(y) || 1e-9));
    const moved = `translate(${(x * far).toFixed(1)} ${(y * far).toFixed(1)}) rotate(${bearing})`;
    return drawn("path", { class: "facing", d: "M-3.5 0L0 -5L3.5 0Z", transform: moved });
  });
}

/** @type {(side: string, marks: string, x: number, y: number) => Element} */
function card(side, marks, x, y) {
  const { wide, high } = COUNTER;
  const number = [...looks.keys()].indexOf(side);
  const at = { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 3 };
  return drawn("rect", { class: `counter ${marks}`, fill: number < 0 ? "#fff" : `url(#side${number})`, ...at });
}

/** @type {(unit: string, path: string[], now: boolean) => Element | undefined} */
function way(unit, path, now) {
  const along = path.map(spotOf).filter((spot) => spot !== undefined);
  const [first, second] = along;
  if (!first || !second) return undefined;
  along[0] = shortOf(second, first);
  along.push(shortOf(/** @type {Spot} */ (along.at(-2)), /** @type {Spot} */ (along.pop())));
  const line = drawn("path", { class: now ? "way now" : "way", d: `M${along.map(([x, y]) => `${x} ${y}`).join("L")}` });
  line.setAttribute("marker-end", "url(#tip)");
  line.append(titled(`${unit}: ${path.join(", ")}`));
  return line;
}

/**
 * Where a way begins or ends: at the edge of the counter, not under it.
 * @type {(before: Spot, last: Spot) => Spot}
 */
function shortOf(before, last) {
  const [across, down] = [last[0] - before[0], last[1] - before[1]];
  const far = Math.hypot(across, down);
  if (!far) return last;
  const reach = Math.min((COUNTER.wide / 2) * (far / (Math.abs(across) || 1)), (COUNTER.high / 2) * (far / (Math.abs(down) || 1)));
  const part = Math.max(far - reach - 1, far / 2) / far;
  return [before[0] + across * part, before[1] + down * part];
}

/** @type {(unit: string, place: string, fate: string) => Element[]} */
function loss(unit, place, fate) {
  const spot = spotOf(place);
  if (!spot) return [];
  const cross = drawn("g", { class: "loss", transform: `translate(${spot[0]} ${spot[1]})`, "data-unit": unit });
  cross.append(titled(`${unit}: ${fate} at ${place}`), drawn("circle", { r: 13 }), drawn("path", { d: "M-8-8L8 8M-8 8L8-8" }));
  return [cross];
}

/** @type {(place: string, kind: string) => Element[]} */
function around(place, kind) {
  const spot = spotOf(place);
  if (!spot) return [];
  const outline = outlineOf(place)?.shape.cloneNode();
  if (!(outline instanceof Element)) return [drawn("circle", { cx: spot[0], cy: spot[1], r: COUNTER.wide * 0.7, class: kind })];
  outline.setAttribute("class", kind);
  return [outline];
}

/**
 * The outline that a place lies in, null for a point. Of most it is the one whose middle is the place's.
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
 * The middle of a place, or of the one that it is drawn in.
 * @param {string} place
 */
function spotOf(place) {
  return spots.get(within.get(place) ?? place) ?? spots.get(place);
}

/** @param {State} state */
function drawLegend(state) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const unit of Object.values(state.units)) if (!unit.fate) counts.set(unit.side, (counts.get(unit.side) ?? 0) + 1);
  const shown = facts.sides.filter((look) => look.side || counts.get(""));
  const words = shown.map((look) => made("span", {}, swatch(look.side), `${look.name} ${counts.get(look.side) ?? 0}`));
  byId("legend").replaceChildren(...words);
}

/**
 * A small counter for lists: the side's pattern, with a letter or a unit's label.
 * @param {string} side
 * @param {Unit} [unit]
 */
function swatch(side, unit) {
  const { wide, high } = COUNTER;
  const small = drawn("svg", { class: "swatch", viewBox: `${-wide / 2 - 4} ${-high / 2 - 4} ${wide + 8} ${high + 8}`, "aria-hidden": "true" });
  small.append(...counterParts(side, unit?.label ?? "", new Set(unit?.signs)));
  return small;
}

// --- a fan ------------------------------------------------------------------------------------------------------------

/** Shows the units of a place side by side, as large as can be read. @param {string} place */
function openFan(place) {
  const units = stacksOf(stateAt(player.at)).filter((stack) => stack.place === place).flatMap((stack) => stack.units);
  const spot = spotOf(place);
  if (!spot) return;
  const { wide, high } = COUNTER;
  const across = Math.min(units.length, Math.max(3, Math.ceil(Math.sqrt(units.length))));
  const down = Math.ceil(units.length / across);
  const [pitch, line, edge] = [wide + 30, high + 16, 8];
  const [width, height] = [across * pitch + 2 * edge, down * line + 2 * edge + 12];
  const scale = perPixel() * 1.25;
  const x = clamp(spot[0] - (width * scale) / 2, view.x, view.x + view.wide - width * scale);
  const y = clamp(spot[1] - (height * scale) / 2, view.y, view.y + view.high - height * scale);
  const fan = drawn("g", { transform: `translate(${x} ${y}) scale(${scale})` });
  fan.append(drawn("rect", { class: "sheet", width, height, rx: 5 }), written(edge, 14, place, "heading"));
  units.forEach(([id, unit], at) => {
    const left = edge + (at % across) * pitch + pitch / 2;
    const top = edge + 12 + Math.floor(at / across) * line + line / 2;
    const one = drawn("g", { class: "stack", "data-unit": id, transform: `translate(${left} ${top})` });
    one.append(titled(unitWords([id, unit])), ...counterParts(unit.side, unit.label, new Set(unit.signs)), ...facings([[id, unit]]));
    one.append(written(0, high / 2 + 8, id.length > 13 ? `${id.slice(0, 12)}…` : id, "id"));
    fan.append(one);
  });
  layers.fan.replaceChildren(fan);
}

function closeFan() {
  const open = layers.fan.hasChildNodes();
  layers.fan.replaceChildren();
  return open;
}

// --- the view ---------------------------------------------------------------------------------------------------------

/** Shows every place at which a unit ever stood, clear of what is drawn over the edges. */
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

/** What must be seen of a place. @param {string} place */
function roomOf(place) {
  const outline = outlineOf(place);
  if (outline) return [outline.box];
  const [x, y] = spotOf(place) ?? [];
  return x === undefined || y === undefined ? [] : [new DOMRect(x - AROUND, y - AROUND, 2 * AROUND, 2 * AROUND)];
}

/** Widens the view to the least that is shown and to the edges of the map's own part of the screen. */
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
  const [grid, free] = [rounded(Math.min(1, most)), rounded(clamp(1, least, most))];
  if (grid === sizes.grid && free === sizes.free) return;
  sizes = { grid, free };
  ground.style.setProperty("--town", `${(free - 1) * COUNTER.high * 0.5}px`);
  if (document.documentElement.dataset.ready === "yes") drawMap(player.at);
}

/** Sizes change in steps, so that a map is not drawn anew for every pixel. @param {number} size */
function rounded(size) {
  return 1.05 ** Math.round(Math.log(size) / Math.log(1.05));
}

/** Units of the map that one pixel of the screen shows. */
function perPixel() {
  return Math.max(view.wide / pane.width, view.high / pane.height);
}

/**
 * @param {number} times above 1 is closer
 * @param {Spot} [spot] what stays where it is; the middle
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

/** One finger moves the map, two change its size too. @param {PointerEvent} event */
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

/** Where on the map a pointer is. @param {MouseEvent} event @returns {Spot} */
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

/** The place whose outline a pointer is in, else the nearest. @param {MouseEvent} event */
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
