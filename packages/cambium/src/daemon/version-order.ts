/**
 * Which of two versions is newer: in the order of Semantic Versioning 2.0.0, section 11, and of two copies of one
 * version the one that was built later.
 *
 * @module
 */

/** Anything that is no version is newer than nothing: it makes no daemon hand over. */
export function isNewerVersion(version: string, than: string): boolean {
  const [a, b] = [parse(version), parse(than)];
  if (a === undefined || b === undefined) return false;
  const order = compareLists(a.core, b.core) || comparePreReleases(a.pre, b.pre);
  return (order || compareBuilds(a.build, b.build)) > 0;
}

interface ParsedVersion {
  readonly core: readonly number[];
  readonly pre: readonly (number | string)[];
  /** When it was built; undefined where it does not say, or says something else. */
  readonly build: string | undefined;
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([\w.-]{1,100}))?(?:\+([\w.-]*))?$/;
const BUILD_TIME = /^\d{8}T\d{6}$/;

function parse(text: string): ParsedVersion | undefined {
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, pre, build = ""] = match;
  return {
    core: [Number(major), Number(minor), Number(patch)],
    pre: pre === undefined ? [] : pre.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    build: BUILD_TIME.test(build) ? build : undefined,
  };
}

/** One that does not say when it was built is neither newer nor older. */
const compareBuilds = (a: string | undefined, b: string | undefined): number =>
  a === undefined || b === undefined || a === b ? 0 : a < b ? -1 : 1;

/** A version without a pre-release comes after all of its pre-releases. */
function comparePreReleases(a: ParsedVersion["pre"], b: ParsedVersion["pre"]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  return compareLists(a, b);
}

function compareLists(a: ParsedVersion["pre"], b: ParsedVersion["pre"]): number {
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const order = comparePart(a[place] ?? 0, b[place] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before texts. */
function comparePart(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
