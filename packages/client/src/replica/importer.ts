/**
 * Importing: what a foreign source says becomes memories whose ids follow from the source, so that
 * importing the same thing twice, on any device, adds nothing.
 *
 * @module
 */
import {
  CambiumError,
  decidesField,
  differingFields,
  EMPTY_SETS,
  importedMemoryId,
  type MemoryFields,
  type MemoryId,
  type MemoryReading,
  type OperationId,
  type PlannedWrite,
  parseFields,
  planCreate,
  planReturnByImport,
  planRevise,
  type RecordLoader,
  type RecordType,
  type Reference,
  readMemory,
  STATE_FIELDS,
  type StateField,
  throwIfAborted,
  type WriteContext,
} from "@cambium/core";
import type { ImportOptions, ImportResult } from "../api.js";
import type { ActionPreview } from "../governance/policy-check.js";
import { draftFields } from "../import/import-draft.js";
import { readImportSource } from "../import/read-import-source.js";
import type { BranchView } from "../space/branch-views.js";
import type { PlanReader, Writer } from "../space/writer.js";

/** Written as one change each, so that a large import can be stopped between them. */
const BATCH_SIZE = 256;

export interface ImportRequest {
  readonly path: string;
  readonly view: BranchView;
  readonly writer: Writer;
  readonly importKey: Uint8Array;
  readonly load: RecordLoader;
  readonly context: () => WriteContext;
  /** What its changes are parts of. */
  readonly operation: OperationId;
  /** Makes the checkpoint before it. @returns its name */
  readonly checkpoint: () => Promise<string | undefined>;
  readonly options: ImportOptions;
}

/** What an import of this source would bring, without writing it. */
export async function previewImport(
  { path, importKey }: Pick<ImportRequest, "path" | "importKey">,
  options: ImportOptions,
): Promise<ActionPreview> {
  if (path === "-")
    throw new CambiumError("BAD_INPUT", "What comes from standard input cannot be read again.");
  const { drafts } = await readImportSource(
    path,
    options.format === undefined ? {} : { format: options.format },
  );
  const ids = drafts.map(({ sourceKey }) => importedMemoryId(importKey, sourceKey));
  return { counts: { read: drafts.length }, ids, plan: drafts };
}

type Outcome = "created" | "changed" | "broughtBack" | "unchanged";

