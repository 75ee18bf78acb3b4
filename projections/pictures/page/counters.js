// @ts-check
// A counter: the pattern, letter and label of its side and unit, and the signs on it.

/** In units of the map: those of a grid, of which a place is 40 wide. */
const COUNTER = { wide: 30, high: 17, below: 3.5, fan: 2, mostFanned: 3 };

/** @param {[id: string, unit: Unit]} unit */
function unitWords([id, { kind, signs = [], seen }]) {
  const all = seen ? [seen, ...signs] : signs;
  return `${id} ${kind}${all.length ? ` (${all.join(", ")})` : ""}`;
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
