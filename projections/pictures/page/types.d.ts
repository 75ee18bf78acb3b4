/** Types of the data blocks in a replay page, which `read.js` reads. Positions are positions in the ledger, from 1. */

/** The look of a side's counters. */
interface SideLook {
  side: string;
  name: string;
  letter: string;
  colour: string;
  ink: string;
  pattern: string;
}

/** Results of one kind of die: of a seat, for a purpose, or all of them. */
interface DiceTotal {
  of: "die" | "seat" | "purpose";
  name: string;
  rolls: number;
  faces: {
    die: string;
    dice: number;
    counts: number[];
    mean: number;
    expected: number;
    chi_square: number;
    degrees: number;
    p: number;
    warning: string;
  };
}

/** A symbol in the definitions, `symbol-NAME`. `place`: its transformation on the card, "" for a symbol that turns. */
interface Drawing {
  name: string;
  place: string;
}

interface Facts {
  edition: string;
  game: string;
  name: string;
  copied: string;
  title: string;
  seat: string;
  seats?: Record<string, string>;
  first: number;
  last: number;
  size: number;
  turns: [position: number, turn: number][];
  steps: [position: number, label: string, name: string][];
  rolls: number[];
  disputes: [position: number, words: string][];
  seals: [position: number, words: string][];
  rulings?: [position: number, words: string][];
  undone: [first: number, last: number][];
  line: [first: number, last: number][];
  sides: SideLook[];
  map: {
    extent: [left: number, top: number, wide: number, high: number];
    ground: string;
    defs: string;
    spots: Record<string, Spot>;
    within: Record<string, string>;
    /** The symbols in the order in which a stack shows them, and the name of the symbol for each kind of unit. */
    symbols: Drawing[];
    kinds: Record<string, string>;
    /** The outlines of a counter, the scale of its symbol, and the transformations of two and of three symbols. */
    cards: { whole: string; torn: string; scale: number; several: string[][] };
  };
  charts: {
    turns: number[];
    accounts: Record<string, (number | null)[]>;
    losses: Record<string, number[]>;
  };
  dice: { totals: DiceTotal[] };
  /** SHA-256 of the text of the trail, in hex. */
  sentences: string;
  command: string;
}

type Spot = [x: number, y: number];
type Value = string | number | boolean | Value[] | { [name: string]: Value };

interface Unit {
  side: string;
  kind: string;
  label: string;
  signs?: string[];
  /** The number of steps or hits on the counter. */
  number?: string;
  /** The direction that the unit faces, in degrees clockwise from the top. */
  bearing?: number;
  place: string;
  /** The recorded place if it differs from `place`, such as the unit that carries it. */
  at?: string;
  about?: Record<string, Value>;
  /** For a unit out of sight, the time of the last sighting. */
  seen?: string;
  /** The fate of a unit that left play. */
  fate?: string;
  kept?: Record<string, Value>;
}

interface State {
  turn: number;
  where: string;
  steps?: [label: string, name: string][];
  wait?: string[];
  owed?: string[];
  side_to_act?: string[];
  units: Record<string, Unit>;
  accounts?: Record<string, number>;
  markers?: Record<string, Value>;
  /** The path of each unit, from its first place on. */
  ways?: Record<string, string[]>;
  lost?: Record<string, [place: string, fate: string]>;
  contested?: string[];
  ended?: string;
  /** Values that only the rules use, under `attributes`, `markers` and `accounts`. */
  kept?: Record<string, Record<string, Value>>;
}

/** A merge patch (RFC 7396); null deletes a key. */
type Patch = unknown;

interface RollSeen {
  words: string;
  pips: number[];
  sides?: number;
  needed?: Value;
  modifiers?: string[];
  outcome?: string;
  total?: number;
}

/** The record at a position. `o`: first position of its order, `t` turn, `s` step, `w` seat, `e` event, `r` rule, `u` units. */
interface Entry {
  o: number;
  t?: number;
  s?: string;
  w?: string;
  e?: string;
  r?: string;
  /** The text of the record, if it differs from the sentence of its order. */
  m?: string;
  u?: string[];
  /** 1 if the record is on the current branch. */
  c?: 1;
  p?: string[];
  x?: RollSeen;
  /** 1 if the record sets a value that only the rules use. */
  k?: 1;
}

/** An order, with the positions of its first and last record. */
interface Order {
  first: number;
  last: number;
}

/** A stay of a unit at a place. `to`: the position at which it left; undefined if it is still there. */
interface Stay {
  unit: string;
  place: string;
  from: number;
  to?: number;
}
