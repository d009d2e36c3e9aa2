/**
 * Up to where each agent of this device was last briefed, on each branch. A small file that is not synced: on
 * another device the same agent is somebody who has not been briefed. Losing it costs one brief that tells what
 * matters instead of what is new.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { type BranchId, type ChangeHash, isCambiumError } from "@cambium/core";
import { type Check, isNumber, isOne, isText, isTextList, readShape } from "../platform/plain-shape.js";
import { readPrivateJson, writePrivateFile } from "../platform/private-files.js";

export interface BriefMark {
  readonly heads: readonly ChangeHash[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface NamedMark extends BriefMark {
  readonly branch: BranchId;
  /** Empty for callers that do not say. */
  readonly agent: string;
}

/** The longest unused goes first. */
const MAX_MARKS = 500;

export class BriefMarks {
  readonly #path: string;
  #marks: readonly NamedMark[] | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  find(branch: BranchId, agent = ""): BriefMark | undefined {
    return this.#all().find((mark) => mark.branch === branch && mark.agent === agent);
  }

  /** Durable when it returns. */
  put(branch: BranchId, agent = "", { heads, at }: BriefMark): void {
    const others = this.#all().filter((mark) => mark.branch !== branch || mark.agent !== agent);
    this.#marks = [...others, { branch, agent, heads, at }].slice(-MAX_MARKS);
    writePrivateFile(this.#path, JSON.stringify({ v: 1, marks: this.#marks }));
  }

  #all(): readonly NamedMark[] {
    this.#marks ??= existsSync(this.#path) ? readMarks(this.#path) : [];
    return this.#marks;
  }
}

const isMark: Check<NamedMark> = (value): value is NamedMark =>
  readShape<Record<keyof NamedMark, unknown>>(value, {
    ...{ branch: isText, agent: isText, heads: isTextList, at: isNumber },
  }) !== undefined;

const areMarks: Check<readonly NamedMark[]> = (value): value is readonly NamedMark[] =>
  Array.isArray(value) && value.every(isMark);

/** One that is damaged, or of another version, counts as none. */
function readMarks(path: string): readonly NamedMark[] {
  try {
    const stored = readPrivateJson(path);
    return (
      readShape<{ v: 1; marks: readonly NamedMark[] }>(stored, { v: isOne, marks: areMarks })?.marks ?? []
    );
  } catch (error) {
    if (isCambiumError(error, "STORE_DAMAGED")) return [];
    throw error;
  }
}
