/**
 * The version of this package, which callers and daemon tell each other.
 *
 * @module
 */
import { readFileSync, statSync } from "node:fs";

export function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** With the time at which this copy was built or installed, by which two copies of one version differ: `1.2.0+20260801T140312`. */
export function build(): string {
  const builtAtMs = writtenAt("main.js") ?? writtenAt("../.tsbuildinfo");
  return builtAtMs === undefined ? version() : `${version()}+${compactTime(builtAtMs)}`;
}

/** Of the bundle that this is a part of, or else of what the compiler wrote. */
const writtenAt = (beside: string): number | undefined =>
  statSync(new URL(beside, import.meta.url), { throwIfNoEntry: false })?.mtimeMs;

/** In UTC, in a form that a version may contain, and that sorts by time. */
const compactTime = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
