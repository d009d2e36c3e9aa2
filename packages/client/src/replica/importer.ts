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
  type IsConcealed,
  importedMemoryId,
  isCambiumError,
  type MemoryFields,
  type MemoryId,
  type MemoryReading,
  type OperationId,
  type PlannedWrite,
  parseFields,
  planCreate,
  planReturnByImport,
  planRevise,
  type RecordHash,
  type RecordLoader,
  type RecordType,
  readMemory,
  STATE_FIELDS,
  type StateField,
  throwIfAborted,
  type WriteContext,
} from "@cambium/core";
import type { ImportOptions, ImportResult } from "../api.js";
import type { ActionPreview } from "../governance/policy-check.js";
import { type FittedDraft, fittedDrafts } from "../import/fitted-draft.js";
import type { ExportedMemory, ImportReading, SkippedPart } from "../import/import-draft.js";
import type { ImportFolders } from "../import/import-folders.js";
import { readImportSource } from "../import/read-import-source.js";
import type { BranchView } from "../space/branch-views.js";
import type { PlanReader, Writer } from "../space/writer.js";
import { ExportedVersions, type FoundMemory, planEdited } from "./exported-importer.js";

/** Written as one change each, so that a large import can be stopped between them. */
const BATCH_SIZE = 256;

export interface ImportRequest {
  readonly path: string;
  readonly view: BranchView;
  readonly writer: Writer;
  readonly importKey: Uint8Array;
  readonly load: RecordLoader;
  readonly context: () => WriteContext;
  readonly isConcealed: IsConcealed;
  readonly folders: Pick<ImportFolders, "put">;
  /** Whether texts may come in that were erased here. */
  readonly mayBringBack: () => Promise<boolean>;
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
  const reading = await readImportSource(
    path,
    options.format === undefined ? {} : { format: options.format },
  );
  const { drafts, exported = [], edited = [] } = reading;
  const ids = [...idsOf(reading, importKey).values(), ...[...exported, ...edited].map(({ id }) => id)];
  return { counts: { read: ids.length }, ids, plan: [...drafts, ...exported, ...edited] };
}

type Outcome = "created" | "changed" | "broughtBack" | "unchanged";

/** What became of one memory of the source. */
interface ImportedMemory {
  readonly id: MemoryId;
  readonly outcome: Outcome;
  /** Why a change of the source was not taken over. */
  readonly open?: string | undefined;
  /** What of it was left out. */
  readonly note?: string | undefined;
}

export async function importInto(request: ImportRequest): Promise<ImportResult> {
  const { path, operation, options } = request;
  const { signal, format, preview = false } = options;
  const reading = await readImportSource(path, {
    ...(signal === undefined ? {} : { signal }),
    ...(format === undefined ? {} : { format }),
  });
  const run = new ImportRun(request);
  const ids = idsOf(reading, request.importKey);
  const idOf = (keyOrUrl: string): string => ids.get(keyOrUrl) ?? keyOrUrl;
  const { exported = [], edited = [] } = reading;
  const { fitted: drafts, skipped } = fittedDrafts(reading.drafts, idOf);
  const total = drafts.length + exported.length + edited.length;
  const imported: ImportedMemory[] = [];
  const inBatches = async <Item>(
    items: readonly Item[],
    take: (batch: readonly Item[]) => Promise<readonly ImportedMemory[]>,
    idOf: (item: Item) => MemoryId,
  ): Promise<void> => {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      throwIfAborted(signal);
      imported.push(...(await takenApart(items.slice(start, start + BATCH_SIZE), take, idOf)));
      options.onProgress?.({ stage: "import", done: imported.length, total });
    }
  };
  const idOfDraft = ({ sourceKey }: FittedDraft): MemoryId => ids.get(sourceKey) as MemoryId;
  await inBatches(
    drafts,
    (batch) =>
      run.write(
        batch,
        (draft, found, context) => {
          const id = idOfDraft(draft);
          return { id, ...planImport(id, draft.fields, found, context) };
        },
        idOfDraft,
      ),
    idOfDraft,
  );
  const itsId = ({ id }: { readonly id: MemoryId }): MemoryId => id;
  await inBatches(
    edited,
    (batch) =>
      run.write(
        batch,
        (file, found, context) => ({
          id: file.id,
          ...planEdited(file, found, { context, isConcealed: request.isConcealed }),
        }),
        itsId,
      ),
    itsId,
  );
  await inBatches(exported, (batch) => run.writeVersions(batch), itsId);
  const counts: Record<Outcome, number> = { created: 0, changed: 0, broughtBack: 0, unchanged: 0 };
  for (const { outcome, open } of imported) if (open === undefined) counts[outcome] += 1;
  const placed = drafts.map((draft) => ({ id: idOfDraft(draft), where: draft.where }));
  const left = leftOut(imported, [...placed, ...edited, ...exported]);
  if (reading.folder !== undefined && !preview) request.folders.put(reading.folder);
  const { changes, before } = run;
  return {
    ...{ format: reading.format, ...counts, skipped: [...reading.skipped, ...skipped, ...left] },
    memories: imported.filter(({ outcome }) => outcome !== "unchanged").map(({ id }) => id),
    ...(preview ? { preview } : {}),
    ...(changes === 0 ? {} : { operation, changes }),
    ...(before === undefined ? {} : { checkpoint: before }),
  };
}

