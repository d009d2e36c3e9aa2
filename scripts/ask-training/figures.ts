/**
 * How well acts are told and parts are found, for writers that the model was not trained on.
 *
 * @module
 */
import { ACTS, type Act, SLOT_NAMES, type SlotName } from "../../packages/cambium/dist/ask/trained/acts.js";
import type { TrainedModel } from "../../packages/cambium/dist/ask/trained/model-bytes.js";
import { readWith, type TrainedReading } from "../../packages/cambium/dist/ask/trained/read-trained.js";
import { slotsIn, type TrainedSlot } from "../../packages/cambium/dist/ask/trained/slot-tagger.js";
import { partsOf, type TaggedPart } from "../../packages/cambium/dist/ask/trained/tags.js";
import { type Token, tokensOf } from "../../packages/cambium/dist/ask/trained/tokens.js";
import { goldTags } from "./gold-tags.ts";
import { Random } from "./random.ts";
import type { Labelled } from "./sentences.ts";
import { withNames } from "./surroundings.ts";

const GROUPS: readonly (readonly Act[])[] = [
  ACTS.slice(0, ACTS.indexOf("remember")),
  ["remember", "correct", "settle", "file", "checkpoint"],
  ["forget"],
  ["restore", "undo", "take-back", "rollback"],
  ["branch", "use-branch", "delete-branch"],
  ["merge"],
  ["none"],
];
const groupOf = (act: Act): number => GROUPS.findIndex((group) => group.includes(act));
/** What takes something away, or moves what is there. */
const TAKING: readonly Act[] = [
  "forget",
  "undo",
  "take-back",
  "rollback",
  "restore",
  "delete-branch",
  "merge",
];

export interface Read {
  readonly sentence: Labelled;
  readonly reading: TrainedReading;
  readonly tokens: readonly Token[];
  readonly gold: readonly TaggedPart[];
  /** The parts that are found where the act is known. */
  readonly found: readonly TrainedSlot[];
}

/** Where the names of a sentence are known, beside others. */
export const readBy = (model: TrainedModel, sentences: readonly Labelled[]): readonly Read[] =>
  withNames(sentences, new Random(2)).map(({ sentence, names }) => {
    const tokens = tokensOf(sentence.s);
    return {
      sentence,
      reading: readWith(model, sentence.s, names),
      tokens,
      gold: partsOf(goldTags(sentence, tokens)),
      found: slotsIn(model.slots, sentence.s, sentence.act, names),
    };
  });

interface Told {
  readonly act: Act;
  readonly read: Act;
  readonly sureness: number;
}

export function actFigures(all: readonly Read[]): readonly string[] {
  const told = all.flatMap(({ sentence, reading }): readonly Told[] => {
    const [first] = reading.acts;
    return first === undefined ? [] : [{ act: sentence.act, read: first.act, sureness: first.probability }];
  });
  const [lines, taking] = [
    [0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95].map((least) => above(told, least)),
    takes(told),
  ];
  return [...lines, ...taking, ...ACTS.map((act) => ofAct(told, act))];
}

function above(told: readonly Told[], least: number): string {
  const sure = told.filter(({ sureness }) => sureness >= least);
  const right = sure.filter(({ act, read }) => act === read).length;
  const near = sure.filter(({ act, read }) => groupOf(act) === groupOf(read)).length;
  return `sure by ${least}: ${part(sure.length, told.length)} of all; act ${part(right, sure.length)}, group ${part(near, sure.length)}`;
}

function takes(told: readonly Told[]): readonly string[] {
  return [0, 0.5, 0.7, 0.9].map((least) => {
    const wrong = told.filter(
      ({ act, read, sureness }) => sureness >= least && act !== read && TAKING.includes(read),
    );
    const fromOthers = wrong.filter(({ act }) => !TAKING.includes(act)).length;
    return `wrongly takes something away, sure by ${least}: ${fromOthers} that ask for no such thing, ${wrong.length - fromOthers} that ask for another`;
  });
}

function ofAct(told: readonly Told[], act: Act): string {
  const meant = told.filter((one) => one.act === act);
  const read = told.filter((one) => one.read === act);
  const right = meant.filter((one) => one.read === act).length;
  return `${act}: found ${part(right, meant.length)} of ${meant.length}, right ${part(right, read.length)} of ${read.length}`;
}

export function slotFigures(tagged: readonly Read[]): readonly string[] {
  const right = tagged.filter(({ gold, found, tokens }) => {
    const own = gold.filter(({ name }) => name !== "left");
    const others = found.filter(({ name }) => name !== "left");
    return own.length === others.length && others.every((one) => isAmong(one, own, tokens));
  });
  const named = SLOT_NAMES.map((name) => ofSlot(tagged, name));
  const least = [0, 0.5, 0.7, 0.8, 0.9, 0.95].map((sure) => sureSlots(tagged, sure));
  return [
    `sentences with all parts right, but for "left": ${part(right.length, tagged.length)}`,
    ...least,
    ...named,
  ];
}

const isAmong = ({ name, start, end }: TrainedSlot, gold: Read["gold"], tokens: Read["tokens"]): boolean =>
  gold.some(
    (one) => one.name === name && tokens[one.from]?.start === start && tokens[one.to - 1]?.end === end,
  );

function sureSlots(tagged: readonly Read[], least: number): string {
  const all = tagged.flatMap(({ found, gold, tokens }) =>
    found
      .filter(({ name }) => name !== "left")
      .map((one) => ({ isRight: isAmong(one, gold, tokens), sureness: one.sureness })),
  );
  const sure = all.filter(({ sureness }) => sureness >= least);
  return `parts sure by ${least}: ${part(sure.length, all.length)} of all; right ${part(sure.filter(({ isRight }) => isRight).length, sure.length)}`;
}

function ofSlot(tagged: readonly Read[], name: SlotName): string {
  const counts = { gold: 0, found: 0, exact: 0, goldTokens: 0, foundTokens: 0, both: 0 };
  for (const { gold, found, tokens } of tagged) {
    const own = gold.filter((one) => one.name === name);
    const others = found.filter((one) => one.name === name);
    counts.gold += own.length;
    counts.found += others.length;
    counts.exact += others.filter((one) => isAmong(one, own, tokens)).length;
    for (const [at, { start, end }] of tokens.entries()) {
      const isGold = own.some(({ from, to }) => from <= at && at < to);
      const isFound = others.some((one) => one.start <= start && end <= one.end);
      counts.goldTokens += Number(isGold);
      counts.foundTokens += Number(isFound);
      counts.both += Number(isGold && isFound);
    }
  }
  const { gold, found, exact, goldTokens, foundTokens, both } = counts;
  return `${name}: exactly found ${part(exact, gold)} of ${gold}, right ${part(exact, found)} of ${found}, tokens (F1) ${part(2 * both, goldTokens + foundTokens)}`;
}

const part = (some: number, all: number): string => `${((100 * some) / all).toFixed(1)} %`;
