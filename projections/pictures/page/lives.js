// @ts-check
// Shows the history of a unit, and the units that were at a place.

/** @type {Stay[] | undefined} */
let stays;

/** Returns the stays of all units at places on the current branch, computed at the first call. */
function allStays() {
  if (stays) return stays;
  /** @type {Stay[]} */
  const found = [];
  /** @type {Map<string, Stay>} */
  const open = new Map();
  /** @type {Set<string>} */
  const touched = new Set();
  /** @type {Map<string, {place?: string, fate?: string, seen?: string}>} */
  const now = new Map();
  patches.forEach((patch, number) => {
    const at = facts.first + number;
    for (const [unit, change] of Object.entries(isTable(patch) && isTable(patch.units) ? patch.units : {})) {
      if (isTable(change)) now.set(unit, { ...now.get(unit), ...change });
      else now.delete(unit);
      touched.add(unit);
    }
    if (number && !counts(at)) return;
    for (const unit of touched) moved(unit, at);
    touched.clear();
  });
  return (stays = found);

  /** @type {(unit: string, at: number) => void} */
  function moved(unit, at) {
    const known = now.get(unit);
    const place = known && !known.fate && !known.seen ? (known.place ?? "") : "";
    const before = open.get(unit);
    if ((before?.place ?? "") === place) return;
    if (before) before.to = at;
    open.delete(unit);
    if (!place) return;
    const stay = { unit, place, from: at };
    open.set(unit, stay);
    found.push(stay);
  }
}

/** @type {Map<string, number[]> | undefined} */
let unitRecords;

/**
 * Returns the positions of the records about a unit.
 * @param {string} unit
 */
function recordsOf(unit) {
  if (!unitRecords) {
    unitRecords = new Map();
    for (const [number, entry] of entries.entries()) {
      for (const name of entry.u ?? []) {
        const known = unitRecords.get(name);
        if (known) known.push(facts.first + number);
        else unitRecords.set(name, [facts.first + number]);
      }
    }
  }
  return unitRecords.get(unit) ?? [];
}

// --- what is shown of it ----------------------------------------------------------------------------------------------

/** The unit or place that the reader chose. */
const picked = { unit: "", place: "" };

const life = new LongList(made("div", { class: "long" }), (number) => recordRow(livedThrough[number] ?? 0));

/** @type {number[]} The positions that `life` lists. */
let livedThrough = [];

/** @param {string} unit */
function showUnit(unit) {
  Object.assign(picked, { unit, place: "" });
  livedThrough = recordsOf(unit).filter((at) => undoneToo() || counts(at));
  drawMap(player.at);
  choosePanel("about");
  drawAbout(player.at);
  life.show(livedThrough.length);
}

/** @param {string} place */
function showPlace(place) {
  Object.assign(picked, { unit: "", place });
  drawMap(player.at);
  choosePanel("about");
  drawAbout(player.at);
}

/** Shows the chosen unit or place as it was at a position. @param {number} at */
function drawAbout(at) {
  if (byId("about").hidden) return;
  const close = made("button", { type: "button", class: "close", title: "Back (Esc)" }, "Back");
  close.addEventListener("click", closeAbout);
  byId("about").replaceChildren(close, ...(picked.unit ? unitParts(at) : placeParts(at)));
}

/** Returns to the trail; returns false if no unit or place was shown. */
function closeAbout() {
  if (!picked.unit && !picked.place) return false;
  Object.assign(picked, { unit: "", place: "" });
  drawMap(player.at);
  showPanel("trail-panel");
  return true;
}

/** @param {number} at */
function unitParts(at) {
  const unit = stateAt(at).units[picked.unit];
  const only = made("button", { type: "button" }, "Filter the trail by this unit");
  only.addEventListener("click", () => {
    narrow({ unit: picked.unit });
    closeAbout();
  });
  const heading = made("h2", {}, unit ? swatch(unit.side, unit) : "", picked.unit);
  const words = made("p", { class: "note" }, unit ? standing(unit, at) : `not in the game at #${at}`);
  const attributes = table(Object.entries(unit?.about ?? {}).filter(([, value]) => plain(value) !== ""));
  const kept = Object.entries(unit?.kept ?? {});
  const folded = kept.length ? [made("details", {}, made("summary", {}, `${kept.length} internal to the rules`), table(kept))] : [];
  const count = livedThrough.length;
  const lived = made("h3", {}, `History: ${count} ${count === 1 ? "record" : "records"}`);
  return [heading, words, attributes, ...folded, lived, only, life.box];
}

/** @type {(unit: Unit, at: number) => string} */
function standing(unit, at) {
  const aboard = unit.at && unit.at !== unit.place ? `, aboard ${unit.at}` : "";
  const where = unit.fate ? `${unit.fate}, last at ${unit.place}` : `at ${unit.place || "no place"}${aboard}`;
  const signs = unit.signs?.length ? `; ${unit.signs.join(", ")}` : "";
  return `${sideName(unit.side)} ${unit.kind}; at #${at} ${unit.seen ? `out of sight, ${unit.seen} ` : ""}${where}${signs}`;
}

/** @param {number} at */
function placeParts(at) {
  const here = (/** @type {string} */ place) => place === picked.place || within.get(place) === picked.place;
  const units = Object.entries(stateAt(at).units).filter(([, unit]) => !unit.fate && here(unit.place));
  const list = made("ul", { class: "units" }, ...units.sort(byKey).map(([id, unit]) => made("li", {}, unitButton(id, unit))));
  const was = allStays().filter((stay) => here(stay.place));
  const rows = made("ol", { class: "stays" }, ...was.slice(-500).map(stayRow));
  const heading = `Units here so far: ${was.length} ${was.length === 1 ? "stay" : "stays"}${was.length > 500 ? ", showing the last 500" : ""}`;
  const nobody = units.length ? [] : [made("p", { class: "note" }, `No units here at #${at}.`)];
  return [made("h2", {}, picked.place), made("h3", {}, `At #${at}`), ...nobody, list, made("h3", {}, heading), rows];
}

/** @param {Stay} stay */
function stayRow({ unit, place, from, to }) {
  const until = to ? ["to ", link(to)] : ["to now"];
  const where = place === picked.place ? [] : [` (${place})`];
  return made("li", {}, unitButton(unit, stateAt(player.at).units[unit]), ...where, " from ", link(from), " ", ...until);
}

/**
 * @param {string} id
 * @param {Unit} [unit]
 */
function unitButton(id, unit) {
  const button = made("button", { type: "button", class: "unit" }, unit ? swatch(unit.side, unit) : "", id);
  button.addEventListener("click", () => showUnit(id));
  return button;
}
