/**
 * What memory services give of their memories as JSON: mem0 what "get all memories" answers, Zep the edges or facts of
 * a graph.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import { z } from "zod";
import { contentProblem, type ImportDraft, type ImportReading, toSourceKey } from "./import-draft.js";

/** The memory services whose answers are read. */
export type MemoryService = "mem0" | "zep";

const text = z.string().nullish();

/** Fields that are not read may be anything. */
const mem0Memory = z.object({
  ...{ id: z.string().min(1), memory: z.string(), created_at: text, updated_at: text },
  ...{ user_id: text, agent_id: text, app_id: text, run_id: text },
  categories: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** An edge, or a fact of the earlier interface, where `fact` was its title in the end. */
const zepFact = z.object({
  ...{ uuid: z.string().min(1), fact: text, content: text, name: text },
  ...{ created_at: text, valid_at: text, invalid_at: text, expired_at: text },
  attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** Tells the service from the beginning of a text; undefined where none of them wrote it. */
export function memoryServiceOf(start: string): MemoryService | undefined {
  if (!/^\uFEFF?\s*[[{]/.test(start)) return undefined;
  if (/"memory"\s*:\s*"/.test(start) && /"id"\s*:\s*"/.test(start)) return "mem0";
  return /"fact"\s*:\s*"/.test(start) && /"uuid"\s*:\s*"/.test(start) ? "zep" : undefined;
}

/** Where the list is, if the text is not the list itself. */
const LISTS: Readonly<Record<MemoryService, readonly string[]>> = {
  mem0: ["results", "memories"],
  zep: ["edges", "facts"],
};

/**
 * Returns a draft per memory. Its key is the service's own id: one that changed there gets a new version here.
 *
 * @throws {CambiumError} BAD_INPUT when the text is not JSON, or holds no memory of this service
 */
export function readMemoryService(written: string, service: MemoryService, name: string): ImportReading {
  const entries = listIn(written, service, name);
  const skipped: { where: string; reason: string }[] = [];
  const leftOut = new Map<string, number>();
  const drafts = entries.flatMap((entry, position): readonly ImportDraft[] => {
    const read = service === "mem0" ? mem0Draft(entry, name, leftOut) : zepDraft(entry, name, leftOut);
    const problem = typeof read === "string" ? read : contentProblem(read.content);
    if (problem === undefined && typeof read !== "string") return [read];
    skipped.push({ where: `memory number ${position + 1}`, reason: problem ?? "" });
    return [];
  });
  for (const [field, count] of leftOut)
    skipped.push({ where: name, reason: `"${field}" of ${count} is not imported.` });
  if (drafts.length === 0 && entries.length > 0)
    throw new CambiumError("BAD_INPUT", `"${name}" holds no memory as ${NAMES[service]} gives them.`, {
      hint: HINTS[service],
      details: { skipped: skipped.slice(0, 20) },
    });
  return { drafts, skipped };
}

const NAMES: Readonly<Record<MemoryService, string>> = { mem0: "mem0", zep: "Zep" };
const HINTS: Readonly<Record<MemoryService, string>> = {
  mem0: "Save what `get_all` of mem0 answers, as JSON.",
  zep: "Save the edges of the graph that Zep answers with, as JSON.",
};

function mem0Draft(entry: unknown, name: string, leftOut: Map<string, number>): ImportDraft | string {
  const parsed = mem0Memory.safeParse(entry);
  if (!parsed.success) return unlike(parsed.error);
  const { id, memory, created_at, categories, metadata, user_id, agent_id, app_id, run_id } = parsed.data;
  count(leftOut, "metadata", metadata);
  const tags = [...new Set((categories ?? []).map((one) => one.trim()).filter((one) => one !== ""))];
  const of = { user: filled(user_id), agent: filled(agent_id), app: filled(app_id), run: filled(run_id) };
  return {
    ...{ sourceKey: toSourceKey("mem0", id), content: memory.trim(), kind: "fact" },
    ...omitUndefined({ occurredAt: timeOf(created_at), tags: tags.length === 0 ? undefined : tags }),
    source: { kind: "import", format: "mem0", name, key: id, ...omitUndefined(of) },
  };
}

function zepDraft(entry: unknown, name: string, leftOut: Map<string, number>): ImportDraft | string {
  const parsed = zepFact.safeParse(entry);
  if (!parsed.success) return unlike(parsed.error);
  const { uuid, fact, content, name: relation, created_at, attributes } = parsed.data;
  const { valid_at, invalid_at, expired_at } = parsed.data;
  const words = filled(content) ?? filled(fact);
  if (words === undefined) return "It is not a fact of this service (fact).";
  count(leftOut, "attributes", attributes);
  const times = {
    occurredAt: timeOf(created_at),
    validFrom: timeOf(valid_at),
    // What was superseded without a date was true until then, as far as anybody knows.
    validUntil: timeOf(invalid_at) ?? timeOf(expired_at),
  };
  return {
    ...{ sourceKey: toSourceKey("zep", uuid), content: words.trim(), kind: "fact" },
    ...omitUndefined(times),
    source: {
      kind: "import",
      format: "zep",
      name,
      key: uuid,
      ...omitUndefined({ relation: filled(relation) }),
    },
  };
}

function count(leftOut: Map<string, number>, field: string, value: object | null | undefined): void {
  if (value != null && Object.keys(value).length > 0) leftOut.set(field, (leftOut.get(field) ?? 0) + 1);
}

const filled = (value: string | null | undefined): string | undefined =>
  value == null || value.trim() === "" ? undefined : value;

function timeOf(value: string | null | undefined): number | undefined {
  const at = value == null ? Number.NaN : Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

function unlike(error: z.ZodError): string {
  const where = error.issues[0]?.path.map(String).join(".") ?? "";
  return `It is not a memory of this service${where === "" ? "" : ` (${where})`}.`;
}

function listIn(written: string, service: MemoryService, name: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(written.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `"${name}" is not whole JSON: was the file cut off?`, { cause });
  }
  if (Array.isArray(parsed)) return parsed;
  const lists = LISTS[service].map((key) => (parsed as Readonly<Record<string, unknown>> | null)?.[key]);
  return lists.find((list) => Array.isArray(list)) ?? [parsed];
}
