/**
 * Resolves links between the files of one Markdown source: `#heading`, `other.md`, `../notes/other.md#heading`,
 * and by the name of a note: `[[Other]]`, `[[folder/Other#Heading]]`.
 * Whatever leads elsewhere (the web, a picture, a file that is not part of the source) resolves to nothing.
 *
 * @module
 */
import { titleToAnchor, WIKI } from "./markdown-sections.js";

/** What links may point at in one file: source keys of its memories. */
export interface LinkableFile {
  readonly path: string;
  /** Of the first memory in it, for links to the file as a whole. */
  readonly firstKey: string | undefined;
  readonly keyByAnchor: ReadonlyMap<string, string>;
}

/** Returns the source key a URL leads to, seen from the file it is written in. */
export type LinkResolver = (fromPath: string, url: string) => string | undefined;

export function linkResolver(files: readonly LinkableFile[]): LinkResolver {
  const fileByPath = new Map(files.map((file) => [file.path, file]));
  const noteNamed = noteFinder(files.map(({ path }) => path));
  return (fromPath, url) => {
    if (url.startsWith(WIKI)) {
      const [note = "", heading] = splitOnce(url.slice(WIKI.length), "#");
      const path = note === "" ? fromPath : noteNamed(note, fromPath);
      return keyIn(path === undefined ? undefined : fileByPath.get(path), heading?.split("#").at(-1));
    }
    const [target = "", fragment] = splitOnce(url, "#");
    if (/^[a-z][a-z\d+.-]*:/i.test(target) || target.startsWith("//")) return undefined;
    const path = target === "" ? fromPath : resolvePath(fromPath, decoded(splitOnce(target, "?")[0] ?? ""));
    return keyIn(path === undefined ? undefined : fileByPath.get(path), fragment && decoded(fragment));
  };
}

/** A block (`^id`) has no memory of its own: the link leads to the file. */
function keyIn(file: LinkableFile | undefined, heading: string | undefined): string | undefined {
  return heading === undefined || heading === "" || heading.startsWith("^")
    ? file?.firstKey
    : file?.keyByAnchor.get(titleToAnchor(heading));
}

/**
 * Finds a note by its name, in any case, as Obsidian does: in the same folder first, then where the path is shortest.
 * A name with folders has to end the path.
 */
function noteFinder(paths: readonly string[]): (name: string, fromPath: string) => string | undefined {
  const bare = (path: string): string => path.replace(/\.(?:md|markdown)$/i, "").toLowerCase();
  const pathsByName = Map.groupBy(paths, (path) => bare(path).split("/").at(-1) ?? "");
  return (name, fromPath) => {
    const wanted = bare(name.trim().normalize("NFC").replace(/^\//, ""));
    const folder = fromPath.slice(0, fromPath.lastIndexOf("/") + 1);
    const rank = (path: string): number =>
      path.lastIndexOf("/") + 1 === folder.length && path.startsWith(folder) ? 0 : path.length;
    return (pathsByName.get(wanted.split("/").at(-1) ?? "") ?? [])
      .filter((path) => bare(path) === wanted || bare(path).endsWith(`/${wanted}`))
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
  };
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A path that begins with `/` counts from the top of the source; one that leaves the source is nothing. */
function resolvePath(fromPath: string, target: string): string | undefined {
  const parts = target.startsWith("/") ? [] : fromPath.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/").normalize("NFC");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a bare "%" in a file name: people write links that way, and it stands for itself
  }
}
