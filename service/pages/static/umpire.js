// Every page: forms are sent without leaving it, the parts that changed are put in, the stream says when to look again.
// Parts are the elements with an id and `data-part`; the server makes them, with script and without.

/** Milliseconds between two tries where there is no connection. */
const WAITS = [1000, 2000, 4000, 8000, 15000];
/** Bytes of the largest scenario. */
const MOST_FILE = 2 ** 20;
/** Forms that are under way; the number of the newest look; whether something came while a form was under way. */
let sending = 0, looking = 0, wanted = false;

/** The page as it was last looked at, and its ETag: the server sends the pieces that differ from it (RFC 3229). */
let held = { text: "", tag: "" };

document.documentElement.classList.add("js");

/** @type {(id: string) => HTMLElement | null} */
const find = (id) => document.getElementById(id);

/** Says something about the connection; "" takes it away. @type {(words: string) => void} */
function sayLine(words) {
  const line = find("line");
  if (!line) return;
  line.textContent = words;
  line.hidden = !words;
}

/** @type {(milliseconds: number) => Promise<void>} */
const pause = (milliseconds) => new Promise((go) => { setTimeout(go, milliseconds); });

/** Says something to those who hear the page. @type {(words: string) => void} */
function announce(words) {
  const say = find("say");
  if (say && words) say.textContent = words;
}

/** Whether somebody has begun to fill a part in, so that it is not taken away. @type {(part: Element) => boolean} */
function isBegun(part) {
  return [...part.querySelectorAll("form[data-begun]")].length > 0;
}

/** Whether the order of a form that somebody fills in is no longer open: then the form closes. @type {(part: Element, other: Element) => boolean} */
function isClosed(part, other) {
  const name = part.querySelector("#order-form [name=order]")?.getAttribute("value");
  const open = [...other.querySelectorAll(".tabs a")].map((one) => one.getAttribute("data-focus"));
  return name !== undefined && !open.includes(`tab-${name}`) && other.querySelector("#order-form [name=order]")?.getAttribute("value") !== name;
}

/** Puts the parts of another answer in where they differ. `sent`: the part whose form was sent, "none" for a look, "go" for another view. @type {(text: string, sent?: string) => void} */
function putIn(text, sent = "none") {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  document.title = fresh.title;
  /** @type {[Element, Element][]} */
  const changed = [];
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    if (sent === "none" && part.hasAttribute("data-once")) continue;
    // The part of a form that was sent is always taken anew: its command id is spent.
    if (sent !== part.id && comparable(part) === comparable(other)) continue;
    if (isBegun(part) && sent !== part.id && !isClosed(part, other)) { offerFresh(part); continue; }
    changed.push([part, other]);
  }
  replaceParts(changed);
  tellNews(fresh, sent);
  for (const one of fresh.querySelectorAll("[data-part]")) {
    if (!find(one.id)) location.reload();
  }
  const at = find("position"), other = fresh.getElementById("position");
  if (at && other) at.textContent = other.textContent;
  document.dispatchEvent(new CustomEvent("umpire:fresh"));
}

/** What came, for those who hear the page. @type {(fresh: Document, sent: string) => void} */
function tellNews(fresh, sent) {
  const wrong = fresh.querySelector("[data-part] .refused")?.textContent, told = fresh.getElementById("news")?.textContent;
  const now = Number((fresh.getElementById("position")?.textContent ?? "").replace("#", "")), was = Number((find("position")?.textContent ?? "").replace("#", ""));
  const newest = now > was ? fresh.querySelector("ol.trail .words")?.textContent : "";
  announce(String((sent !== "none" && sent !== "go" && (wrong || told?.trim())) || newest || "").replace(/\s+/g, " "));
}