function leftOut(
  imported: readonly ImportedMemory[],
  placed: readonly { readonly id: MemoryId; readonly where: string }[],
): readonly SkippedPart[] {
  const places = new Map(placed.map(({ id, where }) => [id, where]));
  return imported.flatMap(({ id, open, note }) => {
    const reason = open ?? note;
    return reason === undefined ? [] : [{ where: places.get(id) || id, reason }];
  });
}

/** What is too large for a record, with all that stands beside its text, does not cost the others. */
async function takenApart<Item>(
  batch: readonly Item[],
  take: (batch: readonly Item[]) => Promise<readonly ImportedMemory[]>,
  idOf: (item: Item) => MemoryId,
): Promise<readonly ImportedMemory[]> {
  try {
    return await take(batch);
  } catch (error) {
    if (!isCambiumError(error, "RECORD_TOO_LARGE")) throw error;
    const [first] = batch;
    if (first === undefined) return [];
    if (batch.length === 1) return [{ id: idOf(first), outcome: "unchanged", open: error.message }];
    const middle = Math.ceil(batch.length / 2);
    const before = await takenApart(batch.slice(0, middle), take, idOf);
    return [...before, ...(await takenApart(batch.slice(middle), take, idOf))];
  }
}

const idsOf = ({ drafts }: ImportReading, importKey: Uint8Array): ReadonlyMap<string, MemoryId> =>
  new Map(drafts.map(({ sourceKey }) => [sourceKey, importedMemoryId(importKey, sourceKey)]));

/** What is to be written of one memory, and what becomes of it. */
interface PlannedMemory extends ImportedMemory {
  readonly write?: PlannedWrite | undefined;
}

/** The changes of one import. */
class ImportRun {
  readonly #request: ImportRequest;
  readonly #checkpoint: () => Promise<string | undefined>;
  readonly #mayBringBack: () => Promise<boolean>;
  /** How many were written. */
  changes = 0;
  /** The checkpoint before them. */
  before: string | undefined;

  constructor(request: ImportRequest) {
    this.#request = request;
    this.#checkpoint = once(request.checkpoint);
    this.#mayBringBack = once(request.mayBringBack);
  }

