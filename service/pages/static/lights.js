// What is drawn on the board for the order in the hand: light where it may go, red corners on whom it may aim at, the
// path with its costs, the ghost of what waits for a second sign. It draws; `clicks.js` decides.

/** A choice of a target, as the service gives it. @typedef {{ place?: string, unit?: string, given: Record<string, string | string[]>, typed: string, words: string, path?: string[], cost?: number, costs?: number[], asks_again: string, dice?: number, pays?: Record<string, number>, roll?: string }} Choice */
/** An order of a unit, of a place or of a seat; `id` tells those of one name apart. @typedef {{ id: string, order: string, words: string, help: string, form: Record<string, string | string[]>, whole: Choice | null, targets: Choice[], refused: { text: string, remedy: string } | null }} Offer */
/** A choice with its order. @typedef {{ offer: Offer, choice: Choice }} Way */
/** A target on the board, with the ways to aim at it. @typedef {{ place: string, units: string[], ways: Way[], box: DOMRect }} Target */
/** @typedef {[x: number, y: number]} Spot */

/** The outline or the dot of a place, or of the place that it is drawn in. @type {(place: string) => SVGGraphicsElement | null} */
function plotOf(place) {
  const named = document.querySelector(`#map svg > g > [data-place="${CSS.escape(place)}"]`);
  const holds = named ?? [...document.querySelectorAll("#map svg > g > [data-inside]")].find((one) => JSON.parse(String(one.getAttribute("data-inside"))).includes(place));
  return holds instanceof SVGGraphicsElement ? holds : dotOnTable(place);
}

/** A dot at a point of a table without places, such as `21,16`; it is drawn once. @type {(place: string) => SVGGraphicsElement | null} */
function dotOnTable(place) {
  const scale = Number(document.querySelector("#map svg .table")?.getAttribute("data-scale")), [, x, y] = /^(-?[\d.]+), ?(-?[\d.]+)$/.exec(place) ?? [];
  const light = lightLayer();
  if (!scale || x === undefined || !light) return null;
  const known = document.querySelector("#map svg > g.spots"), layer = known ?? shape("g", { class: "spots", "aria-hidden": "true" });
  if (!known) light.before(layer);
  const dot = /** @type {SVGCircleElement} */ (shape("circle", { class: "dot", r: 1.5, cx: Number(x) * scale, cy: Number(y) * scale, "data-place": place }));
  layer.append(dot);
  return dot;
}

/** The stack that a unit stands in. @type {(unit: string) => SVGGraphicsElement | null} */
const stackOf = (unit) => document.querySelector(`#map svg .stack[data-units~="${CSS.escape(unit)}"]`);

/** What takes the focus for the stack of a unit. @type {(unit: string) => Element | null} */
const standOf = (unit) => (unit ? over.querySelector(`.stand[data-units~="${CSS.escape(unit)}"]`) : null);

/** The front counter of a stack, without what is fanned out behind it. @type {(stack: Element) => DOMRect | null} */
function counterBox(stack) {
  const front = [...stack.querySelectorAll(".counter")].pop();
  return front instanceof SVGGraphicsElement ? front.getBBox() : null;
}

/** The middle of a box. @type {(box: DOMRect) => Spot} */
const middleOf = (box) => [box.x + box.width / 2, box.y + box.height / 2];

/** The middle of a place; null where the board does not show it. @type {(place: string) => Spot | null} */
function spotOf(place) {
  const plot = plotOf(place);
  return plot ? middleOf(plot.getBBox()) : null;
}

/** The corners of an outline. @type {(plot: Element) => Spot[]} */
function cornersOf(plot) {
  const numbers = (plot.getAttribute("points") ?? "").split(/[ ,]+/).filter(Boolean).map(Number);
  return numbers.flatMap((x, at) => (at % 2 ? [] : [/** @type {Spot} */ ([x, numbers[at + 1] ?? 0])]));
}

/** An outline of a place that is only a dot: a circle as large as a counter. @type {(plot: SVGGraphicsElement) => SVGElement} */
function outlineLike(plot) {
  const [x, y] = middleOf(plot.getBBox());
  if (plot.hasAttribute("points")) return shape("polygon", { points: plot.getAttribute("points") ?? "" });
  return shape("circle", { cx: x, cy: y, r: Math.max(MAP.counter * 0.95, inUnits(PIXELS.target / 2)) });
}

/** Whether a place is a point of a table: all points around it are places, too, so that its light must not take their clicks. @type {(plot: Element) => boolean} */
const isTablePoint = (plot) => plot.matches(".spots .dot");

