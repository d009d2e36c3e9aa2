/**
 * Resolves links between the files of one Markdown source: `#heading`, `other.md`, `../notes/other.md#heading`.
 * Whatever leads elsewhere (the web, a picture, a file that is not part of the source) resolves to nothing.
 *
 * @module
 */
import { titleToAnchor } from "./markdown-sections.js";

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
  return (fromPath, url) => {
    const [target = "", fragment] = splitOnce(url, "#");
    if (/^[a-z][a-z\d+.-]*:/i.test(target) || target.startsWith("//")) return undefined;
    const path = target === "" ? fromPath : resolvePath(fromPath, decoded(splitOnce(target, "?")[0] ?? ""));
    const file = path === undefined ? undefined : fileByPath.get(path);
    if (file === undefined) return undefined;
    return fragment === undefined || fragment === ""
      ? file.firstKey
      : file.keyByAnchor.get(titleToAnchor(decoded(fragment)));
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
