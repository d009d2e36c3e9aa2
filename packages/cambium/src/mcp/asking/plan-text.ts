/**
 * What memories say of a plan, as a model is shown it: bounded, and between marks.
 *
 * @module
 */

import type { MergeResult, Space } from "@cambium/client";
import type { LogEntry, Memory } from "@cambium/core";
import { countsInWords } from "@cambium/core/text";
import type { Action, Shown } from "../../ask/plans/plan.js";
import { jsonBytes } from "../bytes.js";
import { shownConflicts } from "../merge-conflicts.js";
import { fitting, sizeOf, textsOf } from "../pages.js";
import { USUAL_BYTES } from "../schemas.js";
import { countsOf, shownChanges } from "../shown-changes.js";
import { memoryBlock, one, shownAuthor, shownMemory, shownTime, shownValue } from "../shown-memory.js";

interface Described {
  /** After the sentence of the plan, on its line. */
  readonly after?: string;
  readonly data?: string;
  /** What is left of the actions: of more memories than are shown, those. */
  readonly shown?: readonly Memory[];
}

export async function describe(shown: Shown | undefined, space: Space): Promise<Described> {
  switch (shown?.kind) {
    case "memories":
      return describeMemories(shown.memories);
    case "revision": {
      const [before, after] = [shown.before, shown.after].map((text) => one(shownValue(text, 4_000)));
      return { data: `before: ${before}\nafter: ${after}` };
    }
    case "changes":
      return { data: changeLines(shown.changes) };
    case "rollback": {
      const { counts, conflicts, kept } = shown.preview;
      const { items, left } = shownChanges(shown.preview, { maxBytes: USUAL_BYTES });
      const open = conflicts.length === 0 ? "" : `; ${conflicts.length} would stay undecided`;
      const stays = kept.length === 0 ? "" : `; of ${kept.length} what others wrote since stays`;
      return {
        after: `: ${countsInWords(counts)}${open}${stays}`,
        data: [...textsOf(items), ...notShown(left)].join("\n"),
      };
    }
    case "merge":
      return await describeMerge(shown.preview, space);
    default:
      return {};
  }
}

const notShown = (left: number): readonly string[] => (left === 0 ? [] : [`${left} more are not shown.`]);

const CONTENT_BYTES = 800;
/** Each is a call of its own. */
const MAX_CALLS = 20;

/** Those that fit, each between its marks. */
export function describeMemories(memories: readonly Memory[]): Described {
  const items = fitting(memories.slice(0, MAX_CALLS), USUAL_BYTES, (memory, room) => {
    const data = shownMemory(memory, Math.min(CONTENT_BYTES, room - jsonBytes(shownMemory(memory, 0))));
    return { data, text: memoryBlock(data) };
  });
  const left = memories.length - items.length;
  return {
    ...(left === 0 ? {} : { after: ` (${left} of them are not shown; ask again when these are done)` }),
    data: textsOf(items).join("\n"),
    shown: memories.slice(0, items.length),
  };
}

/** Of those shown, and no others. */
export const actionOf = (action: Action, { shown }: Described): Action =>
  "ids" in action && shown !== undefined && action.ids.length > shown.length
    ? { ...action, ids: shown.map(({ id }) => id) }
    : action;

function changeLines(changes: readonly LogEntry[]): string {
  const lines: string[] = [];
  let room = USUAL_BYTES;
  for (const { hash, type, memories, text, at, by } of changes) {
    const ids = typeof memories === "number" ? [] : memories;
    const count = typeof memories === "number" ? memories : memories.length;
    const what = text === undefined ? ids.slice(0, 3) : [`${ids[0] ?? ""} ${one(shownValue(text, 200))}`];
    const more = count > what.length ? [`${count - what.length} more`] : [];
    const line = `- ${hash.slice(0, 16)} ${shownTime(at)} ${shownAuthor(by)}: ${type} ${[...what, ...more].join("; ")}`;
    room -= Buffer.byteLength(line) + 2;
    if (room < 0) break;
    lines.push(line);
  }
  return [...lines, ...notShown(changes.length - lines.length)].join("\n");
}

async function describeMerge(preview: MergeResult, space: Space): Promise<Described> {
  const [from, into] = [preview.from.branch, preview.to.branch];
  const maxBytes = Math.floor(USUAL_BYTES * 0.7);
  const conflicts = await shownConflicts(preview.conflicts, { space, from, into, maxBytes });
  const open = preview.conflicts.reduce((sum, { fields }) => sum + fields.length, 0);
  const taken = conflicts.reduce((sum, shown) => sum + sizeOf(shown), 0);
  const { items, left } = shownChanges(preview, { maxBytes: USUAL_BYTES - taken, atLeast: open > 0 ? 0 : 1 });
  const isUndone = (preview.undone ?? []).length > 0;
  const notes = [
    ...(open === 0 ? [] : [". Ask me about each conflict, and add resolutions to the call"]),
    ...(isUndone
      ? [
          ". An earlier merge of it was undone: ask me, and add again: true to bring that back, or again: false",
        ]
      : []),
  ];
  return {
    after: `: ${countsInWords(countsOf(preview))}; ${open} in conflict${notes.join("")}`,
    data: [...textsOf(conflicts), ...textsOf(items), ...notShown(left + open - conflicts.length)].join("\n"),
  };
}