export async function importInto(request: ImportRequest): Promise<ImportResult> {
  const { path, view, writer, importKey, context, operation, options } = request;
  const { signal, format, preview = false } = options;
  const reading = await readImportSource(path, {
    ...(signal === undefined ? {} : { signal }),
    ...(format === undefined ? {} : { format }),
  });
  const ids = new Map(
    reading.drafts.map(({ sourceKey }) => [sourceKey, importedMemoryId(importKey, sourceKey)]),
  );
  const idOf = (keyOrUrl: string): string => ids.get(keyOrUrl) ?? keyOrUrl;
  const skipped = [...reading.skipped];
  const counts: Record<Outcome, number> = { created: 0, changed: 0, broughtBack: 0, unchanged: 0 };
  const written: MemoryId[] = [];
  const checkpoint = once(request.checkpoint);
  let before: string | undefined;
  let changes = 0;
  for (let start = 0; start < reading.drafts.length; start += BATCH_SIZE) {
    throwIfAborted(options.signal);
    const batch = reading.drafts.slice(start, start + BATCH_SIZE);
    let outcomes: { readonly id: MemoryId; readonly outcome: Outcome; readonly open?: string }[] = [];
    const plan = async (read: PlanReader): Promise<{ readonly writes: readonly PlannedWrite[] }> => {
      outcomes = [];
      const writes: PlannedWrite[] = [];
      for (const draft of batch) {
        const id = ids.get(draft.sourceKey) as MemoryId;
        // Another device may have imported it, and its records may be late: they are carried along.
        const found = { reading: await read(id), carried: view.referencesOf(id) };
        const planned = planImport(id, draftFields(draft, idOf), found, context());
        outcomes.push({
          id,
          outcome: planned.outcome,
          ...(planned.open === undefined ? {} : { open: planned.open }),
        });
        if (planned.write !== undefined) writes.push(planned.write);
      }
      if (writes.length > 0 && !preview) before = await checkpoint(); // one before the whole of it
      return { writes };
    };
    if (preview) await plan((id) => readMemory(view.stateOf(id), id, request.load));
    else if (
      (await writer.write({ view, type: "import", checkpoint: "none", operation, plan })) !== undefined
    )
      changes += 1;
    for (const { id, outcome, open } of outcomes) {
      counts[outcome] += 1;
      if (outcome !== "unchanged") written.push(id);
      if (open !== undefined) skipped.push({ where: id, reason: open });
    }
    options.onProgress?.({
      stage: "import",
      done: Math.min(start + BATCH_SIZE, reading.drafts.length),
      total: reading.drafts.length,
    });
  }
  return {
    ...{ format: reading.format, ...counts, memories: written, skipped },
    ...(preview ? { preview } : {}),
    ...(changes === 0 ? {} : { operation, changes }),
    ...(before === undefined ? {} : { checkpoint: before }),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface PlannedImport {
  readonly outcome: Outcome;
  readonly write?: PlannedWrite;
  /** Why a change of the source was not taken over. */
  readonly open?: string;
}

/**
 * Only what differs from the last import is written, and what an undo or a rollback took of it: what people changed
 * since stays theirs, and what they forgot stays forgotten.
 */
function planImport(
  id: MemoryId,
  input: Record<string, unknown>,
  {
    reading,
    carried,
  }: { readonly reading: MemoryReading | undefined; readonly carried: readonly Reference[] },
  context: WriteContext,
): PlannedImport {
  if (reading === undefined) {
    return { outcome: "created", write: planCreate(id, input, context, { type: "import", carried }) };
  }
  const last = lastImported(reading);
  if (last === undefined) return { outcome: "unchanged" };
  const current = reading.resolved.fields;
  const isHidden = current.deleted;
  if (isHidden && !isReverted(reading, last, "deleted")) return { outcome: "unchanged" };
  const { content, deleted } = last;
  const wanted = { ...EMPTY_SETS, content, deleted, ...parseFields(input).fields } as MemoryFields;
  const differing = differingFields(current, wanted).filter((field) => isReverted(reading, last, field));
  const changed = new Set([...differingFields(last, wanted), ...differing]);
  changed.delete("deleted");
  if (changed.size === 0 && !isHidden) return { outcome: "unchanged" };
  const revision = Object.fromEntries([...changed].map((field) => [field, wanted[field] ?? null]));
  const sourced = { ...revision, source: input.source };
  try {
    return isHidden
      ? { outcome: "broughtBack", write: planReturnByImport(reading, sourced, context) }
      : { outcome: "changed", write: planRevise(reading, sourced, context, "import") };
  } catch (error) {
    if (error instanceof CambiumError && error.code === "CONFLICT_OPEN")
      return { outcome: "unchanged", open: error.message };
    throw error;
  }
}

/** What imports have written, each field by the last one that did: what a record says besides may be somebody's own. */
function lastImported({ records }: MemoryReading): MemoryFields | undefined {
  const imports = [...records.values()].filter(({ type }) => type === "import").sort((a, b) => a.at - b.at);
  const [first, ...later] = imports;
  if (first === undefined) return undefined;
  const fields: Record<string, unknown> = { ...first.fields };
  for (const record of later)
    for (const field of STATE_FIELDS) if (decidesField(record, field)) fields[field] = record.fields[field];
  return fields as unknown as MemoryFields;
}

const REVERTS: ReadonlySet<string> = new Set<RecordType>(["undo", "rollback"]);

/** Whether the field is as it is because somebody went back from what the import had written. */
function isReverted({ records, resolved }: MemoryReading, last: MemoryFields, field: StateField): boolean {
  const deciders = resolved.decidedBy[field].map((hash) => records.get(hash));
  return (
    deciders.length > 0 &&
    deciders.every(
      (decider) =>
        decider !== undefined &&
        REVERTS.has(decider.type) &&
        decider.parents.some((parent) => {
          const before = records.get(parent)?.fields;
          return before !== undefined && !differingFields(before, last).includes(field);
        }),
    )
  );
}
