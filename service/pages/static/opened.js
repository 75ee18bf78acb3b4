// A stack that is opened out: the counter of each of its units, as a button that says whether the unit has orders. It
// shows; `clicks.js` decides.

/** The most units of a stack whose orders are looked up before one is chosen. */
const MOST_SEARCHES = 24;

/** The units of a stack, the first one on top. @type {(stack: Element) => string[]} */
const unitsIn = (stack) => String(stack.getAttribute("data-units")).split(" ");

/** Whether a stack is in the hand, and no unit of it is chosen. */
const isOpened = () => hand.held && hand.units.length > 1 && !hand.unit;

/** The stack in the hand as it is now; null if none of its units is on the board. @type {() => SVGGraphicsElement | null} */
const stackInHand = () => hand.units.map(stackOf).find((one) => one !== null) ?? null;

/** Opens a stack out. `from`: the unit that gets the focus. @type {(units: string[], byKeys?: boolean, from?: string) => Promise<void>} */
async function openStack(units, byKeys = false, from = "") {
  hand = { ...emptyHand(), held: true, units };
  draw();
  if (byKeys) cardOf(from || units[0] || "")?.focus({ preventScroll: true });
  if (whyClosed()) return;
  for (const unit of units.slice(0, MOST_SEARCHES)) {
    if (hand.units !== units || hand.unit) return;
    if (!answerFor({ unit })) await offersOf({ unit });
    if (isOpened()) markCard(unit);
  }
}

/** The button of a unit. @type {(unit: string) => HTMLElement | null} */
const cardOf = (unit) => document.querySelector(`#palette [data-focus="unit-${CSS.escape(unit)}"]`);

/** What an opened stack shows: its place, the number of its units, a button for each. @type {() => HTMLElement[]} */
function openedRows() {
  const stack = stackInHand(), cards = (stack?.getAttribute("data-cards") ?? "").split(" ");
  const there = stack ? unitsIn(stack) : [];
  return hand.units.map((unit) => {
    const drawn = document.getElementById(cards[there.indexOf(unit)] ?? ""), words = drawn?.querySelector("title")?.textContent ?? "";
    const button = element("button", { type: "button", class: "card", "data-focus": `unit-${unit}`, title: `${unit} ${words}` }, ...pictureOf(drawn), element("b", {}, unit), element("small", {}, words), element("small", { class: "has" }));
    button.addEventListener("click", (event) => void takeUnit(hand.units, unit, event.detail === 0));
    fillMark(button, unit);
    return button;
  });
}

/** A counter that the drawing of the board defines. @type {(drawn: Element | null) => Element[]} */
function pictureOf(drawn) {
  const copy = drawn?.cloneNode(true);
  if (!(copy instanceof Element)) return [];
  copy.removeAttribute("id");
  copy.querySelector("title")?.remove();
  const picture = shape("svg", { viewBox: "-18 -18 36 36", "aria-hidden": "true", class: "counters" });
  picture.append(copy);
  return [picture];
}

/** @type {(unit: string) => void} */
function markCard(unit) {
  const card = cardOf(unit);
  if (card) fillMark(card, unit);
}

/** Says on a card how many orders its unit has, as far as that is known. @type {(card: Element, unit: string) => void} */
function fillMark(card, unit) {
  const offers = whyClosed() ? null : answerFor({ unit }), count = offers?.filter(isOpen).length ?? 0;
  const words = card.querySelector(".has");
  card.classList.toggle("ready", count > 0);
  card.classList.toggle("idle", offers !== null && !count);
  if (words) words.textContent = offers === null ? (whyClosed() ? "" : "…") : count ? `${count} ${count === 1 ? "order" : "orders"}` : "no orders";
}

/** Where the cards are on a telephone: at the edge of the board that is farther from the stack. @type {(palette: HTMLElement, frame: DOMRect, stack: DOMRect | undefined) => { left: number, top: number }} */
function edgeOfBoard(palette, frame, stack) {
  const isLow = stack !== undefined && stack.top + stack.height / 2 > frame.top + frame.height / 2;
  return { left: 8, top: isLow ? 8 : Math.max(frame.height - palette.offsetHeight - 20, 8) };
}
