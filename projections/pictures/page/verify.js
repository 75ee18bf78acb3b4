// @ts-check
// Checks a replay log from ledger/FORMAT.md alone: VALID, VALID WITH REDACTIONS, INCOMPLETE, or INVALID from #n.
//
// A log is read, its leaves and roots are hashed in slices, and then its records are judged in order, so that the verdict
// names the first fault in the file. Nothing here touches the page: the input is text, the result is a verdict, and
// proof.js shows it.

/** @typedef {"VALID" | "VALID WITH REDACTIONS" | "INCOMPLETE" | "INVALID"} VerdictWord */
/** @typedef {{firstBad: number, changed: [number, number] | null, reason: string, expected: string, found: string}} Fault
 *   `firstBad`: the first record that nobody vouches for, 0 the header; `changed`: the fault lies in one of these or in several. */
/** @typedef {{verdict: VerdictWord, game: string, size: number, root: string, redacted: number, publicWithheld: number,
 *   firstBad: number | null, changed: [number, number] | null, reason: string, expected: string, found: string,
 *   clockBack: number[], dice: number, closed: number}} Verdict
 *   `size`: records that stand, `root` over them in hex; `dice`: rolls thrown again from an opened seed, all as recorded;
 *   `closed`: rolls of the ledger from seeds that are not open; `clockBack`: records that are earlier than their predecessor, which is no fault. */
/** @typedef {{log: ReadLog, subtrees: Uint8Array[][], roots: Map<number, string>, dice: ThrownAgain}} Hashed
 *   `roots`: in hex, over as many records as some `prior` and the last line speak of. */
/** @typedef {{size: number, vouched: number, command: string, commands: Set<string>, at: string, seat: string, hasCause: boolean, redacted: number,
 *   publicAt: number[], clockBack: number[]}} Seen
 *   The records so far. `vouched`: so many are known to be as they were written, from a later `prior` or a checkpoint. */

/**
 * Reads a log and computes all its hashes. `judge` then compares them, with a checkpoint or without.
 * @param {string} text
 * @param {Progress} tell
 * @returns {Promise<Hashed>}
 */
async function hashLog(text, tell = () => {}) {
  const log = await readLog(text, (part) => tell(0.2 * part));
  const leaves = await inSlices(log.records, (record) => leafOf(log.game, record), (part) => tell(0.2 + 0.4 * part));
  const subtrees = await subtreesOf(leaves);
  const sizes = log.records.filter((record) => record.prior !== undefined).map((record) => record.position - 1);
  sizes.push(log.records.length);
  const found = await inSlices(sizes, (size) => rootOver(subtrees, size), (part) => tell(0.7 + 0.2 * part));
  const roots = new Map(sizes.map((size, at) => [size, hexOf(itemAt(found, at))]));
  const dice = await throwAgain(log.records, (part) => tell(0.9 + 0.1 * part));
  return { log, subtrees, roots, dice };
}

/**
 * Returns the verdict on a log. With a kept checkpoint, the verdict also states whether the history still matches it.
 * @param {Hashed} hashed
 * @param {Checkpoint | null} checkpoint
 * @returns {Promise<Verdict>}
 */
async function judge(hashed, checkpoint = null) {
  const { log, roots } = hashed;
  const known = checkpoint && { ...checkpoint, here: await rootHere(hashed, checkpoint.size) };
  /** @type {Seen} */
  const seen = { size: 0, vouched: 0, command: "", commands: new Set(), at: "", seat: "", hasCause: false, redacted: 0, publicAt: [], clockBack: [] };
  if (log.fault && !log.game) return invalidVerdict(seen, "", { ...log.fault, firstBad: 0, changed: null });
  if (log.cut && !log.game) return { ...verdictOn(seen, "", ""), verdict: "INCOMPLETE", reason: `the log ends at #0: ${log.cut}` };
  if (known && known.game !== log.game) {
    return invalidVerdict(seen, log.game, faultAt(0, "the checkpoint belongs to another game", known.game, log.game));
  }
  let fault = compareWithCheckpoint(seen, known);
  for (const record of log.records) {
    fault ??= seeRecord(seen, record, roots) ?? compareWithCheckpoint(seen, known);
  }
  fault ??= log.fault && byItself(seen, log.fault);
  if (!fault && !log.cut) fault = compareWithEnding(seen, hashed);
  if (fault) return invalidVerdict(seen, log.game, fault);
  return verdictOnWhole(seen, hashed, checkpoint);
}

