/** The shapes of the blocks of a replay page; `read.js` reads them. Positions are those of the ledger, from 1. */

/** How the counters of a side look. */
interface SideLook {
  side: string;
  name: string;
  letter: string;
  colour: string;
  ink: string;
  pattern: string;
}

/** Dice of one kind, as they were thrown by a seat or for a purpose, or all of them. */
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

/** A drawing of the definitions, `symbol-NAME`. `place`: its transformation on the card, "" for one that turns. */
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
    /** The drawings in the order in which a stack shows them, and the names of those of kinds of units. */
    symbols: Drawing[];
    kinds: Record<string, string>;
    /** The outlines of a counter, the scale of its drawing, and the places of two and of three drawings. */
    cards: { whole: string; torn: string; scale: number; several: string[][] };
  };
  charts: {
    turns: number[];
    accounts: Record<string, (number | null)[]>;
    losses: Record<string, number[]>;
  };
  dice: { totals: DiceTotal[] };
  /** SHA-256 of the text in the block of the trail. */
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
  /** Its steps or hits, as they are on the counter. */
  number?: string;
  /** Which way it looks, in degrees clockwise from the top. */
  bearing?: number;
  place: string;
  /** What it is aboard of, where that is not its place. */
  at?: string;
  about?: Record<string, Value>;
  /** Of a unit that is out of sight, when it was seen so. */
  seen?: string;
  /** What became of a unit that left play. */
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
  /** By unit: the places that it went through, the first where it stood. */
  ways?: Record<string, string[]>;
  lost?: Record<string, [place: string, fate: string]>;
  contested?: string[];
  ended?: string;
  /** What only the rules keep, as `attributes`, `markers` and `accounts`. */
  kept?: Record<string, Record<string, Value>>;
}

/** RFC 7396: null deletes. */
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

/** One position. `o`: first position of its order, `t` turn, `s` step, `w` seat, `e` event, `r` rule, `u` units. */
interface Entry {
  o: number;
  t?: number;
  s?: string;
  w?: string;
  e?: string;
  r?: string;
  /** Its sentence, where it is not that of its order. */
  m?: string;
  u?: string[];
  /** 1: it counts on the present line. */
  c?: 1;
  p?: string[];
  x?: RollSeen;
  /** 1: only the rules keep it. */
  k?: 1;
}

/** An order: its records lie from `first` to `last`. */
interface Order {
  first: number;
  last: number;
}

/** A time that a unit stood at a place. `to`: the position at which it left; none where it stands there still. */
interface Stay {
  unit: string;
  place: string;
  from: number;
  to?: number;
}
