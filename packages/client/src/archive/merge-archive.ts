/**
 * Taking an archive into the space that it is of, which has gone on: the histories are united, and each branch that got
 * something new says so in one change, which undo takes back.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type BranchId,
  type ChangeHash,
  compareText,
  type DocumentId,
  differingFields,
  documentIdToHex,
  effectiveTimes,
  History,
  type Memory,
  type MemoryId,
  memoriesWritten,
  memoryOf,
  openRecord,
  type RecordLoader,
  readMemory,
  throwIfAborted,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { BroughtBranch, ErasedSince } from "../api/archive.js";
import * as A from "../documents/automerge.js";
import { lineageOf } from "../documents/lineage.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { writePrivateFile } from "../platform/private-files.js";
import type { BranchView } from "../space/branch-views.js";
import type { SpaceServices } from "../space/space-services.js";
import type { ArchiveLink, ReadingChain } from "./contents.js";
import { type ErasedInArchiveServices, erasedInArchive } from "./erased-in-archive.js";
import { auditFileOfPart } from "./manifest.js";
import { type Brought, broughtBy, type NewChanges } from "./new-changes.js";

export interface MergeServices
  extends Pick<
      SpaceServices,
      "documents" | "catalog" | "packs" | "codec" | "directory" | "views" | "now" | "replica"
    >,
    ErasedInArchiveServices {
  /** Where the space keeps its files. */
  readonly dir: string;
  /** Gives a document changes that came in another way than from the relay: those that count. */
  readonly takeIn: (document: DocumentId, changes: readonly Uint8Array[]) => Promise<void>;
  /** What came of a document that was retired: what is not erased is carried into another. */
  readonly carry: (document: DocumentId, changes: readonly Uint8Array[]) => Promise<void>;
}

interface BranchChanges extends NewChanges {
  readonly branch: BranchId;
  readonly name: string;
  readonly isHere: boolean;
}

/**
 * What the archive brings to each branch, and brings it, unless only a preview is wanted. On disk when it resolves.
 *
 * @param links - oldest first, checked
 */
export async function mergeArchive(
  services: MergeServices,
  links: readonly ArchiveLink[],
  { reading, preview }: { readonly reading: ReadingChain; readonly preview: boolean },
): Promise<MergedArchive> {
  await services.documents.flush();
  const brought = await broughtBy(links, reading, services);
  const previewed = await previewMerge(services, brought, reading.signal);
  const erasedSince = await erasedInArchive(services, brought);
  const changes = preview ? undefined : await applyMerge(services, brought);
  const branches = previewed.map(({ document, ...branch }) => ({
    ...branch,
    ...omitUndefined({ change: changes?.get(document) }),
  }));
  return { branches, erasedSince };
}

export interface MergedArchive {
  readonly branches: readonly BroughtBranch[];
  /** What is left out. */
  readonly erasedSince: ErasedSince;
}

type Previewed = BroughtBranch & { readonly document: DocumentId };

async function previewMerge(
  services: MergeServices,
  brought: Brought,
  signal: AbortSignal | undefined,
): Promise<readonly Previewed[]> {
  const found: Previewed[] = [];
  for (const branch of await branchesOf(services, brought)) {
    throwIfAborted(signal);
    found.push(await previewOf(services, brought, branch));
  }
  return found;
}

async function branchesOf(
  services: MergeServices,
  { documents, names }: Brought,
): Promise<readonly BranchChanges[]> {
  const { directory, views } = services;
  const known = new Map((await directory.all()).map(({ id, name }) => [views.documentOf(id), { id, name }]));
  return documents.flatMap((one) => {
    if (!one.isBranch || one.changes.length === 0) return [];
    const { id, name } = known.get(one.document) ?? {};
    const branch = id ?? (documentIdToHex(one.document) as BranchId);
    const isHere = id !== undefined && services.documents.isHere(one.document);
    return [{ ...one, branch, name: name ?? names.get(branch) ?? branch.slice(0, 8), isHere }];
  });
}

