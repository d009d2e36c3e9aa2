/**
 * Refs: how a person or program names a state.
 *
 *     main   work-persona@2026-08-01   main@"6 months ago"   main@checkpoint:before-cleanup
 *     main@git:1a2b3c4   main@heads:<hash>,<hash>   @yesterday   checkpoint:before-cleanup
 *     checkpoint:Feb 17, 2026 state   checkpoint:last
 *
 * @module
 */
import { CambiumError, isCambiumError } from "../errors.js";
import type { ChangeHash } from "../format/ids.js";
import { DATE_ONLY } from "./dates.js";
import { parseTime } from "./periods.js";
import { unquote } from "./quotes.js";

/** A parsed ref. */
export interface Ref {
  /** Branch name or id; undefined when the ref leaves it to the caller. */
  readonly branch: string | undefined;
  /** Which state of the branch. */
  readonly point: RefPoint;
}

/** How a ref names a state. */
export type RefPoint =
  | { readonly kind: "now" }
  /** Milliseconds since 1970; everything up to and including it. */
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "heads"; readonly heads: readonly ChangeHash[] }
  | { readonly kind: "checkpoint"; readonly name: string }
  | { readonly kind: "git"; readonly commit: string };

const CHANGE_HASH = /^[0-9a-f]{64}$/;
const GIT_COMMIT = /^[0-9a-f]{4,64}$/;

const BRANCH_NAME = /^[^\s@"'~^:/\\]+([/][^\s@"'~^:/\\]+)*(~[0-9a-f]{4,32})?$/u;

/**
 * @param now - milliseconds since 1970, what relative dates count from
 * @throws {CambiumError} BAD_REF with the forms that are understood
 */
export async function parseRef(text: string, now: number): Promise<Ref> {
  const trimmed = text.trim();
  const at = trimmed.indexOf("@");
  if (trimmed.startsWith("checkpoint:")) {
    return { branch: undefined, point: await parsePoint(trimmed, text, now) }; // no branch can be named so
  }
  if (at === -1) {
    if (isBranchName(trimmed) && !DATE_ONLY.test(trimmed)) return { branch: trimmed, point: { kind: "now" } };
    return { branch: undefined, point: { kind: "time", at: await bareTime(trimmed, now) } };
  }
  const branch = trimmed.slice(0, at);
  if (branch !== "" && !isBranchName(branch)) throw badRef(text, `"${branch}" is not a branch name`);
  return {
    branch: branch === "" ? undefined : branch,
    point: await parsePoint(unquote(trimmed.slice(at + 1)), text, now),
  };
}

async function bareTime(text: string, now: number): Promise<number> {
  try {
    return await parseTime(text, now);
  } catch (error) {
    // A date in digits says by itself what is wrong with it.
    if (!isCambiumError(error, "BAD_REF") || /^\d/.test(text)) throw error;
    throw neitherBranchNorTime(text);
  }
}

/** Of a word that may have been meant as either. */
export const neitherBranchNorTime = (text: string, branches: readonly string[] = []): CambiumError =>
  new CambiumError("BAD_REF", `"${text}" is neither a branch nor a time that can be read.`, {
    hint:
      'Times look like 2026-08-01, yesterday, "last Friday", "2 weeks ago" or "before March".' +
      (branches.length === 0 ? "" : ` Branches here: ${branches.join(", ")}.`),
    details: { ref: text },
  });

/**
 * Whether a text can be the name of a branch: at most 200 characters, without spaces and `@"'~^:\\`. A name that is
 * shown with `~ab12` counts, too.
 */
export const isBranchName = (text: string): boolean => text.length <= 200 && BRANCH_NAME.test(text);

async function parsePoint(point: string, ref: string, now: number): Promise<RefPoint> {
  const colon = point.indexOf(":");
  const [kind, rest] = [point.slice(0, Math.max(colon, 0)), unquote(point.slice(colon + 1))];
  switch (kind) {
    case "heads":
      return { kind: "heads", heads: parseHeads(rest, ref) };
    case "checkpoint":
      if (rest === "") throw badRef(ref, "the checkpoint has no name");
      return { kind: "checkpoint", name: rest };
    case "git":
      if (!GIT_COMMIT.test(rest)) throw badRef(ref, `"${rest}" is not a git commit`);
      return { kind: "git", commit: rest };
    default:
      if (point === "now" || point === "") return { kind: "now" };
      return { kind: "time", at: await parseTime(point, now) };
  }
}

/** No heads at all are those of a branch on which nothing has happened yet. */
function parseHeads(text: string, ref: string): readonly ChangeHash[] {
  if (text.trim() === "") return [];
  const heads = text.split(",").map((head) => head.trim());
  if (!heads.every((head) => CHANGE_HASH.test(head)))
    throw badRef(ref, "heads are 64 hexadecimal digits each, with commas between");
  return [...new Set(heads)].sort() as ChangeHash[];
}

const badRef = (ref: string, why: string): CambiumError =>
  new CambiumError("BAD_REF", `"${ref}" names no state: ${why}.`, {
    hint: 'Refs look like main, main@2026-08-01, main@"6 months ago", main@checkpoint:name or main@heads:<hash>.',
  });
