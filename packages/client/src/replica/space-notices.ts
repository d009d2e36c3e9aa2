/**
 * Things a person should know about a space, as sentences.
 *
 * @module
 */
import { type Catalog, MERGE_VERSION, mergeVersionOf } from "@cambium/core";
import { counted, shellWord } from "@cambium/core/text";
import type { SpaceStatus, Withheld } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Restored } from "../documents/identity.js";
import type { SetAside, SetAsideChange } from "../documents/set-aside.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { type KeptOutSources, keptOutNotices, keptOutOf } from "../space/kept-out.js";
import { absentBranches } from "../space/missing-records.js";
import type { SpaceServices } from "../space/space-services.js";

export interface NoticeSources
  extends KeptOutSources,
    Pick<SpaceServices, "store" | "catalog" | "directory" | "views"> {
  readonly setAside: SetAside;
}

/** Doubled names, merges by newer rules, entries and changes that do not count, and damage. */
export async function noticesOf(sources: NoticeSources): Promise<readonly string[]> {
  const { store, catalog, directory, setAside } = sources;
  await setAside.read();
  const branches = await directory.all();
  const doubled = branches.flatMap(({ name, notice }) =>
    notice === undefined ? [] : [`${name}: ${notice}`],
  );
  const ignored = catalog.current.ignored.map(
    ({ key, reason }) => `Ignored in the catalog: ${key}. ${reason}`,
  );
  const damaged = store
    .quarantined()
    .map(({ key, reason }) => `The stored chunk ${key.join("/")} is ${reason}; it was set aside.`);
  const keptOut = keptOutNotices(await keptOutOf(sources));
  const absent = (await absentBranches(sources)).map(absenceNotice);
  const { failure } = store;
  const failed = failure === undefined ? [] : [failure.message];
  return [
    ...failed,
    ...doubled,
    ...absent,
    ...newerMerge(catalog),
    ...ignored,
    ...keptOut,
    ...damaged,
    ...setAsideNotices(setAside.all()),
  ];
}

/** What nobody here can know: which writes there were after the copy was made. */
export function restoredNotice(restored: Restored | undefined): readonly string[] {
  if (restored === undefined) return [];
  const { writingSince } = restored;
  const since =
    writingSince === undefined
      ? ""
      : `, in which the last session of writing began at ${new Date(writingSince).toISOString()}`;
  return [
    `This home was restored from an earlier copy${since}: what was written on this device after the copy was made may be missing. \`cambium sync\` brings back what the relay has of it; \`cambium verify --accept-loss\` ends this notice.`,
  ];
}

/** What is left to do, the documents say; that it was begun, this device knows. */
export function rekeyingNotice({ isRekeying, name }: SpaceConfig): readonly string[] {
  if (isRekeying !== true) return [];
  const command = `cambium rekey --space ${shellWord(name)}`;
  return [
    `Sealing what was written under earlier keys anew was begun, and some of it is still under them. A running daemon goes on with it by itself; or run \`${command}\`.`,
  ];
}

/** By the names that devices have. */
export const withheldNotices = (withheld: readonly Withheld[], { replicas }: Catalog): readonly string[] =>
  withheld.map(({ by, changes, since }) => {
    const count = counted(changes, "change");
    const when = new Date(since).toISOString();
    if (by === null) return `The relay names ${count} that it does not give this device (since ${when}).`;
    const who =
      by === "invitation"
        ? "Whoever invited this device had"
        : `${replicas.get(by)?.value.name ?? `The device ${by.slice(-4)}`} has`;
    return (
      `${who} seen ${count} that this relay has not given this device (since ${when}). ` +
      "The relay lost them or holds them back. A device that has them sends them again when it syncs; " +
      "if nobody has them any more, `cambium verify --accept-loss` ends this notice."
    );
  });

function newerMerge({ current }: CatalogKeeper): readonly string[] {
  const version = mergeVersionOf(current);
  if (version <= MERGE_VERSION) return [];
  return [
    `This space is merged by version ${version} of the rules, and this Cambium knows version ${MERGE_VERSION}: ` +
      "update it, or it may show other merges than newer devices do.",
  ];
}

const absenceNotice = ({ name, madeBy }: SpaceStatus["branchesNotHere"][number]): string =>
  madeBy === undefined
    ? `What ${name} holds is not known here: this device has joined the space and has not synced since.`
    : `The branch ${name}, made on ${madeBy}, has not arrived: nothing can be read from it yet.`;

/** One for each document: a relay may offer any number. */
function setAsideNotices(changes: readonly SetAsideChange[]): readonly string[] {
  const byDocument = Map.groupBy(changes, ({ document }) => document);
  return [...byDocument].map(([document, [first, ...others]]) => {
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return `Set aside, because the document ${document} could not be loaded with it: change ${first?.hash}${more}. ${first?.reason}`;
  });
}
