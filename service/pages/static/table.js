// The page of a seat: the form of an order while it is filled in, dice by keys, other keys, and notifications of your turn.

/** @type {(selector: string) => HTMLElement | null} */
const first = (selector) => document.querySelector(selector);

// --- the form of an order ---------------------------------------------------------------------------------------------

let looks = 0;

/** Fetches the form again with the values so far: its choices, its dice, and whether the rules would accept the order. @type {(form: HTMLFormElement, by?: HTMLElement | null) => Promise<void>} */
async function lookAgain(form, by = null) {
  const mine = looks += 1;
  document.documentElement.setAttribute("data-looking", "");
  await lookedAt(form, by, mine).finally(() => { if (mine === looks) document.documentElement.removeAttribute("data-looking"); });
}

/** @type {(form: HTMLFormElement, by: HTMLElement | null, mine: number) => Promise<void>} */
async function lookedAt(form, by, mine) {
  const asked = new URLSearchParams(location.search);
  for (const name of [...asked.keys()]) if (/^(f|add|drop|pip)\.|^(order|pips|leave)$/.test(name)) asked.delete(name);
  for (const [name, value] of new FormData(form, by)) if (name !== "key" && name !== "seen" && name !== "as" && value) asked.append(name, String(value));
  const before = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString();
  let answer;
  try {
    answer = await fetch(`${location.pathname}?${asked}`, { headers: { Accept: "text/html" } });
  } catch {
    return;
  }
  if (!answer.ok || mine !== looks) return;
  const other = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("order");
  const now = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString();
  const part = find("order");
  if (!other || !part || !part.contains(form) || form.getAttribute("aria-busy") === "true" || (now !== before && !by)) return;
  const key = form.querySelector("[name=key]"), fresh = other.querySelector("#order-form [name=key]");
  if (key instanceof HTMLInputElement && fresh instanceof HTMLInputElement) fresh.setAttribute("value", key.value);
  other.querySelector("#order-form")?.setAttribute("data-begun", "");
  replacePart(part, other);
  if (by) (first("#order .next button") ?? first("#f-path"))?.focus({ preventScroll: true });
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)) return;
  const form = field.closest("form[data-form]");
  if (!(form instanceof HTMLFormElement)) return;
  oneOfAField(field);
  if (!field.name.startsWith("pip")) void lookAgain(form);
});

/** Clears the other half of a field that has both choices and a text box, so that the last input counts. @type {(field: Element) => void} */
function oneOfAField(field) {
  const row = field.closest("[data-kind=name]");
  if (!row || !(field instanceof HTMLInputElement)) return;
  if (field.type === "radio") for (const one of row.querySelectorAll("input.other")) /** @type {HTMLInputElement} */ (one).value = "";
  if (field.classList.contains("other") && field.value) for (const one of row.querySelectorAll("input[type=radio]")) /** @type {HTMLInputElement} */ (one).checked = false;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const more = target?.closest("button[data-again]");
  if (more instanceof HTMLButtonElement && more.form) {
    event.preventDefault();
    more.form.setAttribute("data-begun", "");
    void lookAgain(more.form, more);
    return;
  }
  const step = target?.closest("button[data-step]"), number = step?.closest(".row")?.querySelector("input[type=number]");
  if (step && number instanceof HTMLInputElement) return stepNumber(number, Number(step.getAttribute("data-step")));
  const opens = target?.closest("[data-open]");
  if (opens) {
    event.preventDefault();
    const part = find(String(opens.getAttribute("data-open")));
    part?.setAttribute("open", "");
    const set = opens.getAttribute("data-set"), field = set ? find(set) : null;
    if (field instanceof HTMLInputElement) field.value = opens.getAttribute("data-value") ?? "";
    part?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null | undefined} */ (part?.querySelector("textarea, input:not([type=hidden]), select"))?.focus();
  }
});

