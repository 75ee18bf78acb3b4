// @ts-check
// Draws accounts and losses by turn, and dice with their expected results. Every chart has its numbers in words.

/** Width and height of a small chart. */
const SPARK = { wide: 220, high: 34 };
const BARS = { wide: 380, high: 130, foot: 18, head: 14 };

/** @returns {{name: string, side: string, values: (number | null)[]}[]} */
function allSeries() {
  const accounts = Object.entries(facts.charts.accounts).map(([name, values]) => ({ name, side: "", values }));
  const losses = Object.entries(facts.charts.losses).map(([side, values]) => ({ name: `${sideName(side)} out of play`, side, values }));
  return [...losses, ...accounts].filter((one) => one.values.some((value) => value));
}

const WHEN = "The dot is the value at the end of the turn, or the current value of a running turn. The vertical line is the current record.";

/** Returns the moment of a turn's value in words. @param {number} number the index of the turn */
function whenOf(number) {
  const turn = facts.charts.turns[number] ?? 0;
  const running = number === facts.charts.turns.length - 1 && !stateAt(facts.last).ended;
  return running ? `turn ${turn} so far` : `end of turn ${turn}`;
}

/** Returns the place of a record along the axis of turns: n is the end of turn n, counted from 0. @param {number} at */
function turnsUpTo(at) {
  const now = facts.charts.turns.indexOf(turnAt(at));
  if (now < 1) return 0;
  const [before, end] = [turnEnd(now - 1), turnEnd(now)];
  return now - 1 + clamp((at - before) / Math.max(end - before, 1), 0, 1);
}

/** @param {number} at */
function drawCharts(at) {
  if (byId("charts-panel").hidden) return;
  const series = allSeries();
  const turns = facts.charts.turns;
  const now = turns.indexOf(turnAt(at));
  const rows = series.map((one) => made("tr", {}, ...seriesCells(one, now, turnsUpTo(at))));
  const head = made("tr", {}, ...["series", `turns ${turns[0] ?? ""} to ${turns.at(-1) ?? ""}`, whenOf(now)].map((words) => made("th", { scope: "col" }, words)));
  const note = made("p", { class: "note" }, series.length ? `Each line has its own scale. ${WHEN}` : "No accounts, and no unit is out of play.");
  byId("charts-panel").replaceChildren(made("h2", {}, "Accounts and losses"), note, made("table", { class: "sparks" }, made("thead", {}, head), made("tbody", {}, ...rows)));
}

/** @type {(series: ReturnType<typeof allSeries>[number], now: number, here: number) => HTMLElement[]} */
function seriesCells({ name, side, values }, now, here) {
  const { wide, high } = SPARK;
  const words = `${name}: ${values.map((value) => value ?? "none").join(", ")}`;
  const chart = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, class: "spark", role: "img", "aria-label": words });
  const across = (/** @type {number} */ turn) => 4 + (turn * (wide - 8)) / Math.max(values.length - 1, 1);
  chart.append(titled(words), hereLine(across(here), high), ...lineOf(values, across, high, now));
  const heading = made("th", { scope: "row" }, ...(side ? [swatch(side)] : []), name);
  return [heading, made("td", {}, chart), made("td", { class: "number" }, String(values[now] ?? "–"))];
}

/**
 * Draws a line through values, with a dot at the current turn, and a thin line at zero if zero is in range.
 * @type {(values: (number | null)[], across: (turn: number) => number, high: number, now: number) => Element[]}
 */
function lineOf(values, across, high, now) {
  const numbers = values.filter((value) => value !== null);
  const [least, most] = [Math.min(0, ...numbers), Math.max(1, ...numbers)];
  const down = (/** @type {number} */ value) => high - 5 - ((value - least) / (most - least)) * (high - 10);
  const spots = values.flatMap((value, turn) => (value === null ? [] : [`${across(turn).toFixed(1)} ${down(value).toFixed(1)}`]));
  const parts = [drawn("path", { class: "nought", d: `M${across(0)} ${down(0)}H${across(Math.max(values.length - 1, 0))}` })];
  if (spots.length) parts.push(drawn("path", { class: "line", d: `M${spots.join("L")}` }));
  const value = values[now];
  if (value !== null && value !== undefined) parts.push(drawn("circle", { class: "now", cx: across(now), cy: down(value), r: 3.5 }));
  return parts;
}

/** Draws the vertical line at the current record. @type {(x: number, high: number) => Element} */
function hereLine(x, high) {
  return drawn("path", { class: "here", d: `M${x.toFixed(1)} 0V${high}` });
}

// --- the strip above the slider ---------------------------------------------------------------------------------------

let stripShown = 0;

