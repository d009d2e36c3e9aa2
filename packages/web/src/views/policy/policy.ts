/**
 * Who may do what, as the page reads the table of the daemon.
 *
 * @module
 */
import type { Schemas } from "../../api/interface.ts";

export type PolicyTable = Schemas["PolicyTable"];
type RiskClass = Schemas["RiskClass"];

/** Before the name of one agent. */
export const ONE_AGENT = "agent:";

/** Those of which something is written or set, by name. */
export const agentsIn = ({ changed }: PolicyTable, written: readonly string[]): readonly string[] =>
  [
    ...new Set([
      ...written,
      ...changed.flatMap(({ role }) => (role.startsWith(ONE_AGENT) ? [role.slice(ONE_AGENT.length)] : [])),
    ]),
  ].sort();

const groupOf = (role: string): string => (role.startsWith(ONE_AGENT) ? "agent" : role);

export const possibleFor = (
  { possible }: PolicyTable,
  operation: string,
  role: string,
): readonly RiskClass[] => possible[operation]?.[groupOf(role)] ?? [];

/** What holds for all agents holds for one of which nothing else is said. */
export function classOf(table: PolicyTable, operation: string, role: string): RiskClass {
  const own = table.changed.find((cell) => cell.operation === operation && cell.role === role);
  const known = possibleFor(table, operation, role).find((name) => name === own?.class);
  return known ?? table.classes[operation]?.[groupOf(role)] ?? "refuse";
}

/** How many things a role may do, has to ask for, and may not. */
export function countsOf(table: PolicyTable, role: string) {
  const all = Object.keys(table.classes).map((operation) => classOf(table, operation, role));
  const count = (...names: readonly RiskClass[]) => all.filter((name) => names.includes(name)).length;
  return { may: count("allow"), ask: count("confirm", "propose", "approve"), not: count("refuse") };
}
