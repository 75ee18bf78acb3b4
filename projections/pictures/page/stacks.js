// @ts-check
// Draws the contents of the map at a position: stacks, paths of moves, and losses.

/** The most attempts to move stacks apart; on a crowded table, some may still overlap. */
const PUSHES = 60;

/** The scale of counters on a grid, and of counters at points, which no cell bounds. */
let sizes = { grid: 1, free: 1 };

/** @type {Map<string, {node: Element, looks: string}>} The stacks that are drawn, by place and side. */
const drawnStacks = new Map();

/**
 * @typedef {object} Stack
 * @property {string} place
 * @property {string} side
 * @property {boolean} seen whether its units are out of sight and were last seen there
 * @property {[string, Unit][]} units
 * @property {number} row its index among the stacks of the place
 * @property {number} of
 * @property {Spot} spot its center
 * @property {number} size
 */

/** @type {(state: State, about: Set<string>) => void} */
function drawStacks(state, about) {
  const gone = new Set(drawnStacks.keys());
  const stacks = stacksOf(state);
  pushApart(stacks.filter((stack) => !outlineOf(stack.place)));
  for (const stack of stacks) {
    const key = `${stack.place}\n${stack.side}\n${stack.seen}`;
    const marks = stack.units.some(([id]) => about.has(id)) ? "told" : "";
    const pick = stack.units.some(([id]) => id === picked.unit) || stack.place === picked.place ? "pick" : "";
    const seen = stack.units.map(([id, unit]) => [id, unit.label, unit.kind, unit.number, unit.signs, unit.bearing, unit.seen]);
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
 * Groups the units in play by place and side; units out of sight form separate stacks.
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
    const [seen, key] = [Boolean(unit.seen), `${unit.side}\n${unit.seen ? "seen" : ""}`];
    const stack = here.get(key) ?? { place, side: unit.side, seen, units: [], row: 0, of: 1, spot: [0, 0], size: 1 };
    here.set(key, stack);
    stack.units.push([id, unit]);
  }
  return [...places].flatMap(([place, here]) => {
    const inOrder = [...looks.keys()].flatMap((side) => ["", "seen"].flatMap((seen) => here.get(`${side}\n${seen}`) ?? []));
    inOrder.forEach((stack, row) => Object.assign(stack, { row, of: inOrder.length }));
    return placed(inOrder, place);
  });
}

/** Positions the stacks of a place side by side around its center. @type {(stacks: Stack[], place: string) => Stack[]} */
function placed(stacks, place) {
  const spot = spotOf(place);
  if (!spot) return [];
  const free = !outlineOf(place);
  const size = free ? sizes.free : stacks.length > 1 ? Math.min(sizes.grid, 1) : sizes.grid;
  for (const stack of stacks) {
    const off = (stack.row - (stack.of - 1) / 2) * size;
    stack.size = size;
    stack.spot = [spot[0] + off * (COUNTER.wide + COUNTER.beside), spot[1] + (free ? 0 : COUNTER.below)];
  }
  return stacks;
}

/** Moves stacks apart until none overlap, each pair in the shorter direction. @param {Stack[]} stacks */
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

/** Draws a line from a stack that was moved aside to its actual point. @param {Stack} stack */
function leader({ place, spot, size }) {
  const [x, y] = spotOf(place) ?? spot;
  const [across, down] = [(x - spot[0]) / size, (y - spot[1]) / size];
  const grid = outlineOf(place) !== null;
  const under = grid || Math.abs(across) < COUNTER.wide / 2 && Math.abs(down) < COUNTER.high * 0.8;
  return under ? [] : [drawn("path", { class: "leader", d: `M0 0L${across} ${down}` }), drawn("circle", { class: "dot", cx: across, cy: down, r: 2 })];
}