/** A part that somebody fills in is left, and may be taken anew. @type {(part: Element) => void} */
function offerFresh(part) {
  if (part.querySelector(".stale")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "stale";
  button.textContent = "New records arrived. Reload this part";
  button.addEventListener("click", () => {
    for (const form of part.querySelectorAll("form[data-begun]")) form.removeAttribute("data-begun");
    void refresh();
  });
  part.prepend(button);
}

/** A part as text, without what is new in every answer. @type {(part: Element) => string} */
function comparable(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const one of copy.querySelectorAll(".stale, .light, .spots, .marks, #bar-label, [data-said]")) one.remove();
  copy.querySelector("#bar")?.removeAttribute("aria-valuetext");
  for (const one of copy.querySelectorAll("[data-begun], [data-whole], .picked, .aimed, .lit")) {
    const whole = one.getAttribute("data-whole");
    if (whole) one.setAttribute("viewBox", whole);
    for (const name of ["data-begun", "data-whole", "aria-busy"]) one.removeAttribute(name);
    one.classList.remove("picked", "aimed", "lit");
    if (!one.getAttribute("class")) one.removeAttribute("class");
  }
  return copy.outerHTML.replace(/ name="(?:key|seen)" value="[^"]*"/g, "").replace(/<time[^>]*>[^<]*/g, "").replace(/ open=""/g, "");
}

/** How far each box of a part is scrolled. @type {(part: Element) => number[]} */
const scrollsOf = (part) => [...part.querySelectorAll("[tabindex]")].map((one) => one.scrollTop);

/** Replaces a part. @type {(part: Element, other: Element) => void} */
const replacePart = (part, other) => replaceParts([[part, other]]);

/** Replaces parts; what had the focus there has it again, what was unfolded is. All are asked before the first is replaced, and what draws on them is called once: each answer after a change lays the whole page out. @type {(changed: [Element, Element][]) => void} */
function replaceParts(changed) {
  const before = changed.map(([part, other]) => ({
    part, other, scrolled: scrollsOf(part),
    held: part.contains(document.activeElement) ? wayTo(document.activeElement) : "",
    open: [...part.querySelectorAll("details[open]")].map(wayToFold).filter(Boolean),
  }));
  if (!before.length) return;
  for (const { part, other, open } of before) {
    part.replaceWith(other);
    for (const way of open) document.querySelector(way)?.setAttribute("open", "");
  }
  document.dispatchEvent(new CustomEvent("umpire:put"));
  for (const { other, scrolled, held } of before) {
    [...other.querySelectorAll("[tabindex]")].forEach((one, nth) => { if (scrolled[nth]) one.scrollTop = scrolled[nth]; });
    if (held) /** @type {HTMLElement | null} */ (document.querySelector(held) ?? other.querySelector("a, button, input, select") ?? find("main"))?.focus({ preventScroll: true });
  }
}

/** How what is folded is found again: by its own id, else by what it lies in. @type {(fold: Element) => string} */
function wayToFold(fold) {
  const named = fold.closest("[id]");
  return named ? `#${CSS.escape(named.id)}${named === fold ? "" : " details"}` : "";
}

/** How an element is found again in another answer. @type {(element: Element | null) => string} */
function wayTo(element) {
  if (!element) return "";
  if (element.id) return `#${CSS.escape(element.id)}`;
  const inside = element.closest("[data-part]");
  const name = element.getAttribute("name"), value = element.getAttribute("value");
  const kind = element.tagName.toLowerCase();
  if (!inside) return "";
  if (name) return `#${inside.id} ${kind}[name="${CSS.escape(name)}"]${kind === "button" || element.getAttribute("type") === "radio" ? `[value="${CSS.escape(value ?? "")}"]` : ""}`;
  const key = element.getAttribute("data-focus");
  if (key) return `#${inside.id} [data-focus="${CSS.escape(key)}"]`;
  const at = [...inside.querySelectorAll(kind)].indexOf(element);
  return `#${inside.id} ${kind}:nth-child(${at + 1})`;
}

/** Asks again and again until there is an answer, or nobody wants it any more. @type {(ask: () => Promise<Response>, words: string, wants?: () => boolean) => Promise<Response | null>} */
async function persist(ask, words, wants = () => true) {
  for (let nth = 0; wants(); nth += 1) {
    try {
      const answer = await ask();
      if ([429, 502, 503, 504].includes(answer.status)) throw new Error(String(answer.status));
      if (nth) sayLine("");
      return answer;
    } catch {
      const wait = WAITS[Math.min(nth, WAITS.length - 1)] ?? 15000;
      if (wants()) sayLine(`No connection. ${words} Attempt ${nth + 2} in ${wait / 1000} s.`);
      await Promise.race([pause(wait), new Promise((go) => { addEventListener("online", go, { once: true }); })]);
    }
  }
  return null;
}

/** A page made of an earlier one: text as it came, and runs of its pieces. @type {(old: string, changes: (string | [number, number])[]) => string} */
function patched(old, changes) {
  const pieces = old.split("<");
  return changes.map((one) => typeof one === "string" ? one : pieces.slice(one[0], one[1]).join("<")).join("<");
}