async function previewOf(
  services: MergeServices,
  brought: Brought,
  { branch, name, isHere, changes, document }: BranchChanges,
): Promise<Previewed> {
  const { codec, catalog, views, packs } = services;
  const fresh = changes.map((bytes) => A.readChange("branch", codec.keys.codes, bytes));
  const history = new History();
  const view = isHere ? await views.look(branch) : undefined;
  if (view !== undefined) history.add(view.whole().history.changes);
  history.add(fresh);
  const after = { history, times: effectiveTimes(history, lineageOf(catalog.current, branch)) };
  const load = loaderOf(services, brought);
  const counts = { created: [] as Memory[], changed: [] as Memory[], deleted: [] as Memory[] };
  let conflicts = 0;
  for (const id of memoriesWritten(fresh)) {
    const was = view && (await memoryIn(view, id, packs.read.bind(packs)));
    const reading = await readMemory(after, id, load);
    const is = reading && memoryOf(reading);
    if (is === undefined) continue;
    const isContested = is.conflicts.length > (was?.conflicts.length ?? 0);
    if (isContested) conflicts += 1;
    if (was === undefined) (is.deleted ? counts.deleted : counts.created).push(is);
    else if (is.deleted && !was.deleted) counts.deleted.push(was);
    else if (isContested || differingFields(was, is).length > 0) counts.changed.push(is);
  }
  return {
    ...{ document, branch: name, isNew: !isHere, changes: changes.length, conflicts },
    ...{ created: listed(counts.created), changed: listed(counts.changed), deleted: listed(counts.deleted) },
  };
}

async function memoryIn(view: BranchView, id: MemoryId, load: RecordLoader): Promise<Memory | undefined> {
  const reading = await readMemory(view.stateOf(id), id, load);
  return reading && memoryOf(reading);
}

const listed = (memories: readonly Memory[]) =>
  memories.map(({ id, content }) => ({ id, content })).toSorted((a, b) => compareText(a.id, b.id));

/** Records of the space, and those that the archive brings. */
function loaderOf({ packs, codec }: MergeServices, { content }: Brought): RecordLoader {
  const source = {
    header: (_pack: unknown, hash: string) => content.headers[hash],
    part: async (pack: Parameters<typeof packs.part>[0], hash: Parameters<typeof packs.part>[1]) =>
      content.parts[hash] ?? (await packs.part(pack, hash)),
    erasedExtent: packs.erasedExtent.bind(packs),
  };
  return async (reference, memory) => {
    const here = await packs.read(reference, memory);
    return here.status === "missing" ? await openRecord(codec, source, reference, memory) : here;
  };
}

/** On disk when it resolves. @returns for each branch that got something the change that says so */
async function applyMerge(
  services: MergeServices,
  brought: Brought,
): Promise<ReadonlyMap<DocumentId, ChangeHash>> {
  const { documents, catalog } = services;
  const [first, ...others] = [
    ...brought.documents.filter(({ document }) => document === catalog.document),
    ...brought.documents.filter(({ document, isBranch }) => document !== catalog.document && !isBranch),
    ...brought.documents.filter(({ isBranch }) => isBranch),
  ];
  for (const one of first === undefined ? [] : [first, ...others]) {
    if (one.changes.length === 0) continue;
    if (catalog.isRetired(one.document)) await services.carry(one.document, one.changes);
    else await services.takeIn(one.document, one.changes);
    if (one.document === catalog.document) await catalog.refresh();
  }
  await documents.flush();
  const merges = new Map<DocumentId, ChangeHash>();
  for (const { branch, document, before, heads, isHere, changes } of await branchesOf(services, brought)) {
    if (!isHere || before.length === 0) continue;
    const written = memoriesWritten(
      changes.map((bytes) => A.readChange("branch", services.codec.keys.codes, bytes)),
    );
    const statement = {
      ...({ type: "merge", memories: written.length, from: branch } as const),
      ...{ heads: heads as readonly ChangeHash[], before: before as readonly ChangeHash[] },
    };
    merges.set(document, documents.change({ document, statement, writes: [], time: services.now() }));
  }
  for (const part of brought.audit) keepAudit(part, services);
  await documents.flush();
  return merges;
}

/** A log that is here goes on here: only those of others are added, and what is there stays. */
function keepAudit({ name, bytes }: Brought["audit"][number], { dir, replica: own }: MergeServices): void {
  const [replica, file] = auditFileOfPart(name) ?? [];
  if (replica === undefined || file === undefined || replica === own()) return;
  const folder = join(dir, "audit", replica);
  const plain = join(folder, file.replace(/\.gz$/, ""));
  if (existsSync(plain) || existsSync(`${plain}.gz`)) return;
  makePrivateDirectory(folder);
  writePrivateFile(join(folder, file), bytes);
}
