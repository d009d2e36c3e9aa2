/**
 * What an archive has of each document that the space here lacks. Documents that are here as they are in the archive are
 * neither kept in memory nor looked at.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import * as A from "../documents/automerge.js";
import type { DocumentServices } from "../documents/document-services.js";
import { loadInPieces } from "../documents/in-pieces.js";
import { type PackContent, packContent } from "../documents/pack-content.js";
import { kindOf } from "../documents/without-mirror.js";
import { readArchive } from "./archive-file.js";
import type { ArchiveLink, ReadingChain } from "./contents.js";
import { partsIn } from "./kept-of-device.js";
import { documentOfPart, KEPT } from "./manifest.js";

export interface NewChanges {
  readonly document: DocumentId;
  readonly isBranch: boolean;
  /** Each after what it follows. */
  readonly changes: readonly Uint8Array[];
  /** Of the document here, before. */
  readonly before: readonly string[];
  /** Of the document in the archive. */
  readonly heads: readonly string[];
}

export interface Brought {
  readonly documents: readonly NewChanges[];
  /** The records of packs of which something is new. */
  readonly content: PackContent;
  /** The same, of each document by itself. */
  readonly packs: readonly { readonly document: DocumentId; readonly content: PackContent }[];
  /** What the device that made the archive kept although others erased it. */
  readonly kept: ReturnType<typeof partsIn>;
  /** What branches are called, as the archive has it. */
  readonly names: ReadonlyMap<string, string>;
  /** Audit logs of replicas, as they stand in the archive. */
  readonly audit: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

type Services = Pick<DocumentServices, "documents">;

/** @param links - oldest first, checked */
export async function broughtBy(
  links: readonly ArchiveLink[],
  reading: ReadingChain,
  services: Services,
): Promise<Brought> {
  const { manifest } = links.at(-1) as ArchiveLink;
  await services.documents.prepare();
  const wanted = new Map<DocumentId, Uint8Array[]>();
  for (const { id, heads } of manifest.documents)
    if (!(await hasAll(services, id, heads))) wanted.set(id, []);
  let kept: Brought["kept"] = new Map();
  const audit: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const { path } of links)
    await readArchive(path, reading, (part) => {
      const { name, bytes } = part;
      const document = documentOfPart(name);
      if (document !== undefined) wanted.get(document)?.push(bytes);
      else if (name === KEPT.parts) kept = path === links.at(-1)?.path ? partsIn(part) : kept;
      else if (name.startsWith("audit/")) audit.push({ name, bytes });
    });
  const packs: Brought["packs"][number][] = [];
  const documents: NewChanges[] = [];
  for (const [document, chunks] of wanted) documents.push(await newOf(services, document, chunks, packs));
  const content = {
    headers: Object.assign({}, ...packs.map((pack) => pack.content.headers)),
    parts: Object.assign({}, ...packs.map((pack) => pack.content.parts)),
  };
  const names = new Map(manifest.branches.map(({ id, name }) => [id as string, name]));
  return { documents, content, packs, kept, names, audit };
}

async function hasAll({ documents }: Services, id: DocumentId, heads: readonly string[]): Promise<boolean> {
  if (documents.headsOf(id).join() === heads.join()) return true;
  if (!documents.isHere(id)) return false;
  const loaded = documents.loaded(id);
  if (loaded !== undefined) return A.hasHeads(loaded, heads);
  return (await documents.peek(id, (doc) => A.hasHeads(doc, heads))) === true;
}

async function newOf(
  { documents }: Services,
  document: DocumentId,
  chunks: readonly Uint8Array[],
  packs: Brought["packs"][number][],
): Promise<NewChanges> {
  await documents.open(document);
  const doc = loadInPieces([...chunks]);
  try {
    const kind = kindOf(doc);
    if (kind === "pack") packs.push({ document, content: packContent(A.getBackend(doc)) });
    const before = documents.headsOf(document);
    const all = A.hasHeads(doc, before) ? A.getChangesSince(doc, [...before]) : A.getAllChanges(doc);
    const known = documents.loaded(document);
    const changes = all.filter(
      (bytes) => known === undefined || !A.hasHeads(known, [A.decodeChange(bytes).hash]),
    );
    return { document, isBranch: kind === "branch", changes, before, heads: A.getHeads(doc).toSorted() };
  } finally {
    A.free(doc);
  }
}