/** Asks for the pieces that differ from a page. @type {(base: typeof held) => Record<string, string>} */
const headersFor = (base) => ({ Accept: "text/html", "A-IM": "pieces", ...(base.tag ? { "If-None-Match": base.tag } : {}) });

/** The page of an answer, whole or in pieces. @type {(answer: Response, base: typeof held) => Promise<string>} */
async function textOf(answer, base) {
  const said = await answer.text(), tag = answer.headers.get("ETag");
  const text = answer.status === 226 ? patched(base.text, JSON.parse(said)) : said;
  if (tag) held = { text, tag };
  return text;
}

/** Looks again at the page; behind a form that is under way. `sent`: "go" where somebody goes elsewhere in it, and what was told once is read. @type {(sent?: string) => Promise<void>} */
async function refresh(sent = "none") {
  if (sending) { wanted = true; return; }
  const mine = looking += 1, base = held;
  const answer = await persist(() => fetch(location.href, { headers: headersFor(base) }), "The page reloads when the connection is back.", () => mine === looking);
  if (!answer || mine !== looking) return;
  if (answer.status === 401 || answer.status === 403) return location.reload();
  const text = await textOf(answer, base);
  if (mine !== looking) return;
  putIn(text, sent);
  if (sent === "go") goneTo(find(decodeURIComponent(location.hash.slice(1))));
}

/** Shows where the address points to, and gives it the focus where it takes it. @type {(there: HTMLElement | null) => void} */
function goneTo(there) {
  if (!there || there.contains(document.activeElement)) return;
  there.scrollIntoView({ block: "nearest" });
  if (there.hasAttribute("tabindex")) there.focus({ preventScroll: true });
}

/** Sends a form: as it stands, with its key, until it is answered. `what`: the name of what it gives. @type {(form: HTMLFormElement, by: HTMLElement | null, what?: string) => Promise<void>} */
async function send(form, by, what = "Your form") {
  if (form.getAttribute("aria-busy") === "true") return;
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form, by)) said.append(name, String(value));
  const part = form.closest("[data-part]")?.id ?? "", action = form.getAttribute("action") ?? "";
  form.setAttribute("aria-busy", "true");
  sending += 1;
  looking += 1;
  const base = held, answer = await persist(
    () => fetch(action, { method: "POST", body: said, headers: headersFor(base) }),
    `${what} is kept and sent again; it counts once.`
  );
  const text = answer ? await textOf(answer, base) : "";
  sending -= 1;
  form.removeAttribute("aria-busy");
  if (!answer) return;
  if (answer.status === 401 || answer.status === 403) return location.reload();
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
  if (answer.ok) form.removeAttribute("data-begun");
  if (answer.redirected && !new URL(answer.url).searchParams.has("at")) history.replaceState(null, "", answer.url);
  putIn(text, part);
  document.dispatchEvent(new CustomEvent("umpire:sent", { detail: { form, ok: answer.ok } }));
  if (!answer.ok) showRefusal(action);
  else if (find("news")?.childElementCount) find("news")?.scrollIntoView({ block: "nearest" });
  if (wanted && !sending) { wanted = false; void refresh(); }
}

/** A form that was refused is not taken away by what comes, and its refusal is gone to. @type {(action: string) => void} */
function showRefusal(action) {
  for (const form of document.querySelectorAll("form[method=post]")) {
    if (form.getAttribute("action") === action && form.closest("[data-part]")?.querySelector(".refused")) form.setAttribute("data-begun", "");
  }
  const wrong = document.querySelector("[data-part] .refused");
  if (wrong instanceof HTMLElement) wrong.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  const by = event.submitter;
  if (form.hasAttribute("data-whole-page")) return;
  if (form.method === "post" && form.closest("[data-part]")) {
    event.preventDefault();
    void send(form, by);
  } else if (form.hasAttribute("data-look")) {
    event.preventDefault();
    const said = new URLSearchParams();
    for (const [name, value] of new FormData(form, by)) if (value) said.append(name, String(value));
    goTo(`${location.pathname}?${said}`);
  }
});

