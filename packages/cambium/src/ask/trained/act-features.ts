/**
 * What of a sentence speaks for what it asks: words, pairs, beginnings of clauses, letters, names of the space. Pure.
 *
 * @module
 */
import { classesOf, isKept, stemOf } from "./lexicon.js";
import type { NamePlace, Token } from "./tokens.js";

interface Unit {
  readonly word: string;
  readonly stem: string;
  readonly classes: readonly string[];
  readonly isName: boolean;
}

/** A name is one unit, whatever it is called; a number is one as well. */
function unitsOf(tokens: readonly Token[], names: readonly NamePlace[]): readonly Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length; ) {
    const name = names.find(({ from }) => from === at);
    if (name !== undefined) {
      const word = `<${name.kinds[0]}>`;
      units.push({ word, stem: word, classes: name.kinds.map((kind) => `<${kind}>`), isName: true });
      at = name.to;
      continue;
    }
    const { word } = tokens[at] as Token;
    at += 1;
    if (/^\d/.test(word)) {
      if (units.at(-1)?.word !== "#") units.push({ word: "#", stem: "#", classes: ["#"], isName: false });
    } else units.push({ word, stem: stemOf(word), classes: classesOf(word), isName: false });
  }
  return units;
}

const CLAUSE = /^[,.?!;:—–-]$/;
const LINK = /^(?:and|so|but|then|because|cause|cos)$/;
/** Before what is asked for: "could you please …", "I'd like you to …". */
const LEAD_IN =
  /^(?:can|could|would|will|might|may|you|u|ya|please|pls|plz|kindly|just|now|then|so|ok|okay|hey|hi|hello|and|but|i|i'd|id|i'm|im|like|want|need|to|let's|lets|let|us|go|ahead|do|be|able|wanna|gotta|should|shall|we|also|quickly|oh|actually|that|it|if|possible|time|have|must|ask)$/;
const EDGE: Unit = { word: "<s>", stem: "<s>", classes: ["<s>"], isName: false };
const END: Unit = { word: "</s>", stem: "</s>", classes: ["</s>"], isName: false };

/** Texts, each of which stands for a feature; every one counts once. */
export function actFeatures(tokens: readonly Token[], names: readonly NamePlace[]): readonly string[] {
  const units = [EDGE, ...unitsOf(tokens, names), END];
  const found = new Set<string>();
  const words = units.map(({ word }) => word);
  grams(found, "w", words, 3);
  skips(found, "k", words);
  grams(
    found,
    "s",
    units.map(({ stem }) => stem),
    2,
  );
  clauseStarts(found, units);
  skeleton(found, units);
  letters(found, words.slice(1, -1));
  edges(found, words);
  for (const { classes } of units) for (const one of classes) found.add(`l ${one}`);
  found.add(`q ${words.includes("?")} `);
  found.add(`n ${Math.min(6, Math.floor(units.length / 4))}`);
  return [...found];
}

function grams(found: Set<string>, mark: string, words: readonly string[], most: number): void {
  for (let n = 1; n <= most; n += 1)
    for (let at = 0; at + n <= words.length; at += 1)
      found.add(`${mark} ${words.slice(at, at + n).join(" ")}`);
}

function skips(found: Set<string>, mark: string, words: readonly string[]): void {
  for (let at = 0; at + 2 < words.length; at += 1) found.add(`${mark} ${words[at]} ${words[at + 2]}`);
}

function edges(found: Set<string>, words: readonly string[]): void {
  for (let n = 1; n <= 3; n += 1) {
    found.add(`b ${words.slice(1, 1 + n).join(" ")}`);
    found.add(`e ${words.slice(-1 - n, -1).join(" ")}`);
  }
}

function clauseStarts(found: Set<string>, units: readonly Unit[]): void {
  for (const [at, { word }] of units.entries()) {
    if (!(word === "<s>" || CLAUSE.test(word) || LINK.test(word))) continue;
    head(found, units, at + 1);
    const next = units.slice(at + 1, at + 4);
    for (let n = 1; n <= next.length; n += 1)
      found.add(
        `c ${next
          .slice(0, n)
          .map((unit) => unit.word)
          .join(" ")}`,
      );
    for (const one of next[0]?.classes ?? []) {
      found.add(`C ${one}`);
      for (const two of next[1]?.classes ?? []) found.add(`C ${one} ${two}`);
      found.add(`C ${one} ${next[1]?.word}`);
    }
  }
}

/** The first word of a clause behind its lead-in. */
function head(found: Set<string>, units: readonly Unit[], from: number): void {
  let at = from;
  while (LEAD_IN.test(units[at]?.word ?? "")) at += 1;
  const [one, next] = [units[at], units[at + 1]];
  if (one === undefined || CLAUSE.test(one.word)) return;
  const isFirst = from === 1;
  const isAsked = units.slice(from, at).some(({ word }) => /^(?:you|u|ya|please|pls|plz|kindly)$/.test(word));
  found.add(`v ${one.stem}`).add(`v ${one.stem} ${isFirst}`).add(`v ${one.stem} ${next?.stem}`);
  for (const kind of one.classes) {
    found
      .add(`V ${kind}`)
      .add(`V ${kind} ${isFirst}`)
      .add(`V ${kind} ${isAsked}`)
      .add(`V ${kind} ${next?.word}`);
    for (const after of next?.classes ?? []) found.add(`V ${kind} ${after}`);
  }
}

/** What is left of a sentence when what it is about is one mark. */
function skeleton(found: Set<string>, units: readonly Unit[]): void {
  const bones: string[] = [];
  for (const unit of units) {
    const bone = isKept(unit.word) || CLAUSE.test(unit.word) ? unit.word : (unit.classes[0] ?? "*");
    if (bone !== "*" || bones.at(-1) !== "*") bones.push(bone);
  }
  grams(found, "x", bones, 4);
  skips(found, "y", bones);
  for (const [at, unit] of units.entries())
    for (const one of unit.classes)
      for (const two of units[at + 1]?.classes ?? []) found.add(`L ${one} ${two}`);
}

function letters(found: Set<string>, words: readonly string[]): void {
  const text = ` ${words.join(" ")} `;
  for (let at = 0; at + 4 <= text.length; at += 1) found.add(`h ${text.slice(at, at + 4)}`);
}
