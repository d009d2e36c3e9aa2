/**
 * What shall come of a request: what it would do, and what does it. Nothing here writes.
 *
 * @module
 */

import type { Space } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { shellWord } from "@cambium/core/text";
import { jsonBytes } from "../bytes.js";
import { fitting, textsOf } from "../pages.js";
import { USUAL_BYTES } from "../schemas.js";
import { memoryBlock, shownMemory } from "../shown-memory.js";
import type { ToolContext } from "../tool.js";

/** One call, and the command that does the same where the set of tools has none for it. */
export interface Step {
  readonly tool?: string;
  readonly args?: object;
  readonly command: string;
}

export interface Plan {
  /** In our words and in names, never what a memory says. */
  readonly would: string;
  /** What memories say; shown between marks. */
  readonly data?: string;
  /** Whether the person is to be asked first, beyond having asked for it. */
  readonly asks?: "before" | "which";
  /** In this order. */
  readonly steps: readonly Step[];
  /** What the steps are for, where the request is answered already. */
  readonly isAnswered?: boolean;
}

export interface Planning {
  readonly space: Space;
  /** Where it is read. */
  readonly branch: string;
  /** For the tools to be called with: empty where they mean that branch by themselves. */
  readonly named: { readonly branch?: string };
  readonly call: ToolContext;
  /** `cambium …`, with the space and the branch. */
  command(words: readonly string[], more?: { readonly onBranch?: boolean }): string;
  /** The text of a tool that reads. */
  read(tool: string, args: object): Promise<string>;
}

export const commandLine = (words: readonly string[]): string =>
  ["cambium", ...words.map(shellWord)].join(" ");

const CONTENT_BYTES = 800;
/** Each is a call of its own. */
const MAX_CALLS = 20;

/** Those that fit, each between its marks. */
export function memoriesText(memories: readonly Memory[]): {
  readonly text: string;
  readonly shown: readonly Memory[];
  readonly left: number;
} {
  const items = fitting(memories.slice(0, MAX_CALLS), USUAL_BYTES, (memory, room) => {
    const data = shownMemory(memory, Math.min(CONTENT_BYTES, room - jsonBytes(shownMemory(memory, 0))));
    return { data, text: memoryBlock(data) };
  });
  const left = memories.length - items.length;
  return { text: textsOf(items).join("\n"), shown: memories.slice(0, items.length), left };
}

export const countOf = (count: number): string => `${count} ${count === 1 ? "memory" : "memories"}`;