/** @param {Hashed} hashed  @param {number} size  @returns {Promise<string>} nothing where the log is shorter */
async function rootHere({ log, subtrees }, size) {
  return size > log.records.length ? "" : hexOf(await rootOver(subtrees, size));
}

/**
 * Adds the next record, and returns the fault that it reveals, if any.
 * @param {Seen} seen
 * @param {LogRecord} record
 * @param {Map<number, string>} roots
 * @returns {Fault | null}
 */
function seeRecord(seen, record, roots) {
  if (record.prior !== undefined || record.command !== seen.command) {
    const fault = beginOrder(seen, record, roots.get(seen.size) ?? "");
    if (fault) return fault;
  } else if (record.at !== seen.at || record.seat !== seen.seat) {
    return disagreeing(seen, "the records of one order differ in seat or time");
  }
  if (record.cause || record.causeHash) {
    if (seen.hasCause) return disagreeing(seen, "an order has two causes");
    seen.hasCause = true;
  }
  seen.size += 1;
  if (!record.salt) {
    seen.redacted += 1;
    if (record.visibleTo === undefined) seen.publicAt.push(seen.size);
  }
  return null;
}

/**
 * @param {Seen} seen
 * @param {LogRecord} record
 * @param {string} root over the records before it
 * @returns {Fault | null}
 */
function beginOrder(seen, record, root) {
  if (record.prior === undefined) return disagreeing(seen, "an order's first record has no `prior`");
  if (record.command === seen.command) return disagreeing(seen, "a record in the middle of an order has a `prior`");
  if (seen.commands.has(record.command)) return disagreeing(seen, "the records of an order are not consecutive");
  if (!isTime(record.at)) {
    return faultAt(record.position, "`at` is not a UTC time with microseconds");
  }
  if (record.prior !== root) return hashMismatch(seen, whyNoPrior(seen, record.position), record.position, record.prior, root);
  seen.vouched = seen.size;
  if (record.at < seen.at) seen.clockBack.push(record.position);
  seen.commands.add(record.command);
  Object.assign(seen, { command: record.command, at: record.at, seat: record.seat, hasCause: false });
  return null;
}

/** Returns whether a text is a valid time in UTC with microseconds. @param {string} at */
function isTime(at) {
  const found = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3})[0-9]{3}Z$/.exec(at);
  const read = new Date(`${found?.[1]}Z`);
  return found !== null && !at.startsWith("0000") && !Number.isNaN(read.valueOf()) && read.toISOString() === `${found[1]}Z`;
}

/** Returns the words for a change in a range of records. @param {number} low  @param {number} high */
const changedIn = (low, high) => (low === high ? `record #${high} was changed` : `one of the records #${low} to #${high} was changed`);

/** Explains that a `prior` does not match, although the last one before it does. @param {Seen} seen  @param {number} position */
function whyNoPrior(seen, position) {
  if (position === 1) return "the `prior` of #1 is not the root of an empty log: #1 was changed";
  const low = seen.vouched + 1;
  const matching = `the \`prior\` of #${low} matches the records before it`;
  return `${changedIn(low, position)}: ${matching}, but the one of #${position} does not`;
}

/**
 * Compares the log with its checkpoint line.
 * @param {Seen} seen
 * @param {Hashed} hashed
 * @returns {Fault | null}
 */
function compareWithEnding(seen, { log, roots }) {
  const said = log.ending;
  if (!said) return log.endingFault && byItself(seen, log.endingFault);
  const next = seen.size + 1;
  if (said.game !== log.game) return faultAt(next, "the checkpoint line belongs to another game", log.game, said.game);
  if (said.size !== seen.size) {
    return faultAt(next, "records are missing before the checkpoint", recordCount(said.size), recordCount(seen.size));
  }
  const root = roots.get(seen.size) ?? "";
  if (said.root !== root) {
    const reason = `a record from #${seen.vouched + 1} on was changed, or the checkpoint line was`;
    return hashMismatch(seen, reason, seen.size, said.root, root);
  }
  seen.vouched = seen.size;
  return log.endingFault && byItself(seen, log.endingFault);
}

/**
 * Compares the log with a kept checkpoint when its size is reached. Matching values of `prior` alone prove nothing, because the
 * author of another history also writes new ones.
 * @param {Seen} seen
 * @param {(Checkpoint & {here: string}) | null} known
 * @returns {Fault | null}
 */
