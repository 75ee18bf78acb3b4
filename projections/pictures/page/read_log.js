// @ts-check
// Reads a replay log from ledger/FORMAT.md alone, sections 1, 3, 5 and 6, up to the first line that is invalid in itself.
//
// There is only one valid way to write a line, so any other is refused here, before hashing. A log is text as a browser
// reads a page. Bytes that are not UTF-8 have become U+FFFD, so that the hashes differ.

/** @typedef {{position: number, at: string, seat: string, command: string, prior: string | undefined,
 *   follows: number | undefined, visibleTo: string[] | undefined, salt: string, cause: string, event: string,
 *   inner: string, causeHash: string}} LogRecord  `salt` is empty in a record that is withheld, `inner` in one that is not. */
/** @typedef {{reason: string, expected: string, found: string}} LineFault */
/** @typedef {{game: string, size: number, root: string}} Checkpoint */
/** @typedef {{game: string, records: LogRecord[], fault: LineFault | null, cut: string,
 *   ending: Checkpoint | null, endingFault: LineFault | null}} ReadLog  `cut`: how the log ends before its checkpoint. */
/** @typedef {(part: number) => void} Progress  Told now and then how much is done, from 0 to 1. */

const MOST_LINE = 4 * 2 ** 20;
const MOST_LEVELS = 100;
const LONG_NUMBER = /[0-9]{4001}/;
const utf8 = new TextEncoder();

// --- 1 and 3. A record is a line -----------------------------------------------------------------------------------

const WRITTEN_TEXT = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f]))[^"\\\x00-\x1f]*)*"`;
const WRITTEN_NAME = `(?!"")${WRITTEN_TEXT}`;
const WRITTEN_COUNT = "0|[1-9][0-9]*";
const WRITTEN_HASH = "[0-9a-f]{64}";
const LOG_ENVELOPE = new RegExp(
  String.raw`^\{"position":(${WRITTEN_COUNT}),"at":(${WRITTEN_TEXT}),"seat":(${WRITTEN_NAME}),"command":(${WRITTEN_NAME})(?:,"prior":"(${WRITTEN_HASH})")?` +
    String.raw`(?:,"follows":(${WRITTEN_COUNT}))?(?:,"visible_to":(\[(?:${WRITTEN_NAME}(?:,${WRITTEN_NAME})*)?\]))?,`,
);
const LOG_SALT = /^"salt":"([0-9a-f]{32})",/;
const LOG_WITHHELD = new RegExp(`^"inner":"(${WRITTEN_HASH})"(?:,"cause_hash":"(${WRITTEN_HASH})")?\\}$`);
const SURROGATE_PAIR = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g;
const HALF_A_PAIR = /\\u[dD][89a-fA-F]/;

/**
 * Returns the record on a line (without its line feed), or the fault of the line.
 * @param {string} line
 * @param {number} expected its position
 * @returns {LogRecord | LineFault}
 */
function readRecord(line, expected) {
  if (LONG_NUMBER.test(line) && LONG_NUMBER.test(withoutStrings(line))) {
    return lineFault("the line exceeds a limit: a number has more than 4000 digits");
  }
  if (isDeeper(line, MOST_LEVELS)) return lineFault(`the line exceeds a limit: nested deeper than ${MOST_LEVELS} levels`);
  const envelope = LOG_ENVELOPE.exec(line);
  const held = envelope && readHeld(line.slice(envelope[0].length));
  if (!envelope || !held || line.includes("\r")) return lineFault("the line is not a record in the form that Umpire writes");
  const position = Number(envelope[1]);
  if (position !== expected) {
    return lineFault("a record is missing, duplicated or out of order", `#${expected}`, `#${envelope[1]}`);
  }
  const follows = envelope[6] === undefined ? undefined : Number(envelope[6]);
  if (follows !== undefined && follows >= position - 1) {
    return lineFault("`follows` must name an earlier position than the predecessor's");
  }
  return {
    position,
    at: textOf(envelope[2]),
    seat: textOf(envelope[3]),
    command: textOf(envelope[4]),
    prior: envelope[5],
    follows,
    visibleTo: envelope[7] === undefined ? undefined : JSON.parse(envelope[7]),
    ...held,
  };
}

/**
 * Reads the part after the envelope: the salt, the cause and the event, or their hashes. Returns null for anything else.
 * @param {string} rest
 * @returns {{salt: string, cause: string, event: string, inner: string, causeHash: string} | null}
 */
