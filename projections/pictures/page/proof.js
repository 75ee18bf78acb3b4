// @ts-check
// Shows the result of checking the log: the verdict in the header, and the panel with root, checkpoint and dice.

/** @type {Record<VerdictWord, string>} */
const MEANS = {
  VALID: "All lines, all hashes and the checkpoint line of this log agree.",
  "VALID WITH REDACTIONS": "All lines and hashes agree. Private records are withheld; the log has their hashes.",
  INCOMPLETE: "The records here are valid, but some are missing.",
  INVALID: "The log was changed or damaged.",
};
const TRUST =
  "Without a checkpoint, a log proves only that it is consistent: a person who changes the file can recompute every hash. " +
  "A matching checkpoint that you or another player kept proves that no earlier record was changed.";
const ITSELF =
  "A page cannot prove itself: a person who changes this file can also change its script, pictures and sentences. " +
  "This page checks only the log inside it. To check the log with a program that you trust, run:";
const ALTERED =
  "The sentences of the trail were changed after this page was written. The verdict is about the log only.";
const UNABLE =
  "This browser does not provide SHA-256 to the page, so the log is not checked. Open the page as a file or over https. " +
  "Or check the log with this command:";

/** @type {[words: string, kind: string, small: string]} What the header says of the log by itself. */
let verdictSaid = ["", "", ""];

/**
 * Checks the log, and fills the panel and the header. Called once, after the map is first drawn.
 * @param {string} text of the log's block
 */
async function startProof(text) {
  const panel = byId("proof");
  if (!globalThis.crypto?.subtle) {
    sayVerdict("not checked here", "busy");
    panel.replaceChildren(proofTitle(), made("p", {}, UNABLE), proofCommand());
    return;
  }
  const bar = /** @type {HTMLProgressElement} */ (made("progress", { max: "1", value: "0", "aria-label": "Progress of the check" }));
  panel.replaceChildren(proofTitle(), made("p", {}, "Checking the log …"), bar);
  sayVerdict("checking …", "busy");
  const hashed = await hashLog(text, (part) => (bar.value = part));
  const compare = proofComparison(hashed);
  const note = made("p", { class: "note" }, ITSELF);
  const found = made("div", {});
  panel.replaceChildren(proofTitle(), found, compare, made("h3", {}, "What this page cannot prove"), note, proofCommand());
  tellVerdict(await judge(hashed), found, await areSentencesAltered());
}

/** Returns whether the text of the trail was changed, by comparing its hash with the one in the page's facts. */
async function areSentencesAltered() {
  return hexOf(await sha256(utf8.encode(blockText("trail")))) !== facts.sentences;
}

/**
 * Shows the verdict in the header and in the panel, and dispatches it as the event `umpire:verdict`.
 * @param {Verdict} verdict
 * @param {HTMLElement} found
 * @param {boolean} altered whether the sentences were changed
 */
function tellVerdict(verdict, found, altered) {
  const good = verdict.verdict.startsWith("VALID");
  const word = verdict.verdict === "INVALID" ? `INVALID from #${verdict.firstBad}` : verdict.verdict;
  const short = good ? `✓ ${word} · ${countOf(verdict.size, "record")}` : `✗ ${word}`;
  const words = good && altered ? "✗ sentences changed" : short;
  verdictSaid = [words, good && !altered ? "good" : "bad", verdict.root && `root ${verdict.root.slice(0, 8)}…${verdict.root.slice(-6)}`];
  sayVerdict(...verdictSaid);
  const rows = proofRows(verdict).flatMap(([name, value]) => [made("dt", {}, name), made("dd", {}, value)]);
  found.replaceChildren(
    made("p", { class: good ? "good" : "bad" }, made("b", {}, word), `: ${MEANS[verdict.verdict]}`),
    ...(altered ? [made("p", { class: "bad" }, made("b", {}, "Changed"), `: ${ALTERED}`)] : []),
    made("dl", {}, ...rows),
    ...(good ? [made("p", { class: "note" }, TRUST)] : []),
  );
  document.dispatchEvent(new CustomEvent("umpire:verdict", { detail: verdict }));
}

/** @param {string} words  @param {string} kind  @param {string} small */
function sayVerdict(words, kind, small = "") {
  byId("verdict").className = kind;
  byId("verdict").replaceChildren(words, ...(small ? [" ", made("small", {}, small)] : []));
}