/** Another view of the same page: its address, and its parts. @type {(address: string) => void} */
function goTo(address) {
  const page = document.documentElement;
  history.pushState(null, "", address);
  page.setAttribute("data-looking", "");
  void refresh("go").finally(() => page.removeAttribute("data-looking"));
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-look]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  for (const form of document.querySelectorAll(`#${link.getAttribute("data-look") || "none"} form[data-begun]`)) form.removeAttribute("data-begun");
  goTo(link.href);
});

document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("form[method=post]") : null;
  form?.setAttribute("data-begun", "");
});

addEventListener("popstate", () => void refresh("go"));
addEventListener("pageshow", (event) => { if (event.persisted) void refresh(); });

// --- helps that need a script -----------------------------------------------------------------------------------------

/** Copies the value of a field. @type {(field: HTMLInputElement, button: Element) => Promise<void>} */
async function copyValue(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without https there is no other way
  }
  button.textContent = "Copied";
  announce("Copied.");
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  const field = button ? find(String(button.getAttribute("data-copy"))) : null;
  if (button && field instanceof HTMLInputElement) void copyValue(field, button);
});

document.addEventListener("change", (event) => {
  const chosen = event.target, file = chosen instanceof HTMLInputElement ? chosen.files?.[0] : null;
  const field = chosen instanceof HTMLInputElement ? find(chosen.dataset["fill"] ?? "") : null;
  if (!file || !(field instanceof HTMLTextAreaElement)) return;
  if (file.size > MOST_FILE) return sayLine("This file is too large for a scenario (1 MiB at most).");
  void file.text().then((text) => { field.value = text; });
});

// --- what comes -------------------------------------------------------------------------------------------------------

/** The newest record that the page shows. @type {() => number} */
const positionShown = () => Number((find("position")?.textContent ?? "").replace("#", ""));

/** Follows the game that the page is about: `<main data-stream="…">` names the stream, behind which position `data-after`. */
function follow() {
  const main = document.querySelector("[data-stream]"), address = main?.getAttribute("data-stream");
  if (!main || !address) return;
  const stream = new EventSource(`${address}&after=${positionShown() || main.getAttribute("data-after")}`);
  let waits = 0, lost = 0, newest = 0;
  // The answer to a form of this page shows its records already.
  const look = () => {
    if (sending) waits = setTimeout(look, 120);
    else if (newest > positionShown()) void refresh();
  };
  stream.addEventListener("record", (event) => {
    newest = Math.max(newest, Number(event.lastEventId));
    clearTimeout(waits);
    waits = setTimeout(look, 120);
  });
  stream.addEventListener("open", () => {
    if (lost) { sayLine(""); void refresh(); }
    clearTimeout(lost);
    lost = 0;
  });
  stream.addEventListener("error", () => {
    lost ||= setTimeout(() => sayLine("No connection. New records appear when it is back."), 2500);
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { clearTimeout(lost); void refresh(); follow(); }, 10_000);
  });
  stream.addEventListener("closed", () => { stream.close(); location.reload(); });
}

/** How long ago things were, kept up. */
function keepTimes() {
  for (const one of document.querySelectorAll("time[datetime]")) {
    const minutes = Math.floor((Date.now() - Date.parse(String(one.getAttribute("datetime")))) / 60_000);
    if (!(minutes >= 0)) continue;
    const hours = Math.floor(minutes / 60), days = Math.floor(hours / 24), left = minutes % 60;
    one.textContent = minutes < 1 ? "less than a minute" : hours < 1 ? `${minutes} min` : days < 1 ? `${hours} h${left ? ` ${left} min` : ""}` : `${days} day${days === 1 ? "" : "s"}`;
  }
}

setInterval(keepTimes, 30_000);
follow();
// A page without a stream looks again by itself, while somebody may see it.
if (!document.querySelector("[data-stream]") && document.querySelector("[data-part]")) {
  setInterval(() => { if (!document.hidden) void refresh(); }, 30_000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) void refresh(); });
}

document.addEventListener("click", (event) => {
  const close = event.target instanceof Element ? event.target.closest("#news .close") : null;
  close?.closest("#news")?.classList.add("gone");
});

/** The number beside the time bar follows it, and the board goes there when it is let go. */
document.addEventListener("input", (event) => {
  const bar = event.target instanceof HTMLInputElement && event.target.id === "bar" ? event.target : null, field = find("bar-at");
  if (bar && field) field.textContent = `#${bar.value}`;
});
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.id === "bar") event.target.form?.requestSubmit();
});
