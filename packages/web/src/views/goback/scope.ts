/**
 * How much is undone, as it stands in the address.
 *
 * @module
 */
import { type Changes, momentOf } from "../../address/address.ts";
import type { Input } from "../../api/client.ts";
import { dayOf, endOfDay, startOfDay } from "../../i18n/dates.ts";

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
    const since = timeOf(params.get("since"), startOfDay);
    const until = timeOf(params.get("until"), endOfDay);
    const agent = params.get("of");
    if (since === undefined) return undefined;
    return {
      only: { since, ...(until === undefined ? {} : { until }), ...(agent === null ? {} : { agent }) },
    };
  }
  if (to === undefined) return undefined;
  if (scope === "all") return { to };
  const value = params.get("of");
  if (value === null || value === "") return undefined;
  return { to, only: { [scope]: value } satisfies Only };
}

const MINUTE_MS = 60_000;

/** What an input of date and time takes: `2026-03-03T14:05`, of the reader's clock. */
export const localTime = (time: number): string => {
  const at = new Date(time);
  return `${dayOf(time)}T${[at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":")}`;
};

/** The address of what would undo an author's writes of a stretch of time, in whole minutes. */
export const stretchOf = (from: number, until: number, agent?: string): Changes => ({
  ...{ scope: "time", since: localTime(from), until: localTime(until + MINUTE_MS), to: null },
  of: agent ?? null,
});

/** A day, or a minute of it. */
function timeOf(text: string | null, ofDay: (day: string) => number): number | undefined {
  if (text === null || text === "") return undefined;
  const time = text.includes("T") ? Date.parse(text) : ofDay(text);
  return Number.isFinite(time) ? time : undefined;
}

/** A checkpoint, or a day. */
export function stateIn(text: string | null, branch: string): string | undefined {
  if (text === null || text === "") return undefined;
  if (text.startsWith("checkpoint:")) return text;
  const moment = momentOf(text);
  return moment === undefined ? undefined : `${branch}@${new Date(moment.time).toISOString()}`;
}