/**
 * Returns the details that `umpire verify` prints below the verdict.
 * @param {Verdict} verdict
 * @returns {[name: string, value: Node | string][]}
 */
function proofRows(verdict) {
  const { size, root, redacted, publicWithheld, changed, reason, expected, found, dice, closed, clockBack } = verdict;
  /** @type {[string, Node | string][]} */
  const rows = [["Game", verdict.game || "unknown"], ["Records", root ? String(size) : `${size} before the first invalid one`]];
  if (redacted) rows.push(["Withheld", `${redacted - publicWithheld} private, ${publicWithheld} public`]);
  if (reason) rows.push(["Why", reason]);
  if (changed && changed[0] !== changed[1]) rows.push(["Changed", `one or more records from #${changed[0]} to #${changed[1]}`]);
  if (expected) rows.push(["Expected", made("code", {}, expected)], ["Found", made("code", {}, found)]);
  if (root) rows.push(["Root", made("code", {}, root)]);
  if (dice) rows.push(["Dice", `${countOf(dice, "roll")} recomputed from the revealed seed, all as recorded`]);
  if (closed) rows.push(["Not recomputed", `${countOf(closed, "roll")} (secret seed)`]);
  if (clockBack.length) rows.push(["Clock", `set back at ${clockBack.slice(0, 8).map((at) => `#${at}`).join(", ")}; this is not a fault`]);
  if (root) rows.push(["Not checked", "signatures, sealed orders, findings; use `umpire verify`"]);
  if (root) rows.push(["Checkpoint", made("pre", {}, `umpire/${verdict.game}\n${size}\n${base64Of(root)}`)]);
  return rows;
}

/**
 * Creates a field for a checkpoint that the reader kept, and shows the result of comparing it.
 * @param {Hashed} hashed
 */
function proofComparison(hashed) {
  const field = /** @type {HTMLTextAreaElement} */ (made("textarea", { id: "checkpoint", rows: "3", spellcheck: "false", autocomplete: "off" }));
  const answer = made("p", { id: "compared", role: "status" });
  const form = made(
    "form",
    { id: "compare" },
    made("label", { for: "checkpoint" }, "Paste the three lines of a checkpoint that you kept"),
    field,
    made("button", {}, "Compare"),
    answer,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [good, words] = await compareWithPasted(hashed, field.value);
    answer.className = good ? "good" : "bad";
    answer.textContent = words;
    answer.scrollIntoView({ block: "nearest" });
    if (good) sayVerdict(...verdictSaid);
    else if (readable(field.value)) sayVerdict("✗ your checkpoint does not match", "bad");
  });
  return form;
}

/** Reads the checkpoint in a text; returns null if the text is not a checkpoint. @param {string} pasted */
function readable(pasted) {
  const lines = pasted.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("— ")); // who signed
  return readCheckpoint(`${lines.join("\n")}\n`);
}

/**
 * @param {Hashed} hashed
 * @param {string} pasted
 * @returns {Promise<[good: boolean, words: string]>}
 */
async function compareWithPasted(hashed, pasted) {
  const checkpoint = readable(pasted);
  if (!checkpoint) return [false, "This is not a checkpoint. Expected three lines: umpire/GAME, the number of records, the root in base64."];
  if (checkpoint.game !== hashed.log.game) return [false, `This checkpoint belongs to another game: ${checkpoint.game}.`];
  const verdict = await judge(hashed, checkpoint);
  if (verdict.verdict === "INCOMPLETE" || verdict.verdict === "INVALID") return [false, `${verdict.verdict}: ${verdict.reason}.`];
  const more = verdict.size - checkpoint.size;
  const since = more ? ` The log has ${countOf(more, "record")} after it.` : "";
  return [true, `The history matches the checkpoint at #${checkpoint.size}.${since}`];
}

function proofTitle() {
  return made("h2", { id: "proof-title" }, "Proof");
}

function proofCommand() {
  return made("p", {}, made("code", {}, facts.command));
}

/** @param {number} number  @param {string} what */
function countOf(number, what) {
  return number === 1 ? `1 ${what}` : `${number.toLocaleString("en")} ${what}s`;
}
