// @ts-check
// Draws the panels next to the map: the record in words with its roll, the turn view at the position, and notes.

/** The positions of the dots on a six-sided die, as letters, by face. */
const DOTS = ["", "c", "ab", "acb", "adeb", "adceb", "adefgb"];
/** @type {Record<string, Spot>} */
const DOT_SPOTS = { a: [-1, -1], b: [1, 1], c: [0, 0], d: [1, -1], e: [-1, 1], f: [-1, 0], g: [1, 0] };

// --- the record -------------------------------------------------------------------------------------------------------

/** @param {number} at */
function drawSaid(at) {
  const { x, r, s, w } = record(at);
  const words = sentence(at);
  const order = orders[orderNumber(at)];
  const whole = order ? orderSentence(order) : "";
  const head = made("p", { class: "sentence" }, ...(x ? rollParts(x) : []), ...linked(words));
  const cited = [`#${at}`, r, s && `step ${s}`, w && `by ${w}`, counts(at) ? "" : "undone"].filter((one) => one);
  const parts = [head, made("p", { class: "mono" }, cited.join(" · "))];
  if (order && order.last > order.first && whole !== words) {
    const range = link(order.first, `#${order.first}–${order.last}`);
    parts.push(made("p", { class: "whole", title: whole }, "In ", range, ": ", ...linked(whole)));
  }
  byId("said").replaceChildren(...parts);
  byId("said").classList.toggle("undone", !counts(at));
}

/** @param {RollSeen} roll */
function rollParts(roll) {
  const sides = roll.sides ?? Number(/\bd(\d+)/.exec(roll.words)?.[1] ?? 6);
  return roll.pips.map((pips) => die(pips, sides));
}

/** Draws a die with its result: as dots if it has six faces, otherwise as a number. @type {(pips: number, sides: number) => Element} */
function die(pips, sides) {
  const face = drawn("svg", { class: "die", viewBox: "-13 -13 26 26", role: "img", "aria-label": `a ${pips} on a d${sides}` });
  face.append(drawn("rect", { x: -12, y: -12, width: 24, height: 24, rx: 5 }));
  const dots = sides === 6 ? DOTS[pips] : undefined;
  if (dots === undefined) face.append(written(0, 5, String(pips), "pips"));
  for (const dot of dots ?? "") {
    const [x, y] = DOT_SPOTS[dot] ?? [0, 0];
    face.append(drawn("circle", { cx: x * 6, cy: y * 6, r: 2.3 }));
  }
  return face;
}

// --- the header -------------------------------------------------------------------------------------------------------

/** @param {number} at */
function drawWhere(at) {
  const { where, side_to_act: acting = [], ended } = stateAt(at);
  const words = [facts.title, where, facts.copied].filter(Boolean).join(" · ");
  const sides = new Intl.ListFormat("en").format(acting.map(sideName));
  const parts = words.endsWith(` ${sides}`) ? [words.slice(0, -sides.length), made("b", {}, sides)] : [words, sides && " · to act: ", made("b", {}, sides)];
  const seen = facts.seat === "referee" ? "" : ` · view of ${facts.seat}`;
  byId("where").replaceChildren(...parts, ...(ended ? [" · ", made("b", {}, ended)] : []), seen);
}

// --- the table --------------------------------------------------------------------------------------------------------

const wide = matchMedia("(min-width: 1700px)");

/** @type {Set<string>} The parts of the table that a reader opened or closed, against what is usual. */
const turned = new Set();

/** Shows the turn view at a position. @param {number} at */
function drawTable(at) {
  if (byId("table-panel").hidden && !wide.matches) return;
  const state = stateAt(at);
  const parts = [made("h2", {}, `State at #${at}`), ...steps(state), ...waiting(state)];
  const accounts = Object.entries(state.accounts ?? {});
  const markers = Object.entries(state.markers ?? {});
  const kept = Object.values(state.kept ?? {}).flatMap((names) => Object.entries(names));
  if (accounts.length) parts.push(part("Accounts", true, () => [table(accounts)]));
  for (const look of facts.sides) parts.push(...sideUnits(state, look));
  if (markers.length) parts.push(part("Markers", false, () => [table(markers)]));
  if (kept.length) parts.push(part("Internal to the rules", false, () => [table(kept)]));
  parts.push(part("Marks on the map", false, () => [marksOfMap()]));
  byId("table-panel").replaceChildren(...parts);
}

