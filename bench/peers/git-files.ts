/**
 * How memories stand in a git repository: one Markdown file each, and back out of files, patches and archives.
 *
 * @module
 */
import type { Write } from "./plan.ts";

export const pathOf = (id: string): string => `memories/${id.slice(-2)}/${id}.md`;

export const idOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".md".length);

export const fileOf = ({ content, category, tags }: Write): string =>
  `---\ncategory: ${category}\ntags: [${tags.join(", ")}]\n---\n\n${content}\n`;

/** The text below the front matter, without the line end that closes the file. */
export const contentIn = (file: string): string => file.slice(file.indexOf("\n---\n\n") + 6, -1);

/** One commit for each write, for `git fast-import`. */
export function* commitStream(writes: readonly Write[], branch: string, from?: string): Generator<string> {
  let parent = from;
  for (const write of writes) {
    const { id, type, time } = write;
    const file = fileOf(write);
    yield `commit refs/heads/${branch}\ncommitter bench <bench@example.org> ${Math.floor(time / 1_000)} +0000\n`;
    yield `${data(type)}${parent === undefined ? "" : `from ${parent}\n`}`;
    yield `M 100644 inline ${pathOf(id)}\n${data(file)}`;
    parent = undefined;
  }
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

export interface FilePatch {
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Reads patches that have the whole file as context, as they follow one another. */
export function filePatches(patches: string): readonly FilePatch[] {
  return patches
    .split(/^diff --git /m)
    .slice(1)
    .map((patch) => {
      const lines = patch.split("\n");
      const start = lines.findIndex((line) => line.startsWith("@@"));
      const name = (prefix: string): string =>
        (lines.slice(0, start).find((line) => line.startsWith(prefix)) ?? "").slice(prefix.length);
      const [before, after] = [name("--- "), name("+++ ")];
      const side = (file: string, signs: string): string | null =>
        file === "/dev/null" ? null : contentIn(textOf(lines.slice(start + 1), signs));
      return {
        id: idOf(after === "/dev/null" ? before : after),
        before: side(before, " -"),
        after: side(after, " +"),
      };
    });
}

/** The lines of a hunk that bear one of the signs; what follows the hunk has none. */
const textOf = (lines: readonly string[], signs: string): string =>
  lines
    .filter((line) => line !== "" && signs.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join("");

const BLOCK_BYTES = 512;

/** Names and texts of the files in a tar archive, as `git archive` makes it. */
export function* filesInTar(archive: Buffer): Generator<readonly [name: string, text: string]> {
  for (let at = 0; archive[at] !== undefined && archive[at] !== 0; ) {
    const field = (start: number, end: number): string =>
      archive.toString("utf8", at + start, at + end).split("\0")[0] as string;
    const size = Number.parseInt(field(124, 136), 8);
    const start = at + BLOCK_BYTES;
    if (field(156, 157) === "0") yield [field(0, 100), archive.toString("utf8", start, start + size)];
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}
