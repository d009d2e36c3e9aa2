/**
 * The page's address: view, space, branch, moment and filters are all in it, so that a link leads back to what was seen.
 *
 * @module
 */
import { dayOf, endOfDay } from "../i18n/dates.ts";

/** The moment that is shown; undefined is now. */
export interface Moment {
  /** As in the address: a day such as `2026-03-03`, or a time in ISO form. */
  readonly text: string;
  /** The last millisecond that is known. */
  readonly time: number;
  readonly day: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @returns undefined for now, for what is later than now and for what is no moment */
export function momentOf(text: string | null, now = Date.now()): Moment | undefined {
  if (text === null) return undefined;
  const time = DAY.test(text) ? endOfDay(text) : Date.parse(text);
  if (!Number.isFinite(time) || time >= now) return undefined;
  return { text, time, day: DAY.test(text) ? text : dayOf(time) };
}

/** What stays in the address from view to view. */
const LASTING = ["space", "branch", "at"] as const;

/** New values of parameters; null takes one away. */
export type Changes = Readonly<Record<string, string | readonly string[] | null>>;

export function changed(params: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of value === null ? [] : typeof value === "string" ? [value] : value)
      next.append(name, each);
  }
  return next;
}

/** The address of another view at the same space, branch and moment. */
export function addressOf(path: string, params: URLSearchParams, changes: Changes = {}): string {
  const lasting = new URLSearchParams();
  for (const name of LASTING) {
    const value = params.get(name);
    if (value !== null) lasting.set(name, value);
  }
  return withQuery(path, changed(lasting, changes));
}

export const withQuery = (path: string, params: URLSearchParams): string =>
  params.size === 0 ? path : `${path}?${params}`;

/** A merge was once at `/merge/<branch>`; the router has read a part of the escapes. */
export function branchOfOldAddress(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // such as `100%`
  }
}
