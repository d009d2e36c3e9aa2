/**
 * What a clause names, wherever it stands: times, states, branches, agents, devices, labels. Each is found by the names
 * that the space has, or by the reader of times; which of them count is for the request to say, and the words of the
 * others stay words.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { knownName } from "../grammar/known-names.js";
import { labelsIn } from "../grammar/labels.js";
import type { Labels, ParsedDays, ParsedState, Surroundings } from "../intent.js";
import { daysIn, knownCheckpoint, stateIn } from "../when.js";

interface Place {
  /** In words of the clause. */
  readonly from: number;
  readonly to: number;
}
interface Named<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  /** It can hardly be anything else. */
  readonly isSure: boolean;
}
export type Slot = Place &
  (
    | { readonly kind: "period"; readonly days: ParsedDays; readonly state?: ParsedState }
    | { readonly kind: "state"; readonly state: ParsedState }
    | Named<"branch">
    | Named<"agent">
    | Named<"device">
    | { readonly kind: "labels"; readonly labels: Labels }
  );
export type SlotKind = Slot["kind"];
type Of<Kind extends SlotKind> = Extract<Slot, { readonly kind: Kind }>;

const TIME_BEGINS =
  /^(?:since|before|after|until|till|in|on|at|from|over|during|within|between|last|this|yesterday|yesterday's|today|tonight|past|the|as|back|by|earlier|early|late|an?|two|three|four|five|six|seven|\d+|\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|lately|recently)$/i;
const TIMES =
  /\b(?:yesterday|today|tonight|weeks?|months?|years?|days?|hours?|minutes?|morning|evening|afternoon|noon|weekend|ago|spring|summer|autumn|winter|lately|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4}-\d\d)\b|\b(?:in|since|of|last|until|before) May\b/i;
const MOST_TIME = 9;
const MOST_NAME = 4;

export class Slots {
  readonly words: readonly string[];
  readonly #all: readonly Slot[];
  readonly #taken = new Set<Slot>();

  constructor(words: readonly string[], all: readonly Slot[]) {
    this.words = words;
    this.#all = all;
  }

  all<Kind extends SlotKind>(kind: Kind): readonly Of<Kind>[] {
    return this.#all.filter((slot): slot is Of<Kind> => slot.kind === kind);
  }