/** The edges that only one of several outlines has, as a path: the rim around all of them. @type {(plots: Element[]) => string} */
function rimOf(plots) {
  /** @type {Map<string, { edge: [Spot, Spot], count: number }>} */
  const edges = new Map();
  for (const plot of plots) {
    const corners = cornersOf(plot);
    corners.forEach((from, at) => {
      const to = corners[(at + 1) % corners.length] ?? from;
      const key = [from, to].map((one) => one.map((part) => Math.round(part)).join(" ")).sort().join("/");
      edges.set(key, { edge: [from, to], count: (edges.get(key)?.count ?? 0) + 1 });
    });
  }
  return [...edges.values()].filter((one) => one.count === 1).map(({ edge: [from, to] }) => `M${from.join(" ")}L${to.join(" ")}`).join("");
}

// --- targets ----------------------------------------------------------------------------------------------------------

/** The targets of several ways: one for a place, one for a stack. @type {(ways: Way[]) => { targets: Target[], unseen: Way[] }} */
function targetsOf(ways) {
  /** @type {Map<Element, Target>} */
  const found = new Map();
  const unseen = [];
  for (const way of ways) {
    const { place = "", unit = "" } = way.choice, on = unit ? stackOf(unit) : plotOf(place);
    if (!on) { unseen.push(way); continue; }
    const box = unit ? counterBox(on) ?? on.getBBox() : on.getBBox();
    const target = found.get(on) ?? { place: unit ? "" : place, units: [], ways: [], box };
    if (unit && !target.units.includes(unit)) target.units.push(unit);
    target.ways.push(way);
    found.set(on, target);
  }
  return { targets: [...found.values()], unseen };
}

/** The words of a target for those who hear the page. @type {(target: Target) => string} */
function wordsOf(target) {
  const [first] = target.ways;
  if (!first) return "";
  if (target.ways.length > 1) return `${target.units.join(", ") || target.place}: ${target.ways.length} orders: ${[...new Set(target.ways.map((one) => one.offer.words))].join(", ")}`;
  const { words, cost, asks_again } = first.choice;
  return [words, cost === undefined || cost === null ? "" : `cost ${cost}`, asks_again ? "needs a second click" : ""].filter(Boolean).join(", ");
}

/** The layer of light below the counters; made anew where the server's drawing came anew. @type {() => SVGElement | null} */
function lightLayer() {
  const before = document.querySelector("#map svg > g.light"), svg = drawing();
  if (before instanceof SVGElement) return before;
  const ground = svg?.querySelector(":scope > g"), layer = shape("g", { class: "light", "aria-hidden": "true" });
  if (ground) ground.after(layer);
  return ground ? layer : null;
}

/** How much of a box others cover, in square units. @type {(box: DOMRect, others: DOMRect[]) => number} */
function overlapOf(box, others) {
  const shared = (/** @type {number} */ from, /** @type {number} */ length, /** @type {number} */ at, /** @type {number} */ other) => Math.max(0, Math.min(from + length, at + other) - Math.max(from, at));
  return others.reduce((sum, one) => sum + shared(box.x, box.width, one.x, one.width) * shared(box.y, box.height, one.y, one.height), 0);
}

/** A square around a spot. @type {(spot: Spot, half: number) => DOMRect} */
const squareAt = ([x, y], half) => new DOMRect(x - half, y - half, 2 * half, 2 * half);

/** Whether an enemy stands on a point of a table: a click on its counter goes there, and a mark would cover other points. @type {(place: string) => boolean} */
function isEnemyPoint(place) {
  const plot = plotOf(place), stack = document.querySelector(`#map .stack[data-place="${CSS.escape(place)}"]`);
  return plot !== null && isTablePoint(plot) && stack !== null && stack.getAttribute("data-side") !== ownSide();
}

/** The round mark of each target place that counters cover: above them, in the direction where it covers least. @type {(targets: Target[]) => SVGElement[]} */
function pinsOf(targets) {
  const counters = [...document.querySelectorAll("#map svg .stack .counter")].map((one) => /** @type {SVGGraphicsElement} */ (one).getBBox());
  const half = inUnits(PIXELS.target / 2), far = MAP.counter / 2 + half * 0.7;
  /** @type {DOMRect[]} */
  const placed = [];
  return targets.flatMap((target, nth) => {
    const [x, y] = middleOf(target.box);
    if (!target.place || overlapOf(squareAt([x, y], half), counters) < half * half || isEnemyPoint(target.place)) return [];
    const out = Math.max(Math.min(far, target.box.width > MAP.counter ? target.box.width / 2 : far), half / 2);
    const near = [0, 1, 2, 3, 4, 5, 6, 7].map((turn) => squareAt([x + out * Math.cos((turn * Math.PI) / 4), y - out * Math.sin((turn * Math.PI) / 4)], half));
    const hides = (/** @type {DOMRect} */ one) => overlapOf(one, counters) + 3 * overlapOf(one, placed);
    const best = near.reduce((found, one) => (hides(one) < hides(found) ? one : found));
    placed.push(best);
    const [cx, cy] = middleOf(best), cost = target.ways[0]?.choice.cost;
    const words = cost ? [shape("text", { class: "mark", x: cx, y: cy + half * 0.35, "font-size": half * 0.9 }, String(cost))] : [];
    return [shape("line", { class: "pin-line", x1: x, y1: y, x2: cx, y2: cy }), shape("circle", { class: "pin", "data-go": nth, cx, cy, r: half }), ...words];
  });
}