/** Adds to a number within its limits, with the same events as typing; an empty field counts as 0. @type {(field: HTMLInputElement, by: number) => void} */
function stepNumber(field, by) {
  const least = field.min === "" ? -Infinity : Number(field.min), most = field.max === "" ? Infinity : Number(field.max);
  field.value = String(Math.min(Math.max(Number(field.value) + by, least), most));
  field.form?.setAttribute("data-begun", "");
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Handles the keys 1 to 6 as the result of a die, and moves to the next die. @type {(event: KeyboardEvent) => boolean} */
function keyedDie(event) {
  const die = event.target instanceof Element ? event.target.closest("fieldset.die") : null;
  if (!die || !/^[0-9]$/.test(event.key)) return false;
  const face = die.querySelector(`input[value="${event.key === "0" ? "10" : event.key}"]`);
  if (!(face instanceof HTMLInputElement)) return false;
  event.preventDefault();
  face.checked = true;
  face.form?.setAttribute("data-begun", "");
  const dice = [...document.querySelectorAll("#order fieldset.die")];
  const next = dice[dice.indexOf(die) + 1];
  (next?.querySelector("input") ?? /** @type {HTMLElement | null} */ (first("#order [data-focus=give]")))?.focus();
  return true;
}

// --- suggestions ------------------------------------------------------------------------------------------------------

/** Returns the dice that a suggested order would roll, such as `2d6`; "" for none. @type {(button: HTMLElement) => Promise<string>} */
async function diceOf(button) {
  const asked = new URLSearchParams({ as: boardBox()?.dataset["seat"] ?? "" });
  const given = /** @type {Record<string, string[]>} */ (JSON.parse(button.dataset["given"] ?? "{}"));
  for (const [name, words] of Object.entries(given)) for (const word of words) asked.append("given", `${name}=${word}`);
  const answer = await fetch(`${boardBox()?.dataset["game"]}/forms/${button.dataset["order"]}?${asked}`).catch(() => null);
  const rolls = answer?.ok ? /** @type {{ dice: string }[]} */ ((await answer.json()).rolls ?? []) : [];
  return rolls.map((one) => one.dice).join(", ");
}

/** Returns the question before a suggestion is given, such as `Roll 2d6?` or `Pay?`; "" if it needs no second click. @type {(button: HTMLElement) => Promise<string>} */
async function askedAgain(button) {
  const dice = await diceOf(button);
  if (dice) return `Roll ${dice}?`;
  const typed = button.closest("form")?.querySelector("[name=typed]")?.getAttribute("value");
  const given = /** @type {Record<string, string[]>} */ (JSON.parse(button.dataset["given"] ?? "{}"));
  const unit = Object.values(given).flat().find(stackOf);
  const asked = new URLSearchParams({ as: boardBox()?.dataset["seat"] ?? "", ...(unit ? { unit } : {}) });
  const answer = await fetch(`${boardBox()?.dataset["game"]}/clickable?${asked}`).catch(() => null);
  const offers = answer?.ok ? /** @type {Offer[]} */ ((await answer.json()).orders) : [];
  const found = offers.flatMap((one) => [...(one.whole ? [one.whole] : []), ...one.targets]).find((one) => one.typed === typed);
  return found?.asks_again ? asking(found).button : "";
}

/** A suggestion that rolls dice, pays or cannot be undone needs a second click; its button shows the reason. */
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest(".ideas button[data-order]") : null;
  if (!(button instanceof HTMLButtonElement) || button.hasAttribute("data-sure")) return;
  event.preventDefault();
  button.setAttribute("data-sure", "");
  void askedAgain(button).then((words) => {
    if (!button.isConnected) return;
    if (!words) return button.form?.requestSubmit(button);
    const label = button.getAttribute("aria-label") ?? "";
    button.textContent = words;
    button.setAttribute("aria-label", `${words} ${label}`);
    button.classList.add("asks");
    button.addEventListener("blur", () => { button.textContent = "Give"; button.setAttribute("aria-label", label); button.classList.remove("asks"); button.removeAttribute("data-sure"); }, { once: true });
  });
}, true);