function compareWithCheckpoint(seen, known) {
  if (known?.size !== seen.size) return null;
  if (known.root !== known.here) {
    const since = `${changedIn(Math.min(seen.vouched + 1, seen.size), seen.size)}, or an earlier one and every \`prior\` after it`;
    const reason = `history differs from the checkpoint at #${seen.size}: ${since}`;
    return { firstBad: 1, changed: seen.size ? [1, seen.size] : null, reason, expected: known.root, found: known.here };
  }
  seen.vouched = seen.size;
  return null;
}

/**
 * Returns the fault that at least one record after the last confirmed one, up to `last`, was changed.
 * @param {Seen} seen
 * @param {string} reason
 * @param {number} last
 * @param {string} expected
 * @param {string} found
 * @returns {Fault}
 */
function hashMismatch(seen, reason, last, expected, found) {
  return { firstBad: seen.vouched + 1, changed: [seen.vouched + 1, last], reason, expected, found };
}

/** Returns the fault that the next record contradicts the order before it; either may have been changed. @param {Seen} seen  @param {string} reason */
function disagreeing(seen, reason) {
  const told = seen.vouched < seen.size ? `${reason}, seen at #${seen.size + 1}` : reason;
  return hashMismatch(seen, told, seen.size + 1, "", "");
}

/** Returns the fault of a line that is invalid in itself. @param {Seen} seen  @param {LineFault} fault  @returns {Fault} */
function byItself(seen, fault) {
  return faultAt(seen.size + 1, fault.reason, fault.expected, fault.found);
}

/** @param {number} at  @param {string} reason  @param {string} expected  @param {string} found  @returns {Fault} */
function faultAt(at, reason, expected = "", found = "") {
  return { firstBad: at, changed: at ? [at, at] : null, reason, expected, found };
}

/** @param {Seen} seen  @param {string} game  @param {string} root  @returns {Verdict} */
function verdictOn(seen, game, root) {
  return {
    verdict: "VALID",
    game,
    size: seen.size,
    root,
    redacted: seen.redacted,
    publicWithheld: seen.publicAt.length,
    firstBad: null,
    changed: null,
    reason: "",
    expected: "",
    found: "",
    clockBack: seen.clockBack,
    dice: 0,
    closed: 0,
  };
}

/** @param {Seen} seen  @param {string} game  @param {Fault} fault  @returns {Verdict} */
function invalidVerdict(seen, game, fault) {
  const size = Math.min(seen.size, Math.max(fault.firstBad - 1, 0));
  return { ...verdictOn(seen, game, ""), ...fault, verdict: "INVALID", size };
}

/**
 * Returns the verdict if every line and hash is right, depending on completeness and dice.
 * @param {Seen} seen
 * @param {Hashed} hashed
 * @param {Checkpoint | null} checkpoint
 * @returns {Verdict}
 */
function verdictOnWhole(seen, { log, roots, dice }, checkpoint) {
  const told = verdictOn(seen, log.game, roots.get(seen.size) ?? "");
  const incomplete = (/** @type {string} */ reason) => /** @type {Verdict} */ ({ ...told, verdict: "INCOMPLETE", reason });
  if (log.cut) return incomplete(`the log ends at #${seen.size}: ${log.cut}`);
  if (checkpoint && checkpoint.size > seen.size) {
    return incomplete(`the log ends at #${seen.size}: the checkpoint covers ${recordCount(checkpoint.size)}`);
  }
  if (seen.publicAt.length) return incomplete(withheldInWords(seen.publicAt));
  if (dice.wrong) return invalidVerdict(seen, log.game, faultAt(dice.wrong.position, dice.wrong.reason));
  return { ...told, verdict: seen.redacted ? "VALID WITH REDACTIONS" : "VALID", dice: dice.checked, closed: dice.closed };
}

/** @param {number[]} positions of withheld records that everybody might see */
function withheldInWords(positions) {
  /** @type {[number, number][]} */
  const stretches = [];
  for (const position of positions) {
    const last = stretches.at(-1);
    if (last && last[1] === position - 1) last[1] = position;
    else stretches.push([position, position]);
  }
  const named = stretches.slice(0, 8).map(([first, last]) => (first === last ? `#${first}` : `#${first} to #${last}`));
  const what = positions.length === 1 ? "1 public record is" : `${positions.length} public records are`;
  return `${what} withheld: ${named.join(", ")}${stretches.length > 8 ? ", …" : ""}`;
}

/** Returns a number of records in words, as `umpire verify` writes it. @param {number} number */
function recordCount(number) {
  return number === 1 ? "1 record" : `${number} records`;
}