/** The scale for which targets were drawn: their least size is in pixels. */
let drawnScale = 0;

/** Draws the light, the rim, the costs, the red corners, and what takes clicks and the focus. @type {(targets: Target[]) => void} */
function drawTargets(targets) {
  drawnScale = shown?.scale ?? 0;
  const held = over.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : "";
  const light = lightLayer(), hits = overLayer("hits"), aims = overLayer("aims");
  const cells = targets.flatMap((one) => (one.place ? plotOf(one.place) ?? [] : []));
  for (const one of document.querySelectorAll("#map .lit")) one.classList.remove("lit");
  for (const one of cells) one.classList.add("lit");
  light?.replaceChildren(
    ...cells.flatMap((plot) => (plot.hasAttribute("points") ? [] : [withClass(outlineLike(plot), "disc")])),
    ...targets.flatMap((one) => (one.place ? costOf(one) : [])),
    shape("path", { class: "rim", d: rimOf(cells) })
  );
  aims.replaceChildren(...targets.flatMap((one) => (one.place ? [] : [cornersAround(one.box, "aim under"), cornersAround(one.box, "aim")])));
  hits.replaceChildren(...targets.map(hitOf));
  overLayer("pins").replaceChildren(...pinsOf(targets));
  const again = held ? [...over.querySelectorAll(".hit")].find((one) => one.getAttribute("aria-label") === held) : null;
  if (again instanceof SVGElement) again.focus({ preventScroll: true });
}

/** @type {(element: SVGElement, name: string) => SVGElement} */
function withClass(element, name) {
  element.setAttribute("class", name);
  return element;
}

/** The cost of a target, unless a unit stands there. @type {(target: Target) => SVGElement[]} */
function costOf(target) {
  const cost = target.ways[0]?.choice.cost, [x, y] = middleOf(target.box);
  if (cost === undefined || cost === null || document.querySelector(`#map .stack[data-place="${CSS.escape(target.place)}"]`)) return [];
  return [shape("text", { class: "cost", x, y: y + 3 }, String(cost))];
}

/** What takes the click. @type {(target: Target, nth: number) => SVGElement} */
function hitOf(target, nth) {
  const { width, height } = target.box, [x, y] = middleOf(target.box), plot = target.place ? plotOf(target.place) : null;
  const [wide, high] = [Math.max(width + 6, inUnits(PIXELS.target)), Math.max(height + 6, inUnits(PIXELS.target))];
  const hit = plot && isTablePoint(plot) ? shape("circle", { cx: x, cy: y, r: inUnits(PIXELS.target / 2) }) : plot ? outlineLike(plot) : shape("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high });
  for (const [name, value] of Object.entries({ class: `hit ${target.place ? "cell" : "foe"}`, role: "button", tabindex: 0, "data-go": nth, "aria-label": wordsOf(target) })) hit.setAttribute(name, String(value));
  return hit;
}

/** Four corners around a box. @type {(box: DOMRect, kind: string) => SVGElement} */
function cornersAround({ x, y, width, height }, kind) {
  const gap = 2.5, long = 6, [left, top, right, bottom] = [x - gap, y - gap, x + width + gap, y + height + gap];
  const corner = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ dx, /** @type {number} */ dy) => `M${cx} ${cy + dy * long}V${cy}H${cx + dx * long}`;
  return shape("path", { class: kind, d: corner(left, top, 1, 1) + corner(right, top, -1, 1) + corner(left, bottom, 1, -1) + corner(right, bottom, -1, -1) });
}

/** A layer above the map, by its name. @type {(name: string) => SVGElement} */
function overLayer(name) {
  const known = over.querySelector(`:scope > .${name}`);
  if (known instanceof SVGElement) return known;
  for (const one of ["stands", "hits", "pins", "aims", "chosen", "way"]) if (!over.querySelector(`:scope > .${one}`)) over.append(shape("g", one === "stands" || one === "hits" ? { class: one } : { class: one, "aria-hidden": "true" }));
  return /** @type {SVGElement} */ (over.querySelector(`:scope > .${name}`));
}

// --- units, paths, ghosts ---------------------------------------------------------------------------------------------

