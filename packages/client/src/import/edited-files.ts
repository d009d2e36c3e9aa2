/**
 * Reads the Markdown files of an export (`export/markdown-file.ts`): each is one memory, whatever headings it has.
 *
 * @module
 */
import {
  isCambiumError,
  isUuid,
  type MemoryId,
  parseFields,
  type RecordHash,
  WRITABLE_FIELDS,
  type WritableField,
} from "@cambium/core";
import { MEMORY_KEY, VERSION_KEY } from "../export/markdown-file.js";
import { contentProblem, type EditedMemory, type SkippedPart } from "./import-draft.js";

interface MarkdownFile {
  readonly path: string;
  readonly text: string;
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?(?:\n|$)/;
const FIELD = /^([A-Za-z]+):[ \t]*(.*?)\r?$/;

/** Whether a file is one of an export: it names its memory first. */
export const isExportedFile = (text: string): boolean => text.startsWith(`---\n${MEMORY_KEY}: "`);

export function readExportedFile({ path, text }: MarkdownFile): EditedMemory | SkippedPart {
  const block = FRONT_MATTER.exec(text);
  const read = block === null ? "Its front matter has no end." : readFields(block[1] ?? "");
  if (block === null || typeof read === "string") return { where: path, reason: String(read) };
  const content = text.slice(block[0].length).replace(/\r?\n$/, "");
  const problem = contentProblem(content);
  if (problem !== undefined) return { where: path, reason: problem };
  const { id, versions, fields } = read;
  try {
    parseFields({ ...fields, content });
    return { id, versions, fields: { ...fields, content }, where: path };
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    return { where: path, reason: error.message };
  }
}

/** @returns a sentence where it cannot be read */
function readFields(
  block: string,
): (Omit<EditedMemory, "where" | "fields"> & { readonly fields: object }) | string {
  const values: Record<string, unknown> = {};
  for (const line of block.split("\n")) {
    const [, name, text] = FIELD.exec(line) ?? [];
    const value = text === undefined ? undefined : fieldValueIn(text);
    if (name === undefined || value === undefined)
      return `This line of its front matter cannot be read: ${line}`;
    values[name] = value;
  }
  const { [MEMORY_KEY]: id, [VERSION_KEY]: version, ...fields } = values;
  if (typeof id !== "string" || !isUuid(id)) return "Its front matter names no memory.";
  const versions: readonly unknown[] = Array.isArray(version) ? version : [version];
  if (versions.length === 0 || !versions.every(isRecordHash))
    return "Its front matter does not say which version it is.";
  const unknown = Object.keys(fields).filter((name) => !isField(name));
  if (unknown.length > 0) return `Its front matter has fields that no memory has: ${unknown.join(", ")}.`;
  return { id: id as MemoryId, versions, fields };
}

const isRecordHash = (value: unknown): value is RecordHash =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

const isField = (name: string): boolean =>
  name === "source" || (name !== "content" && WRITABLE_FIELDS.includes(name as WritableField));

/** JSON as it was exported, or plain words, which people write instead. */
function fieldValueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return /^[^"'[\]{}|>&*!%@`]+$/.test(text) ? text.trim() : undefined;
  }
}
