/**
 * Every version of one memory for people, oldest first, each with what it changed.
 *
 * @module
 */

import type { HistoryVersion } from "@cambium/client";
import type { Version } from "@cambium/core";
import { STATE_FIELDS, type StateField, WRITABLE_FIELDS } from "@cambium/core/state-fields";
import { oneLine, printable, shortHash, shownContent, sourceInShort } from "@cambium/core/text";
import { byAndWhen } from "./author.js";
import { inShort } from "./comparison.js";
import { fieldChange, fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { wordsApart } from "./word-diff.js";

export function historyText(versions: readonly HistoryVersion[], style: Style): string {
  const versionByRecord = new Map<string, Version>(versions.map((version) => [version.record, version]));
  return versions
    .map((version, index) => {
      const parents = version.parents.flatMap((record) => versionByRecord.get(record) ?? []);
      return [
        headline(version, versions[index - 1], style),
        ...(version.erased !== undefined ||
        version.parents.length === 0 ||
        (parents.length > 1 && version.change.summaryBy === "rules")
          ? []
          : inShort(version.change, style)),
        ...(parents.length > 1 ? joinedText(version, parents, style) : body(version, parents[0], style)),
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
  const { colors } = style;
  if (version.erased === "pruned") return [`  ${colors.dim(shownContent(version))}`];
  if (version.erased !== undefined) return [`  ${colors.red(shownContent(version))}`];
  if (parent === undefined) return firstVersion(version, style);
  // That nothing differs, the sentence above has said.
  return STATE_FIELDS.filter((field) => !sameText(field, parent, version)).map((field) =>
    fieldChange(field, parent[field], version[field], style),
  );
}

/** What joins several versions: of each field that they tell apart, the value that stays and those that go. */
function joinedText(version: Version, parents: readonly Version[], style: Style): readonly string[] {
  const lines = STATE_FIELDS.flatMap((field) => {
    const others = parents.filter((parent) => !sameText(field, parent, version));
    if (others.length === 0) return [];
    const [first = version] = others;
    const words =
      field === "content" && others.length === 1 ? wordsApart(version.content, first.content) : undefined;
    const kept = words?.[0] ?? fieldText(field, version[field]);
    const values = words ? [words[1]] : others.map((other) => fieldText(field, other[field]));
    const gone = [...new Set(values)].filter((text) => text !== "").join(" and ");
    return [labelled(field, `kept ${kept || "nothing"}${gone && `, gave up ${gone}`}`, style)];
  });
  return lines.length > 0 ? lines : [`  ${style.colors.dim("both sides together")}`];
}

function firstVersion(version: Version, style: Style): readonly string[] {
  return WRITABLE_FIELDS.map((field) => [field, fieldText(field, version[field])] as const)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => labelled(field, text, style));
}

const sameText = (field: StateField, a: Version, b: Version): boolean =>
  fieldText(field, a[field]) === fieldText(field, b[field]);
