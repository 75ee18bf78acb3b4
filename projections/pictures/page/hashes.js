// @ts-check
// Computes the hashes of a log from ledger/FORMAT.md alone, sections 2 and 4, with the browser's own SHA-256.

const SLICE_MS = 8; // milliseconds of work before the page may draw again
const HASHES_AT_ONCE = 256; // hashes that the browser computes at once

// --- 2. Header and leaf --------------------------------------------------------------------------------------------

const NOUGHT = Uint8Array.of(0);
const ONE = Uint8Array.of(1);

/** @param {Uint8Array[]} parts  @returns {Uint8Array<ArrayBuffer>} */
function joinedBytes(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array<ArrayBuffer>} message  @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function sha256(message) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", message));
}

/** @param {number} value  @returns {Uint8Array} 4 bytes, big-endian */
function u32(value) {
  return new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
}

/** @param {number} value below 2^53  @returns {Uint8Array} 8 bytes, big-endian */
function u64(value) {
  return joinedBytes(u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32));
}

/** @type {Map<string, Uint8Array>} Game, seats, and time, seat and command of an order come again and again. */
const textsWritten = new Map();

/** Encodes a text as its length in bytes, followed by its UTF-8 bytes. @param {string} value  @returns {Uint8Array} */
function lengthAndText(value) {
  let written = textsWritten.get(value);
  if (written) return written;
  const raw = utf8.encode(value);
  written = joinedBytes(u32(raw.length), raw);
  if (textsWritten.size > 1000) textsWritten.clear();
  textsWritten.set(value, written);
  return written;
}

/** @param {string} hex  @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Encodes optional bytes: 00 if absent, otherwise 01 and the bytes. @param {Uint8Array | undefined} bytes */
function optionalBytes(bytes) {
  return bytes === undefined ? NOUGHT : joinedBytes(ONE, bytes);
}

/**
 * Returns the envelope of a record in the layout for hashing.
 * @param {string} game
 * @param {LogRecord} record
 * @param {Uint8Array | undefined} causeHash
 */
function headerOf(game, record, causeHash) {
  const seats = record.visibleTo;
  return joinedBytes(
    ONE,
    lengthAndText(game),
    u64(record.position),
    lengthAndText(record.at),
    lengthAndText(record.seat),
    lengthAndText(record.command),
    optionalBytes(record.follows === undefined ? undefined : u64(record.follows)),
    optionalBytes(seats && joinedBytes(u32(seats.length), ...seats.map(lengthAndText))),
    optionalBytes(record.prior === undefined ? undefined : bytesOf(record.prior)),
    optionalBytes(causeHash),
  );
}

/** @param {string} game  @param {LogRecord} record */
async function leafOf(game, record) {
  const [inner, causeHash] = await hashesOf(record);
  return sha256(joinedBytes(NOUGHT, headerOf(game, record, causeHash), inner));
}

/**
 * Returns (inner, cause_hash). For a withheld record, both come from its line. cause_hash is undefined if there was no cause.
 * @param {LogRecord} record
 * @returns {Promise<[Uint8Array, Uint8Array | undefined]>}
 */
async function hashesOf(record) {
  if (!record.salt) return [bytesOf(record.inner), record.causeHash ? bytesOf(record.causeHash) : undefined];
  const salt = bytesOf(record.salt);
  return Promise.all([
    sha256(joinedBytes(salt, utf8.encode(record.event))),
    record.cause ? sha256(joinedBytes(salt, ONE, utf8.encode(record.cause))) : undefined,
  ]);
}

// --- 4. The tree ---------------------------------------------------------------------------------------------------

/** @param {Uint8Array} left  @param {Uint8Array} right */
function nodeOf(left, right) {
  return sha256(joinedBytes(ONE, left, right));
}

/**
 * Returns the roots of all complete subtrees over the leaves, with 1, 2, 4, … leaves.
 * @param {Uint8Array[]} leaves
 * @returns {Promise<Uint8Array[][]>}
 */
async function subtreesOf(leaves) {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; ) {
    const pairs = Array.from({ length: below.length >> 1 }, (_, at) => 2 * at);
    const under = below;
    below = await inSlices(pairs, (at) => nodeOf(itemAt(under, at), itemAt(under, at + 1)));
    levels.push(below);
  }
  return levels;
}

/**
 * Returns the root over the first `size` leaves: their complete subtrees, combined from the right.
 * @param {Uint8Array[][]} subtrees
 * @param {number} size
 */
async function rootOver(subtrees, size) {
  if (size === 0) return sha256(new Uint8Array(0));
  /** @type {Uint8Array | undefined} */
  let root;
  for (let level = 0, left = size; left > 0; level += 1, left = Math.floor(left / 2)) {
    if (left % 2 === 0) continue;
    const peak = itemAt(itemAt(subtrees, level), left - 1);
    root = root === undefined ? peak : await nodeOf(peak, root);
  }
  return root ?? sha256(new Uint8Array(0));
}

/** @template T  @param {T[]} list  @param {number} at  @returns {T} */
function itemAt(list, at) {
  return /** @type {T} */ (list[at]);
}

// --- In slices, so that the page can be drawn meanwhile -------------------------------------------------------------

/**
 * Returns the result of `work` for each item, in order. The page may draw between groups of items.
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} work
 * @param {Progress} tell
 * @returns {Promise<R[]>}
 */
async function inSlices(items, work, tell = () => {}) {
  /** @type {R[]} */
  const done = [];
  for (let at = 0; at < items.length; at += HASHES_AT_ONCE) {
    done.push(...(await Promise.all(items.slice(at, at + HASHES_AT_ONCE).map(work))));
    tell(done.length / items.length);
    await letPageDraw();
  }
  return done;
}

/** Lets the page draw and respond to its reader. A timer would take longer, and much longer in a background tab. */
function letPageDraw() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(0);
  });
}
