// @ts-check
// Draws a counter: a card in the pattern of its side, with a drawing of its unit, a letter, a label, a number and signs.
// `drawn_counters.py` draws the same counters.

/** Sizes in map units; a cell of a grid is 40 units wide. */
const COUNTER = { wide: 22, high: 22, below: 3.5, beside: 4, fan: 2, mostFanned: 5 };

/** @param {[id: string, unit: Unit]} unit */
function unitWords([id, { kind, signs = [], seen, number }]) {
  const all = [seen, number, ...signs].filter((one) => one);
  return `${id} ${kind}${all.length ? ` (${all.join(", ")})` : ""}`;
}

/** Returns the parts of a counter, or of the top card of a stack; without units, only the letter. @type {(side: string, units: Partial<Unit>[]) => Element[]} */
function counterParts(side, units) {
  const [first] = units;
  const look = looks.get(side) ?? { letter: "", colour: "#fff", ink: "#1d2430" };
  const signs = new Set(units.flatMap((one) => one.signs ?? []));
  const names = new Set(units.map((one) => facts.map.kinds[one.kind ?? ""]));
  const symbols = facts.map.symbols.filter((one) => names.has(one.name));
  const many = units.length > 1 ? `×${units.length}` : "";
  const label = many ? "" : (first?.label ?? "");
  const parts = [card(side, ["front", ...(signs.has("crippled") ? ["torn"] : []), ...(signs.has("hidden") ? ["hidden"] : [])])];
  if (symbols.length) {
    const bearings = new Set(units.map((one) => (one.seen ? 0 : (one.bearing ?? 0))));
    const bearing = bearings.size === 1 ? ([...bearings][0] ?? 0) : 0;
    parts.push(drawnSymbols(look, symbols, bearing, signs.has("crippled")));
    parts.push(corner(look, label, symbols.length === 1 && !symbols[0]?.place && bearing % 180 > 90));
  } else {
    parts.push(onCard(look, 0, label ? -1 : 3, look.letter, "letter"), onCard(look, 0, 7.5, label, "label"));
  }
  return [...parts, ...tag(many || (first?.number ?? "")), ...signsOf(signs)];
}

/** @type {(look: { ink: string, colour: string }, symbols: Drawing[], bearing: number, torn: boolean) => Element} */
function drawnSymbols(look, symbols, bearing, torn) {
  const { scale, several } = facts.map.cards;
  const turned = bearing ? `rotate(${bearing}) scale(.9)` : "translate(2.5 .5) scale(.86)";
  const places = symbols.length > 1 ? several[Math.min(symbols.length, 3) - 2] ?? [] : [symbols[0]?.place || turned];
  const paint = { fill: look.ink, stroke: look.ink, color: look.colour, "stroke-linecap": "round" };
  const group = drawn("g", { class: "drawing", transform: `scale(${scale})`, ...paint, ...(torn ? { "clip-path": "url(#torn)" } : {}) });
  /** @type {Record<string, string>} */
  const sole = symbols.length === 1 && symbols[0]?.place ? { class: "sole" } : {};
  group.append(...places.map((place, at) => drawn("use", { href: `#symbol-${symbols[at]?.name}`, transform: place, ...sole })));
  return group;
}

/** Writes the letter and the label in the upper corner that the drawing leaves free. @type {(look: { ink: string, colour: string, letter: string }, label: string, right: boolean) => Element} */
function corner(look, label, right) {
  const half = COUNTER.wide / 2 - 1.2;
  const text = onCard(look, right ? half : -half, -5.2, look.letter, "corner");
  text.setAttribute("stroke", look.colour);
  text.style.textAnchor = right ? "end" : "start";
  if (label.length >= 4) text.setAttribute("textLength", String(COUNTER.wide - 3));
  if (label.length >= 4) text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  const name = drawn("tspan", { dx: 0.8 });
  name.textContent = label;
  if (label) text.append(name);
  return text;
}

/** @type {(look: { ink: string }, x: number, y: number, words: string, kind: string) => SVGElement} */
function onCard(look, x, y, words, kind) {
  const text = written(x, y, words, kind);
  text.style.fill = look.ink;
  return text;
}

/** Draws the number of a counter or a stack at the lower right corner. @param {string} words */
function tag(words) {
  const [wide, right] = [3 + 3.6 * words.length, COUNTER.wide / 2 + 1];
  return words ? [drawn("rect", { class: "tag", x: right - wide, y: 5, width: wide, height: 7, rx: 1.5 }), written(right - wide / 2, 10.6, words, "count")] : [];
}

/** @param {Set<string>} signs */
function signsOf(signs) {
  const half = COUNTER.wide / 2;
  const all = { burning: ["fire", half, -half, 4], bound: ["ring", 1 - half, half - 1, 3.5], active: ["active", -half, 0, 2.5] };
  return Object.entries(all).flatMap(([sign, [kind = "", cx = 0, cy = 0, r = 0]]) => (signs.has(sign) ? [drawn("circle", { class: kind, cx, cy, r })] : []));
}

/** Draws small arrowheads at the edge of a counter, one for each direction that its units face. @param {[string, Unit][]} units */
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

/** Draws an empty card. @type {(side: string, kinds: string[], x?: number, y?: number) => Element} */
function card(side, kinds, x = 0, y = 0) {
  const number = [...looks.keys()].indexOf(side);
  const { whole, torn } = facts.map.cards;
  const outline = `M${x} ${y}${kinds.includes("torn") ? torn : whole}`;
  return drawn("path", { class: ["counter", ...kinds].join(" "), fill: number < 0 ? "#fff" : `url(#side${number})`, d: outline });
}

/**
 * Draws a small counter for lists, in the side's pattern, with a letter or a unit.
 * @param {string} side
 * @param {Unit} [unit]
 */
function swatch(side, unit) {
  const small = drawn("svg", { class: "swatch", viewBox: "-14 -14 28 28", "aria-hidden": "true" });
  small.append(...counterParts(side, unit ? [unit] : []));
  return small;
}