  /** With none taken. */
  again(): Slots {
    return new Slots(this.words, this.#all);
  }

  /** With what another clause names: its words are none of this one. */
  with(others: readonly Slot[]): Slots {
    const far = { from: this.words.length, to: this.words.length };
    return new Slots(this.words, [...this.#all, ...others.map((slot) => ({ ...slot, ...far }))]);
  }

  has(kind: SlotKind): boolean {
    return this.all(kind).length > 0;
  }

  /** It counts: its words are no part of what the clause is about. */
  take<Kind extends SlotKind>(kind: Kind): Of<Kind> | undefined {
    const found = this.all(kind).find((slot) => !this.#taken.has(slot));
    if (found !== undefined) this.#taken.add(found);
    return found;
  }

  /** What no slot took. */
  get left(): readonly string[] {
    return this.words.filter((_word, at) => ![...this.#taken].some(({ from, to }) => from <= at && at < to));
  }

  /** With a mark where a slot was. */
  get rest(): string {
    return this.words
      .map((word, at) => {
        const slot = [...this.#taken].find(({ from, to }) => from <= at && at < to);
        return slot === undefined ? word : slot.from === at ? `<${slot.kind}>` : "";
      })
      .filter((word) => word !== "")
      .join(" ");
  }
}

export async function slotsIn(clause: string, around: Surroundings): Promise<Slots> {
  const words = clause.split(/\s+/).filter(Boolean);
  const found: Slot[] = [];
  for (let at = 0; at < words.length; ) {
    const slot =
      (await timeAt(words, at, around)) ?? nameAt(words, at, around) ?? (await stateAt(words, at, around));
    if (slot !== undefined) found.push(slot);
    at = slot?.to ?? at + 1;
  }
  return new Slots(words, found);
}

const phraseOf = (words: readonly string[], from: number, to: number): string =>
  words
    .slice(from, to)
    .join(" ")
    .replace(/[,;:.!?]+$/, "");

async function timeAt(
  words: readonly string[],
  from: number,
  around: Surroundings,
): Promise<Slot | undefined> {
  if (!TIME_BEGINS.test(words[from] ?? "")) return undefined;
  for (let to = Math.min(words.length, from + MOST_TIME); to > from; to -= 1) {
    const phrase = phraseOf(words, from, to);
    if (!TIMES.test(phrase) || /,/.test(phrase)) continue;
    const written = phrase.replace(/'s$/, "").replace(/^back /i, "");
    const days = await daysIn(written, around.now);
    if (days === undefined) continue;
    const state = await stateIn(written, around);
    return { kind: "period", days, ...(state === undefined ? {} : { state }), from, to };
  }
  return undefined;
}

async function stateAt(
  words: readonly string[],
  from: number,
  around: Surroundings,
): Promise<Slot | undefined> {
  if (/^(?:to|at|as|before|from|in|of|than)$/i.test(words[from] ?? ""))
    for (let to = Math.min(words.length, from + MOST_TIME); to > from + 1; to -= 1) {
      const phrase = phraseOf(words, from, to).replace(/^(?:back )?(?:to|than|of) /i, "");
      if (!around.checkpoints.some((name) => knownCheckpoint(lastOf(phrase), [name]) !== undefined)) continue;
      const state = await stateIn(phrase, around);
      if (state !== undefined) return { kind: "state", state, from, to };
    }
  const name = knownCheckpoint(phraseOf(words, from, from + 1), around.checkpoints);
  return name === undefined || !/[-_\d]/.test(name)
    ? undefined
    : { kind: "state", state: { said: name, ref: `checkpoint:${name}` }, from, to: from + 1 };
}

const lastOf = (phrase: string): string =>
  phrase.replace(/^(?:(?:to|at|as|of|before|from|in|the|my|our|checkpoint|snapshot|called) )+/i, "");

const LEADS =
  /^(?:(?:on|in|from|into|to|onto|of|with|by|via|between|and|over|than) )?(?:(?:the|my|our|your) )?/i;

function nameAt(words: readonly string[], from: number, around: Surroundings): Slot | undefined {
  for (let to = Math.min(words.length, from + MOST_NAME + 2); to > from; to -= 1) {
    const phrase = phraseOf(words, from, to);
    const lead = LEADS.exec(phrase)?.[0] ?? "";
    const label = to - from > 1 && !/^(?:of|and) /i.test(phrase) ? labelsNamed(phrase, around) : undefined;
    if (label !== undefined) return { kind: "labels", labels: label, from, to };
    const bare = phrase.slice(lead.length).replace(/'s?$/, "");
    if (bare === "" || STOP_WORDS.has(bare.toLowerCase())) continue;
    const skipped = lead === "" ? 0 : lead.trim().split(" ").length;
    const isLed = /^(?:on|in|from|into|to|onto|of|with|by|via|between|over|than)\b/i.test(lead);
    const branch = branchNamed(bare, around);
    if (branch !== undefined) {
      const before = words[from - 1] ?? "";
      const isSure =
        isLed ||
        /\bbranch\b/i.test(phrase) ||
        /[-_/\s]/.test(bare) ||
        /^(?:merge|on|into|to|with|and|between|branch|vs|versus|delete|drop)$/i.test(before);
      return { kind: "branch", name: branch, isSure, from, to };
    }
    const agent = skipped <= 1 || isLed ? knownName(bare, around.agents) : undefined;
    if (agent !== undefined) return { kind: "agent", name: agent, isSure: true, from, to };
    const device = knownName(bare.replace(/ (?:machine|computer)$/i, ""), around.devices);
    if (device !== undefined)
      return { kind: "device", name: device, isSure: /^(?:on|from|via|with|in)\b/i.test(lead), from, to };
  }
  return undefined;
}

const branchNamed = (words: string, { branches }: Surroundings): string | undefined =>
  knownName(words.replace(/^branch (?:called |named )?| branch$/gi, ""), branches);

/** "Under money" only of a category that there is. */
function labelsNamed(phrase: string, { categories, tags }: Surroundings): Labels | undefined {
  const labels = labelsIn(phrase);
  if (labels !== undefined) return labels;
  const name = /^(?:filed |kept |stored |saved )?(?:in|under) (?:the |my |our )?(.+)$/i.exec(phrase)?.[1];
  const category = name === undefined ? undefined : knownName(name, categories);
  if (category !== undefined) return { category };
  const tag = /^tagged (?:with |as )?(.+)$/i.exec(phrase)?.[1];
  const known = tag === undefined ? undefined : knownName(tag, tags);
  return known === undefined ? undefined : { tag: known };
}

/** Words that only ask, or say that something was written. */
const ASKING = new Set(
  "did do does was were is are has have had be been am can could would will should shall may might must show tell give list find look see check know knew known think thought believe believed say says said remember remembered remind get got having keep let please just only again already still yet now right currently moment today these those days actually really ever also too so far at all any anything something someone somebody everything everyone thing things stuff note notes memory memories entry entries fact facts bit part one ones info information detail details what when where who whom whose how which why if whether there here back then me us my our your i we you he she they them it its that this the a an of on in to for from with by about regarding and or but as much many often long quick quickly want wanted like need going went happen happened happens happening up out ok okay oh hey hi i'm i've we've we're it's what's who's when's where's how's that's there's whats whos hows jotted down wrote written added saved told put stored noted mentioned recorded heard learned entered overnight lately recently some anybody nobody everybody noone while away pull".split(
    " ",
  ),
);

/** What a clause is about: its words, in their order, without those that ask. */
export function aboutOf(words: readonly string[], act?: RegExp): string {
  return words
    .map((word) => word.replace(/^[,;:("]+|[,;:.!?)"]+$/g, ""))
    .filter((word) => word !== "" && !ASKING.has(word.toLowerCase()) && act?.test(word) !== true)
    .join(" ");
}
