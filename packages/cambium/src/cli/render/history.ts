/**
 * Every version of one memory for people, oldest first, each with what it changed.
 *
 * @module
 */

import type { HistoryVersion } from "@cambium/client";
import type { Version } from "@cambium/core";
import { STATE_FIELDS, type StateField, WRITABLE_FIELDS } from "@cambium/core/state-fields";
import { oneLine, printable, shortHash, sourceInShort } from "@cambium/core/text";
import { byAndWhen } from "./author.js";
import { inShort } from "./comparison.js";
import { fieldChange, fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";

export function historyText(versions: readonly HistoryVersion[], style: Style): string {
  const versionByRecord = new Map<string, Version>(versions.map((version) => [version.record, version]));
  return versions
    .map((version, index) => {
      const parents = version.parents.flatMap((record) => versionByRecord.get(record) ?? []);
      return [
        headline(version, versions[index - 1], style),
        ...(version.parents.length === 0 ? [] : inShort(version.change, style)),
        ...body(version, parents[0], style),
        ...sourceOf(version, versions[index - 1], style),
        ...(version.reason === undefined ? [] : [labelled("reason", printable(version.reason), style)]),
      ].join("\n");
    })
    .join("\n\n");
}

/** Of a version without one, where the one before it had one. */
function sourceOf({ source }: Version, before: Version | undefined, style: Style): readonly string[] {
  if (source === undefined && before?.source === undefined) return [];
  return [labelled("source", source === undefined ? "none" : oneLine(sourceInShort(source)), style)];
}

/** Says what a version follows where that is not the one above it: there the history forks or joins. */
function headline(version: Version, above: Version | undefined, style: Style): string {
  const { colors } = style;
  const followsAbove = version.parents.length === 1 && version.parents[0] === above?.record;
  const follows =
    followsAbove || version.parents.length === 0
      ? ""
      : colors.dim(` follows ${version.parents.map(shortHash).join(" and ")}`);
  const name = `${colors.bold(`v${version.version}`)} ${colors.yellow(shortHash(version.record))}`;
  return `${name} ${version.type}${follows}  ${byAndWhen(version.by, version.at, style)}`;
}

function body(version: Version, parent: Version | undefined, style: Style): readonly string[] {
  if (parent === undefined) return firstVersion(version, style);
  const changes = STATE_FIELDS.filter((field) => !sameText(field, parent, version)).map((field) =>
    fieldChange(field, parent[field], version[field], style),
  );
  return changes.length > 0 ? changes : [`  ${style.colors.dim("the same values, set again")}`];
}

function firstVersion(version: Version, style: Style): readonly string[] {
  return WRITABLE_FIELDS.map((field) => [field, fieldText(field, version[field])] as const)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => labelled(field, text, style));
}

const sameText = (field: StateField, a: Version, b: Version): boolean =>
  fieldText(field, a[field]) === fieldText(field, b[field]);