function readHeld(rest) {
  const withheld = LOG_WITHHELD.exec(rest);
  if (withheld) return { salt: "", cause: "", event: "", inner: withheld[1] ?? "", causeHash: withheld[2] ?? "" };
  const salt = LOG_SALT.exec(rest);
  if (!salt) return null;
  rest = rest.slice(salt[0].length);
  let cause = "";
  if (rest.startsWith('"cause":{')) {
    cause = objectAt(rest, '"cause":'.length);
    rest = rest.slice('"cause":'.length + cause.length);
    if (!isObject(cause) || !rest.startsWith(",")) return null;
    rest = rest.slice(1);
  }
  const event = rest.slice('"event":'.length, -1);
  if (!rest.startsWith('"event":{') || !rest.endsWith("}}") || !isObject(event)) return null;
  return { salt: salt[1] ?? "", cause, event, inner: "", causeHash: "" };
}

/**
 * @param {string} reason
 * @param {string} expected
 * @param {string} found
 * @returns {LineFault}
 */
function lineFault(reason, expected = "", found = "") {
  return { reason, expected, found };
}

/** @param {string | undefined} quoted  @returns {string} */
function textOf(quoted) {
  return quoted === undefined ? "" : JSON.parse(quoted);
}

/** Returns whether a text is one JSON object in valid Unicode. @param {string} raw */
function isObject(raw) {
  if (!raw.startsWith("{") || !raw.endsWith("}") || hasHalfAPair(raw)) return false;
  try {
    const found = members(JSON.parse(raw));
    return occurrences(raw, ":") === found || occurrences(withoutStrings(raw), ":") === found; // a key twice: readers differ
  } catch {
    return false;
  }
}

/** Returns the number of keys in all objects of a value. It is less than the number of colons in the text if a key occurs twice.
 * @param {unknown} value  @returns {number} */
function members(value) {
  if (typeof value !== "object" || value === null) return 0;
  const within = Object.values(value).reduce((sum, one) => sum + members(one), 0);
  return Array.isArray(value) ? within : within + Object.keys(value).length;
}

/** Returns how often a character occurs in a text. @param {string} raw  @param {string} sign  @returns {number} */
function occurrences(raw, sign) {
  return raw.split(sign).length - 1;
}

/** Returns whether an escape is only half of a surrogate pair, which is not a character. @param {string} raw */
function hasHalfAPair(raw) {
  return HALF_A_PAIR.test(raw) && HALF_A_PAIR.test(raw.replaceAll("\\\\", "-").replace(SURROGATE_PAIR, ""));
}

/** Returns the text from a `{` to its closing `}`, ignoring braces in strings; to the end if there is no closing brace.
 * @param {string} raw  @param {number} start */
function objectAt(raw, start) {
  let level = 0;
  for (let at = start; at < raw.length; at += 1) {
    const sign = raw[at];
    if (sign === '"') at = closingQuote(raw, at);
    else if (sign === "{") level += 1;
    else if (sign === "}" && (level -= 1) === 0) return raw.slice(start, at + 1);
  }
  return raw.slice(start);
}

/** @param {string} raw  @param {number} quote where a string begins */
function closingQuote(raw, quote) {
  let at = quote + 1;
  while (at < raw.length && raw[at] !== '"') at += raw[at] === "\\" ? 2 : 1;
  return at;
}

/** @param {string} raw */
function withoutStrings(raw) {
  return raw.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, "");
}