/** @type {(stack: Stack, marks: string) => Element} */
function drawStack(stack, marks) {
  const { wide, high, fan, mostFanned } = COUNTER;
  const [x, y] = stack.spot;
  const moved = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${stack.size})`;
  const free = outlineOf(stack.place) ? "" : "free";
  const group = drawn("g", { class: `stack ${stack.seen ? "past" : ""} ${free} ${marks}`, "data-place": stack.place, transform: moved });
  const units = stack.units;
  group.append(titled(`${sideName(stack.side)} at ${stack.place}: ${units.map(unitWords).join(", ")}`));
  group.append(...leader(stack));
  for (let behind = Math.min(units.length, mostFanned) - 1; behind > 0; behind--) {
    group.append(card(stack.side, [], behind * fan, -behind * fan));
  }
  const [id] = /** @type {[string, Unit]} */ (units[0]);
  if (units.length === 1) group.setAttribute("data-unit", id);
  const all = units.map(([, one]) => one);
  group.append(...counterParts(stack.side, all), ...(stack.seen ? [whenSeen(units)] : facings(units)));
  const marked = all.filter((one) => one.signs?.length).length;
  if (units.length > 1 && marked) group.append(written(wide / 2 + 1, high / 2 + 3, String(marked), "many"));
  return group;
}

/** Writes the newest sighting of units below their counter. @param {[string, Unit][]} units */
function whenSeen(units) {
  const newest = units.map(([, unit]) => unit.seen ?? "").reduce((one, other) => (byName(one, other) < 0 ? other : one));
  return written(0, COUNTER.high / 2 + 7, newest.replace("last seen turn", "turn"), "date");
}

// --- a fan -----------------------------------------------------------------------------------------------------------

/** Shows the units of a place side by side, in a readable size. @param {string} place */
function openFan(place) {
  const units = stacksOf(stateAt(player.at)).filter((stack) => stack.place === place).flatMap((stack) => stack.units);
  const spot = spotOf(place);
  if (!spot) return;
  const { wide, high } = COUNTER;
  const across = Math.min(units.length, Math.max(3, Math.ceil(Math.sqrt(units.length))));
  const down = Math.ceil(units.length / across);
  const lines = Math.max(...units.map(([id]) => idLines(id).length));
  const [pitch, line, edge] = [wide + 36, high + 9 + lines * 7, 8];
  const [width, height] = [across * pitch + 2 * edge, down * line + 2 * edge + 12];
  const scale = Math.min(perPixel() * 2, view.wide / width, view.high / height);
  const x = clamp(spot[0] - (width * scale) / 2, view.x, view.x + view.wide - width * scale);
  const y = clamp(spot[1] - (height * scale) / 2, view.y, view.y + view.high - height * scale);
  const fan = drawn("g", { transform: `translate(${x} ${y}) scale(${scale})` });
  fan.append(drawn("rect", { class: "sheet", width, height, rx: 5 }), written(edge, 14, place, "heading"));
  units.forEach(([id, unit], at) => {
    const left = edge + (at % across) * pitch + pitch / 2;
    const top = edge + 12 + Math.floor(at / across) * line + line / 2;
    const one = drawn("g", { class: unit.seen ? "stack past" : "stack", "data-unit": id, transform: `translate(${left} ${top})` });
    one.append(titled(unitWords([id, unit])), ...counterParts(unit.side, [unit]), ...facings([[id, unit]]));
    one.append(...idLines(id).map((words, line) => written(0, high / 2 + 8 + line * 7, words, "id")));
    fan.append(one);
  });
  layers.fan.replaceChildren(fan);
}

/** Splits a unit's id into lines that are short enough for a counter; a long id keeps only its start and end. @param {string} id */
function idLines(id) {
  const most = 13;
  if (id.length <= most) return [id];
  const cut = id.lastIndexOf("-", most - 1) + 1 || most;
  const rest = id.slice(cut);
  return [id.slice(0, cut), rest.length > most ? `…${rest.slice(1 - most)}` : rest];
}

function closeFan() {
  const open = layers.fan.hasChildNodes();
  layers.fan.replaceChildren();
  return open;
}

// --- what happened to them -------------------------------------------------------------------------------------------

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
 * Returns the start or end of a path, moved to the edge of the counter so that it is not hidden.
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
  if (!(outline instanceof Element)) return [drawn("circle", { cx: spot[0], cy: spot[1], r: COUNTER.wide * 0.95, class: kind })];
  outline.setAttribute("class", kind);
  return [outline];
}

/** Draws a counter in the style for the last sighting of a unit. @param {string} side */
function drawnPast(side) {
  const past = drawn("g", { class: "past" });
  past.append(...counterParts(side, [{ label: "1" }]));
  return past;
}

// --- what the marks mean ---------------------------------------------------------------------------------------------

/** Returns the drawing and the meaning of each mark on the map. */
function marksOfMap() {
  const side = facts.sides[0]?.side ?? "";
  const { wide, high } = COUNTER;
  const kind = Object.values(stateAt(player.at).units)[0]?.kind ?? "";
  const counter = (/** @type {string} */ sign) => counterParts(side, [{ kind, label: "1", signs: [sign] }]);
  const stack = counterParts(side, [{ kind }, { kind }, { kind }, { kind }]);
  const framed = drawn("g", { class: "told" });
  framed.append(card(side, ["front"]));
  const tail = drawn("path", { class: "way now", d: "M-15 0H15" });
  /** @type {[Element[], string][]} */
  const marks = [
    [counter("crippled"), "torn corner: crippled"],
    [counter("burning"), "orange dot at the top right: burning"],
    [counter("bound"), "ring at the bottom left: bound to another unit"],
    [counter("active"), "dot at the left edge: active"],
    [counter("hidden"), "dashed edge: hidden"],
    [[drawnPast(side)], "pale, with a date: out of sight; last seen here"],
    [[...stack, written(wide / 2 + 1, high / 2 + 3, "2", "many")], "a stack of four units, two of them with a mark"],
    [[framed], "thick frame: subject of the record"],
    [[drawn("circle", { class: "contested", r: 11 })], "red outline of a place: battle"],
    [[tail], "red line: movement of a unit in this step"],
    [[drawn("path", { class: "loss", d: "M-8-8L8 8M-8 8L8-8" })], "red cross: a unit was lost there in this step"],
  ];
  const rows = marks.map(([drawing, words]) => {
    const sample = drawn("svg", { class: "sample", viewBox: "-18 -18 36 36", "aria-hidden": "true" });
    sample.append(...drawing);
    return made("li", {}, sample, words);
  });
  return made("ul", { class: "marks-of-map" }, ...rows);
}

// --- the legend ------------------------------------------------------------------------------------------------------

/** @param {State} state */
function drawLegend(state) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const unit of Object.values(state.units)) if (!unit.fate && !unit.seen) counts.set(unit.side, (counts.get(unit.side) ?? 0) + 1);
  const shown = facts.sides.filter((look) => look.side || counts.get(""));
  const words = shown.map((look) => made("span", {}, swatch(look.side), `${look.name} ${counts.get(look.side) ?? 0}`));
  byId("legend").replaceChildren(...words);
}
