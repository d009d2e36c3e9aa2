/**
 * The versions of a memory as a person reads them: newest first, by day, with what each changed.
 *
 * @module
 */
import type { Answer } from "../../api/client.ts";
import { dayOf } from "../../i18n/dates.ts";

export type Version = Answer<"history">["versions"][number];

export interface ShownVersion {
  readonly version: Version;
  /** The words before; undefined for the first. */
  readonly before: Version | undefined;
  /** Another version has the same number: they were written apart. */
  readonly isApart: boolean;
}

export interface VersionDay {
  readonly day: string;
  readonly versions: readonly ShownVersion[];
}

export function versionDays(versions: readonly Version[]): readonly VersionDay[] {
  const days: { day: string; versions: ShownVersion[] }[] = [];
  for (const version of newestFirst(versions)) {
    const day = dayOf(version.at);
    if (days.at(-1)?.day !== day) days.push({ day, versions: [] });
    days.at(-1)?.versions.push({
      version,
      before: beforeOf(version, versions),
      isApart: versions.some((other) => other !== version && other.version === version.version),
    });
  }
  return days;
}

export const newestFirst = (versions: readonly Version[]): readonly Version[] =>
  versions.toSorted((one, other) => other.version - one.version || other.at - one.at);

const beforeOf = (version: Version, versions: readonly Version[]): Version | undefined =>
  versions.find(({ record }) => version.parents.includes(record));
