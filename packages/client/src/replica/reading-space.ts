/**
 * The reading half of an open space: each question goes to the part that has a method of its name.
 *
 * @module
 */
import { SIGNATURES } from "../api/signatures.js";
import type { Space, SpaceReader } from "../api.js";
import { checkCallsOf, withCheckedCalls } from "../arguments/check-calls.js";
import { GraphReader } from "../graph/graph-reader.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { DuplicateFinder } from "../space/duplicate-finder.js";
import { SpaceOverview } from "../space/space-overview.js";
import { StateReader } from "../space/state-reader.js";
import { steadyAnswer } from "../space/steady-answer.js";
import { VersionReader } from "../versions/version-reader.js";
import { Upkeep } from "./upkeep.js";

const CLASSES = {
  ...{ reader: StateReader, versions: VersionReader, graphReader: GraphReader },
  ...{ duplicateFinder: DuplicateFinder, upkeep: Upkeep, overview: SpaceOverview },
};

type Parts = { readonly [Part in keyof typeof CLASSES]: InstanceType<(typeof CLASSES)[Part]> } & {
  readonly index: Pick<SpaceIndex, "generation">;
};
type Answers = StateReader & VersionReader & GraphReader & DuplicateFinder & Upkeep & SpaceOverview;

class AnsweringSpace {
  readonly #parts: () => Parts;

  constructor(parts: () => Parts) {
    this.#parts = parts;
  }

  static {
    for (const [part, { prototype }] of Object.entries(CLASSES)) {
      for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (!Object.hasOwn(SIGNATURES.space, name)) continue;
        const value = function answer(this: AnsweringSpace, ...args: readonly unknown[]): unknown {
          const parts = this.#parts();
          const ask = (): unknown => Reflect.apply(method, parts[part as keyof typeof CLASSES], args);
          return steadyAnswer(parts.index, ask);
        };
        Object.defineProperty(AnsweringSpace.prototype, name, { value, configurable: true, writable: true });
      }
    }
  }
}

checkCallsOf(AnsweringSpace, SIGNATURES.space);

/** `OpenSpace` counts what is recalled, so it has a method of its own for that. */
type Answered = Exclude<Extract<keyof Space, keyof Answers>, "recall">;

/** @param parts - asked for at each question, since a space is put together after this */
export const ReadingSpace = AnsweringSpace as unknown as new (parts: () => Parts) => Pick<Answers, Answered>;

/** A reader with every question at the same ref. Options come last in each. */
export function readerAt(reader: SpaceReader, ref: string): SpaceReader {
  const calls = Object.entries(SIGNATURES.reader).map(([name, signature]) => {
    const named = signature.length - 1;
    const call = (...args: readonly unknown[]): unknown => {
      const options = { ...(args[named] as object | undefined), at: ref };
      return Reflect.apply(Reflect.get(reader, name), reader, [...args.slice(0, named), options]);
    };
    return [name, call];
  });
  return withCheckedCalls(Object.fromEntries(calls) as SpaceReader, SIGNATURES.reader);
}
