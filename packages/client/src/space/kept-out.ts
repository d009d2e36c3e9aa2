/**
 * What was put into the documents of a space and counts for nothing: changes that no member made, and changes that were
 * made in another document. People should know of them, since somebody between the devices put them there.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import { counted } from "@cambium/core/text";
import type { KeptOut } from "../api.js";
import type { HeldChanges } from "../documents/held-changes.js";
import type { SpaceServices } from "./space-services.js";

export interface KeptOutSources extends Pick<SpaceServices, "catalog" | "directory" | "views"> {
  readonly held: HeldChanges;
}

export async function keptOutOf({
  catalog,
  directory,
  views,
  held,
}: KeptOutSources): Promise<readonly KeptOut[]> {
  await held.read();
  const inDocuments = views.foreignChanges();
  const counts = new Map<DocumentId, { unsigned: number; elsewhere: number }>();
  const count = (document: DocumentId, reason: "unsigned" | "elsewhere", more: number): void => {
    const known = counts.get(document) ?? { unsigned: 0, elsewhere: 0 };
    counts.set(document, { ...known, [reason]: known[reason] + more });
  };
  const names = new Map([[catalog.document, "the catalog"]]);
  count(catalog.document, "unsigned", catalog.foreignChanges);
  for (const { id, name } of await directory.all()) {
    const document = views.documentOf(id);
    names.set(document, name);
    count(document, "unsigned", inDocuments.get(id) ?? 0);
  }
  for (const { document, reason, count: more } of held.counts())
    if (reason !== "awaits-key") count(document, reason, more);
  return [...counts].flatMap(([document, found]) =>
    found.unsigned + found.elsewhere === 0
      ? []
      : [{ place: names.get(document) ?? `the document ${document}`, ...found }],
  );
}

/** As sentences. */
export const keptOutNotices = (found: readonly KeptOut[]): readonly string[] =>
  found.flatMap(({ place, unsigned, elsewhere }) => [
    ...(unsigned === 0
      ? []
      : [`In ${place}, ${changes(unsigned)} that no member made: kept out of what is shown.`]),
    ...(elsewhere === 0
      ? []
      : [
          `In ${place}, ${changes(elsewhere)} of another branch that no merge brought there: kept out of what is shown.`,
        ]),
  ]);

const changes = (count: number): string => counted(count, "change");
