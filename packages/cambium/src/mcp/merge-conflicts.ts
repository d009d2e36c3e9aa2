/**
 * Conflicts of a merge as a model is shown them, side by side, and how it says what shall become of them.
 *
 * @module
 */

import type { MemoryResolution, Space } from "@cambium/client";
import type { FieldConflict, Memory, MemoryConflicts, StateField } from "@cambium/core";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { z } from "zod";
import { fitting, type Shown } from "./pages.js";
import { memoryId } from "./schemas.js";
import { one, shownValue } from "./shown-memory.js";

/** `source` is the branch that is merged, `target` the one merged into: in every interface. */
const TAKES = ["source", "target", "newest", "both"] as const;

export const strategy = z.enum(["manual", ...TAKES]).default("manual");

/** A field may be any; a value of one is checked by the library. */
export const resolutions = z
  .array(
    z.strictObject({
      id: memoryId,
      field: z.string().max(40).describe("Default: all in conflict").optional(),
      take: z.enum(TAKES).describe("both: keep source as a second memory").optional(),
      value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
    }),
  )
  .max(500);

type Resolution = z.output<typeof resolutions>[number];

/** @throws {CambiumError} BAD_INPUT when one says nothing, or two decide the same field */
export function resolutionsOf(requested: readonly Resolution[]): Readonly<Record<string, MemoryResolution>> {
  const byId: Record<string, MemoryResolution> = {};
  for (const resolution of requested) {
    const { id, field } = resolution;
    const earlier = byId[id];
    if (earlier !== undefined && (field === undefined || typeof earlier === "string" || field in earlier))
      throw badResolution(resolution, "is decided twice");
    byId[id] =
      field === undefined
        ? wholeMemory(resolution)
        : { ...(earlier as object), [field]: oneField(resolution) };
  }
  return byId;
}

function wholeMemory(resolution: Resolution): MemoryResolution {
  const { take, value } = resolution;
  if (take !== undefined && value === undefined) return take;
  if (take === undefined && typeof value === "string") return { content: { value } };
  throw badResolution(resolution, "needs either take or, for its content, a value");
}

function oneField(resolution: Resolution) {
  const { take, value } = resolution;
  if ((take === undefined) === (value === undefined))
    throw badResolution(resolution, "needs either take or value");
  if (take === "both") throw badResolution(resolution, "can be kept twice only as a whole: leave field out");
  return take === undefined ? { value } : { take };
}

const badResolution = ({ id, field }: Resolution, problem: string): CambiumError =>
  new CambiumError(
    "BAD_INPUT",
    `The resolution of ${id}${field === undefined ? "" : `.${field}`} ${problem}.`,
    {
      hint: 'Write { "id": "…", "take": "target" }, or { "id": "…", "field": "content", "value": "…" }.',
    },
  );

export interface ShownMergeConflict {
  readonly id: string;
  readonly field: string;
  readonly base: string;
  readonly source: string;
  readonly target: string;
}

const MAX_VALUE_BYTES = 600;
const ENTRY_BYTES = 300;

/** Those that fit, with what each side says. */
export async function shownConflicts(
  conflicts: readonly MemoryConflicts[],
  { space, from, into, maxBytes }: { space: Space; from: string; into: string; maxBytes: number },
): Promise<readonly Shown<ShownMergeConflict>[]> {
  const likely = conflicts.slice(0, Math.ceil(maxBytes / ENTRY_BYTES));
  const sided: { conflict: FieldConflict; id: string; source: unknown; target: unknown }[] = [];
  for (const { id, fields } of likely) {
    const [source, target] = [await sideOf(space, id, from), await sideOf(space, id, into)];
    for (const conflict of fields)
      sided.push({
        conflict,
        id,
        source: valueOfField(source, conflict.field),
        target: valueOfField(target, conflict.field),
      });
  }
  return fitting(sided, maxBytes, ({ conflict, id, source, target }, room) => {
    const size = Math.max(60, Math.min(MAX_VALUE_BYTES, Math.floor((room - ENTRY_BYTES) / 3)));
    const data = {
      ...{ id, field: conflict.field, base: shownValue(conflict.base, size) },
      ...{ source: shownValue(source, size), target: shownValue(target, size) },
    };
    const summary = `base ${one(data.base)}; source ${one(data.source)}; target ${one(data.target)}`;
    return { data, text: `! ${id}.${data.field}: ${summary}` };
  });
}

async function sideOf(space: Space, id: string, branch: string): Promise<Memory | undefined> {
  try {
    return await space.get(id, { branch });
  } catch (error) {
    if (isCambiumError(error, "MEMORY_NOT_FOUND")) return undefined;
    throw error;
  }
}

const valueOfField = (memory: Memory | undefined, field: StateField): unknown =>
  memory === undefined ? null : (memory[field] ?? null);
