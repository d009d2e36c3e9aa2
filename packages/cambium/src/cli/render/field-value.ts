/**
 * The value of one field for people, and what became of it.
 *
 * @module
 */
import { MEMORY_FIELDS, type StateField } from "@cambium/core/state-fields";
import { printable } from "@cambium/core/text";
import type { Colors, Style } from "./style.js";
import { indent } from "./terminal-text.js";
import { absoluteTime } from "./time.js";
import { addedText, removedText, wordDiff } from "./word-diff.js";

const LABEL_COLUMNS = 12;

/** @returns text that may have several lines; empty when the field has no value */
export function fieldText(field: StateField, value: unknown): string {
  if (value === undefined || value === null) return "";
  switch (MEMORY_FIELDS[field].type) {
    case "time":
      return typeof value === "number" ? absoluteTime(value) : plainText(value);
    case "labels":
      return Array.isArray(value) ? printable(value.join(", ")) : plainText(value);
    case "links":
      return Array.isArray(value) ? value.map(linkText).join(", ") : plainText(value);
    case "git":
      return gitText(value);
    case "flag":
      return value === true ? "forgotten" : "kept";
    default:
      return plainText(value);
  }
}

/** What became of a field, such as `tags  a → a, b`; text is compared by word. */
export function fieldChange(field: StateField, before: unknown, after: unknown, style: Style): string {
  return labelled(field, changeText(field, before, after, style.colors), style);
}

export function changeText(field: StateField, before: unknown, after: unknown, colors: Colors): string {
  const [from, to] = [fieldText(field, before), fieldText(field, after)];
  if (MEMORY_FIELDS[field].type === "text") return wordDiff(from, to, colors);
  if (from === "") return addedText(to, colors);
  if (to === "") return removedText(from, colors);
  return `${removedText(from, colors)} → ${addedText(to, colors)}`;
}

/** A dim name and, beside it, text of any number of lines. */
export function labelled(label: string, text: string, { colors, columns }: Style, spaces = 2): string {
  const width = Math.max(LABEL_COLUMNS, label.length + 2);
  const body = indent(text, spaces + width, columns);
  const head = " ".repeat(spaces) + colors.dim(label.padEnd(width));
  return (head + body.slice(spaces + width)).trimEnd();
}

const plainText = (value: unknown): string =>
  printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function linkText(link: unknown): string {
  const { rel, to } = (link ?? {}) as { rel?: unknown; to?: unknown };
  return printable(`${String(rel)} → ${String(to)}`);
}

function gitText(value: unknown): string {
  const { commit, repository, branch } = (value ?? {}) as Record<string, unknown>;
  return printable([commit, branch, repository].filter((part) => typeof part === "string").join(" · "));
}