/** Returns whether arrays and objects are nested deeper than `most` levels. @param {string} raw  @param {number} most */
function isDeeper(raw, most) {
  if (raw.split(/[[{]/, most + 2).length <= most + 1) return false;
  let level = 0;
  for (const sign of withoutStrings(raw)) {
    if (sign === "[" || sign === "{") level += 1;
    if (sign === "]" || sign === "}") level -= 1;
    if (level > most) return true;
  }
  return false;
}

// --- 5. A checkpoint -----------------------------------------------------------------------------------------------

/**
 * Reads a checkpoint of three lines, and returns it with its root in hex; null if the text has any other form.
 * @param {string} text
 * @returns {Checkpoint | null}
 */
function readCheckpoint(text) {
  const found = /^umpire\/([^\n]*)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n$/.exec(text);
  if (!found) return null;
  const [, game = "", size = "", base64 = ""] = found;
  const raw = atob(base64);
  if (btoa(raw) !== base64) return null;
  return { game, size: Number(size), root: hexOf(Uint8Array.from(raw, (sign) => sign.charCodeAt(0))) };
}

/** @param {string} root in hex */
function base64Of(root) {
  return btoa(String.fromCharCode(...bytesOf(root)));
}

// --- 6. The log ----------------------------------------------------------------------------------------------------

const GAME_ID = /^[^\p{White_Space}+\x00-\x1f\x7f-\x9f]{1,200}$/u;
const LOG_HEADER = new RegExp(`^\\{"umpire":"replay log","format":1,"game":(${WRITTEN_TEXT})\\}$`);
const LOG_BEGINNING = '{"umpire":"replay log"';
const LOG_ENDING = '{"checkpoint":';

/**
 * Reads a log up to the first line that is invalid in itself.
 * @param {string} text
 * @param {Progress} tell
 * @returns {Promise<ReadLog>}
 */
async function readLog(text, tell) {
  /** @type {ReadLog} */
  const log = { game: "", records: [], fault: null, cut: "", ending: null, endingFault: null };
  const lines = text.split("\n"); // behind the last line feed stands one more, empty where nothing was cut off
  readHeader(lines, log);
  let rested = performance.now();
  for (let at = 1; !log.fault && !log.cut; at += 1) {
    const line = itemAt(lines, at);
    if (isTooLong(line)) log.fault = lineFault("the line exceeds a limit: longer than 4 MiB");
    else if (at === lines.length - 1) log.cut = cutOff(line);
    else if (line.startsWith(LOG_ENDING)) return readEnding(lines, at, log);
    else readNext(line, log);
    if (performance.now() - rested > SLICE_MS) {
      tell(at / lines.length);
      await letPageDraw();
      rested = performance.now();
    }
  }
  return log;
}

/** @param {string} line  @param {ReadLog} log */
function readNext(line, log) {
  const record = readRecord(line, log.records.length + 1);
  if ("reason" in record) log.fault = record;
  else log.records.push(record);
}

/** @param {string} line behind the last line feed */
function cutOff(line) {
  return line === "" ? "it has no checkpoint line" : "its last line is cut off";
}

/** @param {string} line without its line feed */
function isTooLong(line) {
  return 3 * line.length >= MOST_LINE && utf8.encode(line).length >= MOST_LINE;
}

/** @param {string[]} lines  @param {ReadLog} log */
function readHeader(lines, log) {
  const line = itemAt(lines, 0);
  if (lines.length === 1 && LOG_BEGINNING.startsWith(line.slice(0, LOG_BEGINNING.length)) && !isTooLong(line)) {
    log.cut = line === "" ? "the file is empty" : "its header is cut off";
    return;
  }
  const found = LOG_HEADER.exec(line);
  const game = found ? textOf(found[1]) : "";
  if (GAME_ID.test(game)) log.game = game;
  else log.fault = lineFault("the first line is not the header of a replay log");
}

/**
 * Reads the checkpoint line. Its root is compared before its spelling, because a changed record is more important.
 * @param {string[]} lines
 * @param {number} at
 * @param {ReadLog} log
 */
function readEnding(lines, at, log) {
  const line = itemAt(lines, at);
  const told = readEndingLine(line);
  const said = told && readCheckpoint(told.checkpoint);
  if (!said) {
    log.endingFault = lineFault("the checkpoint line cannot be read");
    return log;
  }
  log.ending = said;
  const written = `{"checkpoint":${JSON.stringify(told.checkpoint)},"size":${said.size},"root":"${said.root}"}`;
  if (line !== written) log.endingFault = lineFault("the checkpoint line is not in the form that Umpire writes");
  else if (at !== lines.length - 2 || lines[at + 1] !== "") {
    log.endingFault = lineFault("data follows the checkpoint line");
  }
  return log;
}

/** @param {string} line  @returns {{checkpoint: string} | null} */
function readEndingLine(line) {
  try {
    const { checkpoint, size, root, ...more } = JSON.parse(line);
    const isEnding = typeof checkpoint === "string" && Number.isInteger(size) && typeof root === "string";
    return isEnding && Object.keys(more).length === 0 ? { checkpoint } : null;
  } catch {
    return null;
  }
}