// --- keys -------------------------------------------------------------------------------------------------------------

const LONE = "umpire-lone-keys";
/** Returns whether single letters are keys. Users of speech input may not want that. */
const lone = () => localStorage.getItem(LONE) !== "no";

/** @type {Record<string, () => void>} */
const tableKeys = {
  "?": () => { const help = find("help"); if (help instanceof HTMLDialogElement) help.showModal(); },
  "/": () => { openDrawer(); first("#trail input[type=search]")?.focus(); },
  o: () => (first("#order-form input:not([type=hidden]), #order-form textarea, #order-form select") ?? first("#order a, #order summary"))?.focus(),
  w: () => first(".ideas a")?.focus(),
  d: () => first("#leaving button")?.focus(),
  k: () => { find("typed-more")?.setAttribute("open", ""); find("typed")?.focus(); },
  n: () => (first("#since a, #since button") ?? find("since-head"))?.focus(),
  t: () => { openDrawer(); first("ol.trail")?.focus(); },
  u: () => first("#acts [data-focus=undo]")?.focus(),
  a: () => first("#asked button")?.focus(),
  i: () => find("desk")?.focus(),
  m: () => find("map")?.focus(),
  g: () => location.assign("/"),
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": () => zoom(0),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keyedDie(event)) {
    if (event.ctrlKey && event.key === "Enter" && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
    return;
  }
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (event.key === "Escape" && target && target !== document.body) return target.blur();
  const types = target?.closest("input:not([type=checkbox], [type=radio]), textarea, select, dialog");
  const does = tableKeys[event.key];
  if (types || !does || !(lone() || event.key === "?")) return;
  event.preventDefault();
  does();
});

/** Shows the help: a dialog with all keys, and the setting for single letters. */
function help() {
  find("ask")?.removeAttribute("hidden");
  find("ask")?.addEventListener("click", () => tableKeys["?"]?.());
  const box = find("lone");
  if (!(box instanceof HTMLInputElement)) return;
  box.checked = lone();
  box.addEventListener("change", () => localStorage.setItem(LONE, box.checked ? "yes" : "no"));
}

// --- your turn --------------------------------------------------------------------------------------------------------

let mine = first("#standing")?.dataset["mine"] ?? "no";

/** Shows a button that asks for permission to notify you of your turn. */
function notify() {
  const button = find("notify");
  if (!button || !("Notification" in window) || Notification.permission !== "default") return;
  button.hidden = false;
  button.addEventListener("click", () => { void Notification.requestPermission().then(() => { button.hidden = true; }); });
}

document.addEventListener("umpire:fresh", () => {
  const standing = first("#standing"), now = standing?.dataset["mine"] ?? "no";
  if (now === "yes" && mine === "no") {
    const words = standing?.querySelector(".where")?.textContent ?? "";
    announce(`It is your turn. ${words}`);
    if (document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification(document.title.replace("● ", ""), { body: `Your turn. ${words}`, tag: location.pathname });
    }
  }
  mine = now;
});

// --- the map ----------------------------------------------------------------------------------------------------------

/** Marks the units and places of the form on the map. */
function markMap() {
  const form = find("order-form");
  if (!(form instanceof HTMLFormElement)) return;
  const said = new Set([...new FormData(form)].filter(([name]) => name.startsWith("f.")).flatMap(([, value]) => String(value).split(/[,;]/)));
  for (const one of document.querySelectorAll("#map .stack")) {
    one.classList.toggle("picked", String(one.getAttribute("data-units")).split(" ").some((unit) => said.has(unit)));
  }
  for (const one of document.querySelectorAll("#map .place")) one.classList.toggle("aimed", said.has(String(one.getAttribute("data-place"))));
}

/** Opens the drawer that contains the trail. */
function openDrawer() {
  find("drawer")?.setAttribute("open", "");
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
  if (link?.matches("[href='#trail'], [href^='#r']")) openDrawer();
});
document.addEventListener("umpire:put", markMap);
help();
notify();
markMap();
