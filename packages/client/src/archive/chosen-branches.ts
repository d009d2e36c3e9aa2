/**
 * An archive of some branches: their documents, and the packs that hold what is needed to read them. A pack is taken as it
 * is, so it may hold versions of other branches as well.
 *
 * @module
 */
import {
  CambiumError,
  type DocumentId,
  documentIdFromHex,
  mainBranchId,
  type PackId,
  type Reference,
} from "@cambium/core";
import type { ArchivedBranch } from "../api/archive.js";
import * as A from "../documents/automerge.js";
import type { DocumentServices } from "../documents/document-services.js";
import { referencesOf } from "./change-references.js";

type Services = Pick<DocumentServices, "codec" | "documents" | "catalog">;

/** @throws {CambiumError} BRANCH_NOT_FOUND, BAD_INPUT */
export function chosenOf(
  all: readonly ArchivedBranch[],
  names: readonly string[] | undefined,
): { readonly branches: readonly ArchivedBranch[]; readonly leftOut: readonly string[] | undefined } {
  if (names === undefined) return { branches: all, leftOut: undefined };
  if (names.length === 0)
    throw new CambiumError("BAD_INPUT", "No branch is named, so nothing is to be archived.");
  const unknown = names.find((name) => !all.some((branch) => isNamed(branch, name)));
  if (unknown !== undefined)
    throw new CambiumError("BRANCH_NOT_FOUND", `There is no branch named "${unknown}".`, {
      hint: `Branches here: ${all.map(({ name }) => name).join(", ")}`,
    });
  const isChosen = (branch: ArchivedBranch): boolean => names.some((name) => isNamed(branch, name));
  const leftOut = all.filter((branch) => !isChosen(branch)).map(({ name }) => name);
  return { branches: all.filter(isChosen), leftOut };
}

const isNamed = ({ id, name }: ArchivedBranch, text: string): boolean => id === text || name === text;

/** Those of the branches themselves, with the catalog before them. */
export function documentsOfBranches(
  { catalog, codec }: Services,
  branches: readonly ArchivedBranch[],
): readonly DocumentId[] {
  const main = mainBranchId(codec.keys.space);
  const entries = catalog.current.branches;
  const documents = branches.flatMap(({ id }) =>
    id === main ? documentIdFromHex(main) : (entries.get(id)?.value.document ?? []),
  );
  return [catalog.document, ...documents];
}

/** Those of the packs that the branches need, as they are now. */
export async function packsOfBranches(
  services: Services,
  branches: readonly ArchivedBranch[],
): Promise<readonly DocumentId[]> {
  const packs = await packsIn(services, branches);
  return [...services.catalog.current.documents].flatMap(([id, { value }]) =>
    value.packs.some((pack) => packs.has(pack)) ? [id as DocumentId] : [],
  );
}

/**
 * Of what the branches have ever listed, the notes of their changes, their names, and what their checkpoints say. A version
 * follows, and shares parts with, versions that its branch has listed: whoever wrote it had them from there.
 */
async function packsIn(
  services: Services,
  branches: readonly ArchivedBranch[],
): Promise<ReadonlySet<PackId>> {
  const { documents, catalog, codec } = services;
  const { branchStates, checkpoints } = catalog.current;
  const ids = new Set<string>(branches.map(({ id }) => id));
  const packs = new Set<PackId>();
  const take = (reference: Reference | undefined): void => {
    if (reference !== undefined) packs.add(reference.pack);
  };
  for (const [id, { value }] of branchStates) if (ids.has(id)) take(value.name);
  for (const { value } of checkpoints.values()) if (ids.has(value.branch)) take(value.text);
  await documents.prepare();
  const [, ...ofBranches] = documentsOfBranches(services, branches);
  for (const document of ofBranches)
    await documents.peek(document, (doc) => {
      for (const bytes of A.getAllChanges(doc)) {
        const change = A.readChange("branch", codec.keys.codes, bytes);
        for (const reference of referencesOf(change)) packs.add(reference.pack);
      }
    });
  return packs;
}
