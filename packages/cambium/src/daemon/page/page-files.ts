/**
 * The files of the built page. They are listed once and looked up by their whole path, so that no path leads
 * anywhere else.
 *
 * @module
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

/** Others are not served. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const INDEX = "index.html";
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

export class PageFiles {
  readonly #folder: string;
  #builtAt: number | undefined;
  #paths: ReadonlySet<string> = new Set();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get isBuilt(): boolean {
    return this.#indexTime() !== undefined;
  }

  /** @param path - below `/ui/`, as it was sent; undefined when there is no such file */
  read(path: string): PageFile | undefined {
    this.#list();
    const type = TYPES[extname(path)];
    if (type === undefined || !this.#paths.has(path)) return undefined;
    return { bytes: readFileSync(join(this.#folder, path)), type, isHashed: HASHED.test(path) };
  }

  /** @returns undefined when the page is not built */
  index(): PageFile | undefined {
    return this.read(INDEX);
  }

  /** Again when the page was built again. */
  #list(): void {
    const builtAt = this.#indexTime();
    if (builtAt === this.#builtAt) return;
    this.#builtAt = builtAt;
    this.#paths = new Set(builtAt === undefined ? [] : filesIn(this.#folder));
  }

  #indexTime(): number | undefined {
    return statSync(join(this.#folder, INDEX), { throwIfNoEntry: false })?.mtimeMs;
  }
}

/** Paths below the folder. Links are not followed: what they lead to is not of the page. */
function filesIn(folder: string, above = ""): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${above}${entry.name}`;
    if (entry.isDirectory()) return filesIn(join(folder, entry.name), `${path}/`);
    return entry.isFile() ? [path] : [];
  });
}
