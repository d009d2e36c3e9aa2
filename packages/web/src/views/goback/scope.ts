/**
 * How much is undone, as it stands in the address.
 *
 * @module
 */
import { momentOf } from "../../address/address.ts";
import type { Input } from "../../api/client.ts";
import { endOfDay, startOfDay } from "../../i18n/dates.ts";

export const SCOPES = ["all", "query", "category", "agent", "time"] as const;
export type ScopeKind = (typeof SCOPES)[number];
type RollbackInput = Input<"rollback">;
type Only = NonNullable<RollbackInput["only"]>;

export const scopeIn = (params: URLSearchParams): ScopeKind =>
  SCOPES.find((scope) => scope === params.get("scope")) ?? "all";

/** @returns undefined while something has to be chosen first */
export function rollbackIn(
  params: URLSearchParams,
  branch: string,
): Pick<RollbackInput, "to" | "only"> | undefined {
  const scope = scopeIn(params);
  const to = stateIn(params.get("to"), branch);
  if (scope === "time") {
    const [since, until] = [params.get("since"), params.get("until")];
    if (since === null) return undefined;
    return { only: { since: startOfDay(since), ...(until === null ? {} : { until: endOfDay(until) }) } };
  }
  if (to === undefined) return undefined;
  if (scope === "all") return { to };
  const value = params.get("of");
  if (value === null || value === "") return undefined;
  return { to, only: { [scope]: value } satisfies Only };
}

/** A checkpoint, or a day. */
export function stateIn(text: string | null, branch: string): string | undefined {
  if (text === null || text === "") return undefined;
  if (text.startsWith("checkpoint:")) return text;
  const moment = momentOf(text);
  return moment === undefined ? undefined : `${branch}@${new Date(moment.time).toISOString()}`;
}