/** @param {State} state */
function steps(state) {
  const open = (state.steps ?? []).map(([label, name]) => made("li", {}, made("b", {}, label), ` ${name}`));
  return [made("p", {}, `Turn ${state.turn}`), made("ul", { class: "steps" }, ...open)];
}

/** @param {State} state */
function waiting({ wait = [], owed = [], ended }) {
  /** @type {[string, string[]][]} */
  const groups = [
    ["Ended", ended ? [ended] : []],
    ["Waiting for", wait],
    ["Required", owed],
  ];
  return groups.filter(([, words]) => words.length).map(([heading, words]) => {
    return made("div", {}, made("h3", {}, heading), made("ul", {}, ...words.map((one) => made("li", {}, one.replaceAll("\x60", "")))));
  });
}

/** Lists the units of a side by place. @type {(state: State, look: SideLook) => HTMLElement[]} */
function sideUnits(state, look) {
  const own = Object.entries(state.units).filter(([, unit]) => unit.side === look.side);
  const past = own.filter(([, unit]) => unit.seen).length;
  const playing = own.filter(([, unit]) => !unit.fate).sort(([, one], [, other]) => byName(one.place, other.place));
  if (!own.length) return [];
  const there = playing.length - past;
  const words = `${look.name}: ${there} ${there === 1 ? "unit" : "units"}${past ? `, ${past} out of sight` : ""}${goneInWords(own.map(([, unit]) => unit))}`;
  const rows = () => [...playing, ...own.filter(([, unit]) => unit.fate).sort(byKey)].map(([id, unit]) => {
    const signs = unit.fate ? [unit.fate] : [...(unit.seen ? [unit.seen] : []), ...(unit.signs ?? [])];
    return made("li", {}, unitButton(id, unit), " ", placeButton(unit.place), made("small", {}, ` ${signs.join(", ")}`));
  });
  return [part(words, own.length <= 24, () => [made("ul", { class: "units" }, ...rows())], look.side)];
}

/** Returns the number of units out of play, by fate, in words. @param {Unit[]} units */
function goneInWords(units) {
  const fates = units.flatMap((unit) => unit.fate ?? []);
  const each = [...new Set(fates)].map((fate) => `${fates.filter((one) => one === fate).length} ${fate}`);
  return fates.length ? `, ${fates.length} out of play (${each.join(", ")})` : "";
}

/** @param {string} place */
function placeButton(place) {
  const button = made("button", { type: "button", class: "unit mono" }, place);
  button.addEventListener("click", () => showPlace(place));
  return button;
}

/**
 * Creates a section that stays collapsed or expanded as the reader left it. Its content is created when it is expanded.
 * @type {(words: string, usual: boolean, make: () => HTMLElement[], name?: string) => HTMLElement}
 */
function part(words, usual, make, name = words) {
  const details = /** @type {HTMLDetailsElement} */ (made("details", {}, made("summary", {}, words)));
  const open = turned.has(name) !== usual;
  if (open) details.append(...make());
  details.open = open;
  details.addEventListener("toggle", () => {
    if (details.open === usual) turned.delete(name);
    else turned.add(name);
    if (details.open && details.childElementCount === 1) details.append(...make());
  });
  return details;
}

// --- notes ------------------------------------------------------------------------------------------------------------

/** Lists disputes, seals, rulings and rewound stretches, each with a link. */
function drawNotes() {
  const undone = facts.undone.map(([first, last]) => /** @type {[number, string]} */ ([first, first === last ? "no longer counts" : `to #${last} no longer count`]));
  /** @type {[string, [number, string][]][]} */
  const groups = [
    ["Disputes", facts.disputes],
    ["Rulings", facts.rulings ?? []],
    ["Seals", facts.seals],
    ["Undone", undone],
  ];
  const parts = groups.filter(([, notes]) => notes.length).flatMap(([heading, notes]) => {
    const rows = notes.map(([at, words]) => made("li", {}, link(at), " ", ...linked(words)));
    return [made("h2", {}, heading), made("ul", { class: "notes" }, ...rows)];
  });
  const none = made("p", { class: "note" }, "No disputes, rulings, seals or undone orders.");
  byId("notes-panel").replaceChildren(...(parts.length ? parts : [none]));
  const [, disputes] = groups[0] ?? ["", []];
  if (disputes.length) navButton("notes-panel").textContent = `Notes ${disputes.length}`;
}

/** @param {string} side */
function sideName(side) {
  return looks.get(side)?.name ?? side;
}
