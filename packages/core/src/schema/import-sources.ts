/**
 * From schema 1 to 2: where an imported memory came from. The two importers named their sources apart, one
 * as an import without saying of what, one as a file that an agent might have read as well. Since schema 2 both
 * are imports, and say which reader made them.
 *
 *     { kind: "import", name, heading, key? }  →  { kind: "import", format: "mcp-memory", name, heading, key? }
 *     { kind: "file", name, file, heading? }   →  { kind: "import", format: "markdown", name, file, heading? }
 *
 * @module
 */
import type { Plain } from "./plain.js";

export function adaptImportSource(meta: Plain): Plain {
  const { source } = meta;
  if (typeof source !== "object" || source === null) return meta;
  const format = formatOf(source as Plain);
  return format === undefined ? meta : { ...meta, source: { ...source, kind: "import", format } };
}

function formatOf({ kind, ...others }: Plain): string | undefined {
  const keys = Object.keys(others);
  const isWith = (required: readonly string[], optional: readonly string[]): boolean =>
    required.every((key) => typeof others[key] === "string") &&
    keys.every((key) => required.includes(key) || optional.includes(key));
  if (kind === "import" && isWith(["name", "heading"], ["key"])) return "mcp-memory";
  // What an agent wrote of a file names the file by one of the two, or says more of it, such as a line.
  if (kind === "file" && isWith(["name", "file"], ["heading"])) return "markdown";
  return undefined;
}