/** A place to give the focus to for each stack: arrows go from one to the next. */
function drawStands() {
  const layer = overLayer("stands"), had = layer.querySelector("[tabindex='0']")?.getAttribute("data-units");
  const stacks = /** @type {NodeListOf<SVGGraphicsElement>} */ (document.querySelectorAll("#map:not(.views) svg .stack[data-units]"));
  const focused = layer.contains(document.activeElement);
  layer.replaceChildren(...[...stacks].flatMap((stack) => {
    const box = counterBox(stack);
    if (!box) return [];
    const names = { "data-units": stack.getAttribute("data-units") ?? "", "data-place": stack.getAttribute("data-place") ?? "", "data-side": stack.getAttribute("data-side") ?? "" };
    return [shape("rect", { class: "stand", role: "button", tabindex: -1, x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, "aria-label": stack.querySelector("title")?.textContent ?? "", ...names })];
  }));
  const own = boardBox()?.dataset["side"] ?? "", stands = [...layer.children];
  const first = stands.find((one) => one.getAttribute("data-units") === had) ?? stands.find((one) => one.getAttribute("data-side") === own) ?? stands[0];
  first?.setAttribute("tabindex", "0");
  if (focused && first instanceof SVGElement) first.focus({ preventScroll: true });
}

/** The double ring around the chosen unit. @type {(unit: string) => void} */
function drawChosen(unit) {
  const stack = unit ? stackOf(unit) : null, box = stack ? counterBox(stack) : null, layer = overLayer("chosen");
  if (!box) return layer.replaceChildren();
  const ring = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 3 };
  layer.replaceChildren(shape("rect", { class: "ring outer", ...ring }), shape("rect", { class: "ring inner", ...ring }));
}

/** The path of a choice with a bead and its cost at each place, and the ghost where it waits. `via`: places with a ring, over which it was pulled. @type {(unit: string, choice: Choice | null, waits?: boolean, via?: string[]) => void} */
function drawWay(unit, choice, waits = false, via = []) {
  const layer = overLayer("way"), stack = unit ? stackOf(unit) : null, box = stack ? counterBox(stack) : null;
  if (!choice || !box) return layer.replaceChildren();
  const places = choice.path ?? [], start = middleOf(box), here = stack?.getAttribute("data-place");
  const ahead = places[0] === here ? places.slice(1) : places;
  const spots = ahead.map(spotOf).filter((one) => one !== null), costs = (choice.costs ?? []).slice(-ahead.length);
  const target = choice.unit ? stackOf(choice.unit) : null, goal = target ? counterBox(target) : null;
  const line = `M${[edgeTowards(start, spots[0] ?? (goal ? middleOf(goal) : start)), ...spots, ...(!spots.length && goal ? [middleOf(goal)] : [])].map((one) => one.join(" ")).join("L")}`;
  const drawn = spots.length || goal ? [shape("path", { class: "path case", d: line }), shape("path", { class: "path", d: line })] : [];
  const beads = spots.flatMap((at, nth) => [...beadOf(at, costs[nth] ?? nth + 1, nth === spots.length - 1), ...(via.includes(ahead[nth] ?? "") ? [shape("circle", { class: "via", cx: at[0], cy: at[1], r: 8.6 })] : [])]);
  const grips = waits ? spots.slice(0, -1).map(([cx, cy], nth) => shape("circle", { class: "grip", "data-bead": nth, cx, cy, r: Math.max(9, inUnits(PIXELS.target / 2)) })) : [];
  const end = spots[spots.length - 1] ?? (choice.place ? spotOf(choice.place) : null);
  layer.replaceChildren(...drawn, ...(waits && end ? [ghostAt(end, box)] : []), ...beads, ...grips);
}

/** The point at the edge of a counter towards another point. @type {(from: Spot, to: Spot) => Spot} */
function edgeTowards(from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], far = Math.hypot(dx, dy) || 1, out = Math.min(MAP.counter * 0.72, far / 2);
  return [from[0] + (dx / far) * out, from[1] + (dy / far) * out];
}

/** @type {(at: Spot, cost: number, last: boolean) => SVGElement[]} */
function beadOf([x, y], cost, last) {
  const at = last ? { x: x + MAP.counter * 0.62, y: y - MAP.counter * 0.62 } : { x, y };
  return [shape("circle", { class: "bead", cx: at.x, cy: at.y, r: last ? 6.6 : 5.4 }), shape("text", { class: "sum", x: at.x, y: at.y + 2.4 }, String(cost))];
}

/** @type {(at: Spot, box: DOMRect) => SVGElement} */
const ghostAt = ([x, y], box) => shape("rect", { class: "ghost", x: x - box.width / 2, y: y - box.height / 2, width: box.width, height: box.height, rx: 2 });