/** Draws the chosen series above the slider, along the same positions. @param {number} at */
function drawStrip(at) {
  const box = byId("strip");
  if (box.hidden) return;
  const series = allSeries();
  const one = series[stripShown] ?? series[0];
  if (!one) return box.replaceChildren(made("p", { class: "note" }, "No accounts, and no unit is out of play."));
  const choice = /** @type {HTMLSelectElement} */ (made("select", { "aria-label": "Series" }));
  choice.append(...series.map(({ name }, number) => made("option", { value: String(number) }, name)));
  choice.selectedIndex = stripShown;
  choice.addEventListener("change", () => {
    stripShown = choice.selectedIndex;
    drawStrip(player.at);
  });
  const now = facts.charts.turns.indexOf(turnAt(at));
  const value = made("span", { class: "value" }, made("b", {}, String(one.values[now] ?? "–")), ` ${whenOf(now)}`);
  box.replaceChildren(choice, value); // they decide how wide the slider is
  const wide = Math.max(byId("marks").clientWidth, 1);
  const words = `${one.name}: ${one.values.join(", ")}`;
  const chart = drawn("svg", { width: wide, height: 46, class: "spark", role: "img", "aria-label": words });
  chart.append(titled(words), hereLine(acrossOf(at) * wide, 46), ...lineOf(one.values, (turn) => acrossOf(turnEnd(turn)) * wide, 46, now));
  choice.after(chart);
}

function turnStrip() {
  const box = byId("strip");
  box.hidden = !box.hidden;
  byId("chart").setAttribute("aria-expanded", String(!box.hidden));
  drawStrip(player.at);
}

/** Returns the last position of a turn. @param {number} number the index of the turn */
function turnEnd(number) {
  const turn = facts.charts.turns[number + 1];
  const next = facts.turns.find(([position, its]) => its === turn && counts(position));
  return next ? next[0] - 1 : facts.last;
}

// --- dice -------------------------------------------------------------------------------------------------------------

function drawDice() {
  const panel = byId("dice-panel");
  if (panel.hidden || panel.hasChildNodes()) return;
  const groups = /** @type {const} */ ([
    ["die", "All dice"],
    ["seat", "By seat"],
    ["purpose", "By purpose"],
  ]);
  panel.append(made("h2", {}, "Dice"), made("p", { class: "note" }, "Bars: results. Line: expected results of fair dice."));
  for (const [of, words] of groups) {
    const totals = facts.dice.totals.filter((total) => total.of === of && total.faces.dice);
    if (!totals.length) continue;
    const figures = totals.map((total) => diceFigure(total));
    if (of === "die") panel.append(...figures);
    else panel.append(made("details", {}, made("summary", {}, `${words} (${totals.length})`), ...figures));
  }
  if (panel.childElementCount === 2) panel.append(made("p", {}, "No dice were rolled."));
}

/** @param {DiceTotal} total */
function diceFigure({ of, name, rolls, faces }) {
  const heading = of === "die" ? faces.die : `${name} (${faces.die})`;
  const judged = faces.warning || `χ² ${faces.chi_square.toFixed(2)}, ${faces.degrees} degrees of freedom, p ${faces.p.toFixed(3)}`;
  const words = `${faces.dice === 1 ? "1 die" : `${faces.dice} dice`} in ${countOf(rolls, "roll")}, mean ${faces.mean.toFixed(2)} (expected ${((faces.counts.length + 1) / 2).toFixed(1)}); ${judged}. ${faces.warning ? "" : fairness(faces.p)}`;
  return made("figure", {}, made("h3", {}, heading), diceChart(faces), made("figcaption", { class: "note" }, words));
}

/** Explains a probability p to readers without knowledge of statistics. @param {number} p */
function fairness(p) {
  const often = p < 0.005 ? "fewer than 1" : String(Math.round(p * 100));
  const judged = p >= 0.05 ? "This is not unusual" : p >= 0.01 ? "This is unusual, but proves nothing" : "This is rare";
  return `${judged}: of 100 series of fair dice, ${often} differ this much or more.`;
}

/** @param {DiceTotal["faces"]} faces */
function diceChart({ counts: found, expected }) {
  const { wide, high, foot, head } = BARS;
  const most = Math.max(expected, ...found, 1);
  const down = (/** @type {number} */ count) => high - foot - (count / most) * (high - foot - head);
  const pitch = wide / found.length;
  const words = `Faces: ${found.map((count, face) => `${face + 1}: ${count}`).join(", ")}; expected ${expected.toFixed(1)} each`;
  const chart = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, class: "bars", role: "img", "aria-label": words });
  found.forEach((count, face) => {
    const x = face * pitch + pitch * 0.15;
    chart.append(drawn("rect", { class: "bar", x, y: down(count), width: pitch * 0.7, height: high - foot - down(count) }));
    chart.append(written(x + pitch * 0.35, high - 5, String(face + 1), "face"), written(x + pitch * 0.35, down(count) - 3, String(count), "count"));
  });
  chart.append(drawn("path", { class: "expected", d: `M0 ${down(expected)}H${wide}` }));
  return chart;
}