  /** Writes a batch as one change. */
  async write<Item>(
    batch: readonly Item[],
    plan: (item: Item, found: FoundMemory, context: WriteContext) => PlannedMemory,
    idOf: (item: Item) => MemoryId,
  ): Promise<readonly ImportedMemory[]> {
    let planned: PlannedMemory[] = [];
    await this.#change(async (read) => {
      planned = [];
      const context = this.#request.context();
      for (const item of batch) {
        const found = plan(item, await this.#find(idOf(item), read), context);
        const why = await this.#whyErased(found.write);
        planned.push(why === undefined ? found : notTaken(found.id, why));
      }
      return planned.flatMap(({ write }) => write ?? []);
    });
    return planned;
  }

  /** Writes a batch with all versions: the first ones of all as one change, then the second ones, and so on. */
  async writeVersions(batch: readonly ExportedMemory[]): Promise<readonly ImportedMemory[]> {
    const memories = batch.map((memory) => new ExportedVersions(memory));
    let open: readonly ExportedVersions[] = memories;
    const { writer } = this.#request;
    const erased = new Map<MemoryId, string>();
    while (open.length > 0) {
      throwIfAborted(this.#request.options.signal);
      let next: ExportedVersions[] = [];
      const records = await this.#change(async (read) => {
        next = [];
        const writes: PlannedWrite[] = [];
        for (const memory of open) {
          const write = memory.plan(await this.#find(memory.id, read));
          if (write === undefined) continue;
          const why = await this.#whyErased(write);
          if (why !== undefined) {
            erased.set(memory.id, why);
            continue;
          }
          next.push(memory);
          writes.push(write);
        }
        return writes;
      });
      if (records === undefined) break;
      for (const [index, memory] of next.entries()) memory.written(records[index] as RecordHash);
      open = next;
    }
    return memories.map(({ id, outcome, hasErased }) => {
      const isGone = hasErased && writer.isErased({ memory: id });
      const why = erased.get(id) ?? (isGone ? WHOLLY_ERASED : undefined);
      if (why !== undefined) return notTaken(id, why);
      return { id, outcome, note: hasErased ? PARTLY_ERASED : undefined };
    });
  }

  /** @returns why it is not taken in; undefined when it is */
  async #whyErased(write: PlannedWrite | undefined): Promise<string | undefined> {
    const { writer } = this.#request;
    if (write === undefined || !writer.bringsBackErased(write)) return undefined;
    // A memory that was erased as a whole takes nothing more, whoever agrees.
    if (writer.isErased(write)) return WHOLLY_ERASED;
    return (await this.#mayBringBack()) ? undefined : TEXT_ERASED;
  }

  /** Another device may have imported it, and its records may be late: what the branch says of it is carried along. */
  async #find(id: MemoryId, read: PlanReader): Promise<FoundMemory> {
    return { reading: await read(id), references: this.#request.view.referencesOf(id) };
  }

  /** @returns undefined when there was nothing to write, or it is a preview */
  async #change(
    plan: (read: PlanReader) => Promise<readonly PlannedWrite[]>,
  ): Promise<readonly RecordHash[] | undefined> {
    const { view, writer, operation, load, options, context } = this.#request;
    if (options.preview === true) {
      await plan((id) => readMemory(view.stateOf(id), id, load));
      return undefined;
    }
    const written = await writer.writeRecords({
      ...{ view, type: "import", checkpoint: "none", operation },
      plan: async (read) => {
        const writes = await plan(read);
        if (writes.length > 0) this.before = await this.#checkpoint(); // one before the whole of it
        return { writes, at: context().at };
      },
    });
    if (written !== undefined) this.changes += 1;
    return written?.records;
  }
}

/** Erased for good here: an old export does not bring it back. */
const notTaken = (id: MemoryId, open: string): ImportedMemory => ({ id, outcome: "unchanged", open });

const WHOLLY_ERASED = "It was erased for good from this space, and no import brings it back.";
const PARTLY_ERASED = "Of its versions, some were erased for good from this space, and stay so.";
const TEXT_ERASED =
  "Its text was erased for good from this space. To take it in all the same: `cambium policy set import-erased owner allow`.";

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type PlannedImport = Omit<PlannedMemory, "id">;

/**
 * Only what differs from the last import is written, and what an undo or a rollback took of it: what people changed
 * since stays theirs, and what they forgot stays forgotten.
 */
function planImport(
  id: MemoryId,
  input: Record<string, unknown>,
  { reading, references: carried }: FoundMemory,
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
