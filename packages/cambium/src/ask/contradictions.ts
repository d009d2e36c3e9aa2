/**
 * Memories that say otherwise of the same: "The tyres are pumped to 50 psi" and "The tyres are pumped to 60 psi". Alike
 * are those that differ in nothing but a date, an hour or a number behind the verb; before it, a value says which one is
 * meant: "Invoice 12 is paid" and "Invoice 13 is paid". Pure.
 *
 * @module
 */
import { describing, isSameValue, valuesIn } from "./changed-value.js";
import { VERBS } from "./grammar/remembering.js";
import type { TypedPart } from "./typed-parts.js";

interface Stated {
  readonly content: string;
}

interface Framed<T> {
  readonly memory: T;
  readonly values: readonly TypedPart[];
}

/** @returns groups of two to four; more of the same form are a series, such as what was measured each day */
export function contradictionsAmong<T extends Stated>(all: readonly T[]): readonly (readonly T[])[] {
  const byFrame = new Map<string, Framed<T>[]>();
  for (const memory of all) {
    if (memory.content.length > LONGEST) continue;
    const values = valuesIn(memory.content, true);
    const frame = frameOf(memory.content, values);
    if (frame === undefined) continue;
    const alike = byFrame.get(frame);
    if (alike === undefined) byFrame.set(frame, [{ memory, values }]);
    else alike.push({ memory, values });
  }
  return [...byFrame.values()].flatMap((alike) => {
    if (alike.length < 2 || alike.length > MOST_ALIKE) return [];
    const others = alike.filter((one) => alike.some((other) => isOtherwise(one, other)));
    return others.length < 2 ? [] : [others.map(({ memory }) => memory)];
  });
}

/** Texts say many things; what one sentence says can be held against another. */
const LONGEST = 400;
const MOST_ALIKE = 4;
const LEAST_WORDS = 2;

/** All but the values; undefined for what has none, or says too little beside them. */
function frameOf(content: string, values: readonly TypedPart[]): string | undefined {
  if (values.length === 0) return undefined;
  let frame = "";
  let end = 0;
  for (const value of values) {
    frame += `${content.slice(end, value.start)} <${value.kind} ${value.unit ?? ""}> `;
    end = value.end;
  }
  frame += content.slice(end);
  const words = describing(frame.replace(/<[^>]*>/g, " "));
  // "Two tins" and "one tin".
  const plain = frame
    .toLowerCase()
    .replace(/(\p{L}{3,})s\b/gu, "$1")
    .replace(/\s+/g, " ")
    .replace(/[.!; ]+$/, "");
  return words.length < LEAST_WORDS ? undefined : plain;
}

/** One value differs, or two beside each other: "from 8 to 22 August". */
function isOtherwise<T extends Stated>(one: Framed<T>, other: Framed<T>): boolean {
  const places = one.values.flatMap((value, at) => {
    const second = other.values[at];
    return second === undefined || isSameValue(value, second) ? [] : [at];
  });
  const [first, second, ...more] = places.map((at) => one.values[at]);
  if (first === undefined || more.length > 0) return false;
  const { content } = one.memory;
  if (second !== undefined && !RANGE.test(content.slice(first.end, second.start))) return false;
  const verb = VERB.exec(content)?.index;
  return verb === undefined ? one.values.at(-1) === (second ?? first) : first.start > verb;
}
const RANGE = /^ ?(?:to|and|or|until|till|-|–|,) ?$/i;
const VERB = new RegExp(`\\b(?:${VERBS})\\b`, "i");
