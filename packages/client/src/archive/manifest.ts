/**
 * What an archive says of itself: which space it is of, who made it when, what is in it, and the checksum of each part.
 *
 * @module
 */
import { type DocumentId, documentIdToHex, isUuid, type ReplicaId, type SpaceId } from "@cambium/core";
import type { ArchivedBranch } from "../api/archive.js";
import {
  isAbsentOr,
  isNumber,
  isOne,
  isOneOf,
  isText,
  isTextList,
  readShape,
} from "../platform/plain-shape.js";
import { damaged } from "./tar.js";

/** The earlier archive that one builds on. */
export interface ArchiveBase {
  readonly id: string;
  /** Its name, without the folder. */
  readonly file: string;
}

export interface ArchivedDocument {
  readonly id: DocumentId;
  /** Sorted hex. */
  readonly heads: readonly string[];
}

export interface PartSum {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface ArchiveManifest {
  readonly format: "cambium-archive";
  readonly version: 1;
  readonly id: string;
  readonly madeAt: number;
  readonly space: { readonly id: SpaceId; readonly name: string };
  readonly by: { readonly replica: ReplicaId; readonly device: string };
  readonly since?: ArchiveBase | undefined;
  readonly branches: readonly ArchivedBranch[];
  /** Branches of the space that are not in it, where it was made of some. */
  readonly leftOut?: readonly string[] | undefined;
  readonly checkpoints: number;
  /** Ids of all devices that the catalog names. */
  readonly replicas: readonly string[];
  /** Of the space as it was, whether they are in this file or in one that it builds on. */
  readonly documents: readonly ArchivedDocument[];
  /** Stored chunks that could not be read. */
  readonly damaged: number;
  /** In the order of the file, without the manifest and its checksum. */
  readonly parts: readonly PartSum[];
}

/** The last two parts, and the key of the space. */
export const MANIFEST = "manifest.json";
export const MANIFEST_SUM = "manifest.sha256";
export const SPACE = "space.json";
/** What the device that made it keeps although others erased it. */
export const KEPT = { note: "kept/erasures.json", parts: "kept/parts.json" } as const;
/** How a tar of ours begins. */
export const FORMAT = "cambium-archive.txt";

export const partName = (document: DocumentId, number: number): string => `documents/${document}/${number}`;

/** @returns undefined for a part that belongs to no document */
export const documentOfPart = (name: string): DocumentId | undefined =>
  /^documents\/([^/]+)\/\d+$/.exec(name)?.[1] as DocumentId | undefined;

/** @returns what a part of the audit log is called where a space keeps it */
export const auditFileOfPart = (name: string): readonly [replica: string, file: string] | undefined => {
  const [, replica, file] = /^audit\/([0-9a-f-]{36})\/(\d{6}\.jsonl(?:\.gz)?)$/.exec(name) ?? [];
  return replica === undefined || file === undefined ? undefined : [replica, file];
};

/** @throws {CambiumError} ARCHIVE_DAMAGED */
export function parseManifest(text: string): ArchiveManifest {
  const manifest = readShape<ArchiveManifest>(parseJson(text), {
    ...{ format: isOneOf("cambium-archive"), version: isOne, id: isText, madeAt: isNumber },
    space: (space): space is ArchiveManifest["space"] =>
      isNamed("id", "name")(space) && isUuid(String(fieldOf(space, "id"))),
    by: isNamed("replica", "device"),
    since: isAbsentOr(isNamed<ArchiveBase>("id", "file")),
    leftOut: isAbsentOr(isTextList),
    ...{ checkpoints: isNumber, replicas: isTextList, damaged: isNumber },
    branches: isListOf(
      (item): item is ArchivedBranch =>
        isNamed("id", "name")(item) && isAbsentOr(isNumber)(fieldOf(item, "memories")),
    ),
    documents: isListOf(
      (item): item is ArchivedDocument =>
        isNamed("id")(item) && isDocumentId(fieldOf(item, "id")) && isTextList(fieldOf(item, "heads")),
    ),
    parts: isListOf(
      (item): item is PartSum =>
        isNamed("name", "sha256")(item) &&
        isNumber(fieldOf(item, "sizeBytes")) &&
        isPartName(String(fieldOf(item, "name"))),
    ),
  });
  if (manifest === undefined) throw damaged("its manifest cannot be read");
  return manifest;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged("one of its parts is no JSON", cause);
  }
}

const fieldOf = (value: unknown, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];

/** Ids name directories and files here, and whoever made the archive may be a stranger. */
function isDocumentId(id: unknown): boolean {
  try {
    return documentIdToHex(String(id)) !== "";
  } catch {
    return false;
  }
}

/** Names lead to files here, too: there are no others than those that an archive is written with. */
const isPartName = (name: string): boolean =>
  name === FORMAT ||
  name === SPACE ||
  name === KEPT.note ||
  name === KEPT.parts ||
  auditFileOfPart(name) !== undefined ||
  isDocumentId(documentOfPart(name) ?? "");

/** An object with texts under these names. */
const isNamed =
  <Value>(...names: readonly string[]) =>
  (value: unknown): value is Value =>
    typeof value === "object" && value !== null && names.every((name) => isText(fieldOf(value, name)));

const isListOf =
  <Item>(check: (item: unknown) => item is Item) =>
  (value: unknown): value is readonly Item[] =>
    Array.isArray(value) && value.every(check);
