/**
 * What a preview hands out, so that exactly what it showed is done: a short code over the heads of the branches it
 * looked at and what was asked. Short, for models copy it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Space } from "@cambium/client";
import type { LabelSelection } from "@cambium/core";
import { CambiumError } from "@cambium/core/errors";

type Heads = readonly string[];

const LENGTH = 16;

/** @param asked - what has to be asked again in the same way */
export const expectationOf = (heads: readonly Heads[], asked: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify([heads, asked]))
    .digest("base64url")
    .slice(0, LENGTH);

export interface RollbackAsked extends Omit<LabelSelection, "agent"> {
  readonly to?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly agent?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly onBranch?: string | undefined;
}

/** What of a rollback has to be asked again in the same way, in one order. */
export const rollbackAsked = (asked: RollbackAsked) => {
  const { to, onBranch, ids, category, tag, kind, area, not, query, agent, since, until } = asked;
  return { to, only: { ids, category, tag, kind, area, not, query, agent, since, until }, onBranch };
};

/**
 * Returns the heads of the branches as they are, which then have to stay as they are.
 *
 * @throws {CambiumError} STALE_EXPECTATION when they are not those of the preview, or something else was asked
 */
export async function headsExpected(
  expect: string,
  {
    space,
    branches,
    asked,
  }: { readonly space: Space; readonly branches: readonly string[]; readonly asked: unknown },
): Promise<readonly Heads[]> {
  const heads: Heads[] = [];
  for (const branch of branches) heads.push((await space.status({ branch })).branch.head);
  if (expectationOf(heads, asked) === expect) return heads;
  throw new CambiumError(
    "STALE_EXPECTATION",
    "This is not what was previewed: a branch has moved since, or the arguments differ.",
    {
      hint: "Preview again without expect, and give what that answers.",
    },
  );
}
