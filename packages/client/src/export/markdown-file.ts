/**
 * A memory as a Markdown file that people edit and `import` takes back: all of its fields in front matter, each as
 * JSON, which is YAML too; below them its text, as it is.
 *
 * @module
 */
import type { Memory, RecordHash } from "@cambium/core";
import { writtenFields } from "./history-lines.js";

/** The field of the front matter that names the memory, and shows where the file comes from. */
export const MEMORY_KEY = "cambium";
/** The version that was exported, or those that stood side by side; what is edited is a change of them. */
export const VERSION_KEY = "version";

/** Such as `work/2026-03-04-the-standup-is-at-10-0198c5f2.md`. */
export interface MarkdownExport {
  readonly path: string;
  readonly text: string;
}

/** @param versions - those that no other one follows; the memory is what they say together */
export function markdownFile(memory: Memory, versions: readonly RecordHash[]): MarkdownExport {
  const { content: _content, ...fields } = writtenFields(memory);
  const { id, source } = memory;
  const [version, ...beside] = versions;
  const exported = beside.length === 0 ? version : versions;
  const named = { [MEMORY_KEY]: id, [VERSION_KEY]: exported, ...fields, ...(source && { source }) };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return { path: pathOf(memory), text: `---\n${lines.join("\n")}\n---\n${memory.content}\n` };
}

const LONGEST_NAME = 48;
const LONGEST_FOLDER = 80;
/** Of the end of an id: its beginning is the time, which many memories of an import share. */
const ID_LENGTH = 12;

function pathOf({ area, occurredAt, at, content, id }: Memory): string {
  const folders = (area ?? "").split("/").map((part) => slug(part, LONGEST_FOLDER));
  const day = new Date(occurredAt ?? at).toISOString().slice(0, -14);
  const name = [day, slug(content, LONGEST_NAME), id.slice(-ID_LENGTH)]
    .filter((part) => part !== "")
    .join("-");
  return [...folders.filter((folder) => folder !== ""), `${name}.md`].join("/");
}

/** Letters and digits of any script. What a file system does not like is not among them. */
function slug(text: string, longest: number): string {
  const words =
    text
      .slice(0, 4 * longest)
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let joined = "";
  for (const word of words) {
    const longer = joined === "" ? word : `${joined}-${word}`;
    if (longer.length > longest) break;
    joined = longer;
  }
  return joined || (words[0]?.slice(0, longest).toWellFormed().replaceAll("\uFFFD", "") ?? "");
}
