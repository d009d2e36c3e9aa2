/**
 * Which of two versions is newer, in the order of Semantic Versioning 2.0.0, section 11.
 *
 * @module
 */

/** Anything that is no version is newer than nothing: it makes no daemon hand over. */
export function isNewerVersion(version: string, than: string): boolean {
  const [a, b] = [parse(version), parse(than)];
  if (a === undefined || b === undefined) return false;
  return (compareLists(a.core, b.core) || comparePreReleases(a.pre, b.pre)) > 0;
}

interface ParsedVersion {
  readonly core: readonly number[];
  readonly pre: readonly (number | string)[];
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([\w.-]{1,100}))?(?:\+[\w.-]*)?$/;

function parse(text: string): ParsedVersion | undefined {
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, pre] = match;
  return {
    core: [Number(major), Number(minor), Number(patch)],
    pre: pre === undefined ? [] : pre.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  };
}

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
