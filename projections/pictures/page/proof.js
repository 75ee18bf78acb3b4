// @ts-check
// What the check of the log says, for readers: the word in the header, and the panel with root, checkpoint and dice.

/** @type {Record<VerdictWord, string>} */
const MEANS = {
  VALID: "Every line, every hash and the checkpoint line of this log fit each other.",
  "VALID WITH REDACTIONS": "Every line and hash fits. Records that not everybody may see are withheld, their hashes kept.",
  INCOMPLETE: "What is there fits, but not all of it is there.",
  INVALID: "Something is not as it was written.",
};
const TRUST =
  "Without a checkpoint a log proves only that it fits itself: whoever holds the file can compute every hash again. " +
  "A checkpoint that you or another player kept proves everything before it.";
const ITSELF =
  "A page cannot prove itself: whoever alters this file can alter its script, its pictures and its sentences too. " +
  "What is checked here are the lines of the log that it carries. To check them with a program that you trust:";
const ALTERED =
  "The sentences of the trail are not those that were written into this page. The log is judged by itself.";
const UNABLE =
  "This browser gives the page no SHA-256, so nothing is checked here. That happens where a page is not opened as a file or by https. " +
  "The lines can be checked with this command:";

/** @type {[words: string, kind: string, small: string]} What the header says of the log by itself. */
let verdictSaid = ["", "", ""];

/**
 * Checks the log and fills the panel and the header. Called once, when the first picture is drawn.
 * @param {string} text of the log's block
 */
async function startProof(text) {
  const panel = byId("proof");
  if (!globalThis.crypto?.subtle) {
    sayVerdict("not checked here", "busy");
    panel.replaceChildren(proofTitle(), made("p", {}, UNABLE), proofCommand());
    return;
  }
  const bar = /** @type {HTMLProgressElement} */ (made("progress", { max: "1", value: "0", "aria-label": "Checked so far" }));
  panel.replaceChildren(proofTitle(), made("p", {}, "The log is being checked …"), bar);
  sayVerdict("checking …", "busy");
  const hashed = await hashLog(text, (part) => (bar.value = part));
  const compare = proofComparison(hashed);
  const note = made("p", { class: "note" }, ITSELF);
  const found = made("div", {});
  panel.replaceChildren(proofTitle(), found, compare, made("h3", {}, "What this page cannot prove"), note, proofCommand());
  tellVerdict(await judge(hashed), found, await areSentencesAltered());
}

/** Whether the trail is another text than was written into this page, by the hash that stands among its facts. */
async function areSentencesAltered() {
  return hexOf(await sha256(utf8.encode(blockText("trail")))) !== facts.sentences;
}

/**
 * The verdict in the header, in the panel, and to all who listen.
 * @param {Verdict} verdict
 * @param {HTMLElement} found
 * @param {boolean} altered whether the sentences are
 */
function tellVerdict(verdict, found, altered) {
  const good = verdict.verdict.startsWith("VALID");
  const word = verdict.verdict === "INVALID" ? `INVALID from #${verdict.firstBad}` : verdict.verdict;
  const short = good ? `✓ ${word} · ${countOf(verdict.size, "record")}` : `✗ ${word}`;
  const words = good && altered ? "✗ sentences altered" : short;
  verdictSaid = [words, good && !altered ? "good" : "bad", verdict.root && `root ${verdict.root.slice(0, 8)}…${verdict.root.slice(-6)}`];
  sayVerdict(...verdictSaid);
  const rows = proofRows(verdict).flatMap(([name, value]) => [made("dt", {}, name), made("dd", {}, value)]);
  found.replaceChildren(
    made("p", { class: good ? "good" : "bad" }, made("b", {}, word), `: ${MEANS[verdict.verdict]}`),
    ...(altered ? [made("p", { class: "bad" }, made("b", {}, "Altered"), `: ${ALTERED}`)] : []),
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
 * What `umpire verify` prints under the verdict.
 * @param {Verdict} verdict
 * @returns {[name: string, value: Node | string][]}
 */
function proofRows(verdict) {
  const { size, root, redacted, publicWithheld, changed, reason, expected, found, dice, closed, clockBack } = verdict;
  /** @type {[string, Node | string][]} */
  const rows = [["Game", verdict.game || "unknown"], ["Records", root ? String(size) : `${size} before the first bad one`]];
  if (redacted) rows.push(["Withheld", `${redacted - publicWithheld} private, ${publicWithheld} public`]);
  if (reason) rows.push(["Why", reason]);
  if (changed && changed[0] !== changed[1]) rows.push(["Changed", `from #${changed[0]} to #${changed[1]}, one record or several`]);
  if (expected) rows.push(["Expected", made("code", {}, expected)], ["Found", made("code", {}, found)]);
  if (root) rows.push(["Root", made("code", {}, root)]);
  if (dice) rows.push(["Dice", `${countOf(dice, "roll")} thrown again from the opened seed, all as recorded`]);
  if (closed) rows.push(["Not thrown", `${countOf(closed, "roll")} from seeds that are not open`]);
  if (clockBack.length) rows.push(["Clock", `set back at ${clockBack.slice(0, 8).map((at) => `#${at}`).join(", ")}, which is no fault`]);
  if (root) rows.push(["Not checked", "signatures, sealed orders, findings: `umpire verify` checks them"]);
  if (root) rows.push(["Checkpoint", made("pre", {}, `umpire/${verdict.game}\n${size}\n${base64Of(root)}`)]);
  return rows;
}

/**
 * A field for a checkpoint that the reader kept, and what comes of comparing.
 * @param {Hashed} hashed
 */
function proofComparison(hashed) {
  const field = /** @type {HTMLTextAreaElement} */ (made("textarea", { id: "checkpoint", rows: "3", spellcheck: "false", autocomplete: "off" }));
  const answer = made("p", { id: "compared", role: "status" });
  const form = made(
    "form",
    { id: "compare" },
    made("label", { for: "checkpoint" }, "A checkpoint that you kept: its three lines"),
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
    else if (readable(field.value)) sayVerdict("✗ your checkpoint does not fit", "bad");
  });
  return form;
}

/** The checkpoint in a text; null where it is none. @param {string} pasted */
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
  if (!checkpoint) return [false, "These are not the three lines of a checkpoint: umpire/ and the game, the number of records, the root in base64."];
  if (checkpoint.game !== hashed.log.game) return [false, `This checkpoint is of another game: ${checkpoint.game}.`];
  const verdict = await judge(hashed, checkpoint);
  if (verdict.verdict === "INCOMPLETE" || verdict.verdict === "INVALID") return [false, `${verdict.verdict}: ${verdict.reason}.`];
  const more = verdict.size - checkpoint.size;
  const since = more ? ` ${countOf(more, "record")} came after it.` : "";
  return [true, `The same history: the first ${countOf(checkpoint.size, "record")} are those that this checkpoint was made of.${since}`];
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
