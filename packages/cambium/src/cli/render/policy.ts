/**
 * The policy as a table: an operation a row, a role a column.
 *
 * @module
 */
import type { CallerRole, PolicyAction, PolicyTable, RiskClass } from "@cambium/client";
import { POLICY_ACTIONS } from "@cambium/core";
import { oneLine } from "@cambium/core/text";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";

/** The cells and limits that are others than before. */
export function policyChanges(before: PolicyTable, after: PolicyTable): readonly string[] {
  const limits = Object.entries(after.limits).map(
    ([name, value]) => [name, before.limits[name as keyof PolicyTable["limits"]], value] as const,
  );
  const cells = (Object.keys(after.classes) as PolicyAction[]).flatMap((operation) =>
    ROLES.map(
      (role) =>
        [`${operation} ${role}`, before.classes[operation][role], after.classes[operation][role]] as const,
    ),
  );
  const own = after.changed.flatMap(({ operation, role, class: now }) => {
    if (!role.startsWith("agent:")) return [];
    const was = before.changed.find((cell) => cell.operation === operation && cell.role === role)?.class;
    return [
      [
        `${operation} ${oneLine(role)}`,
        was ?? before.classes[operation as PolicyAction]?.agent,
        now,
      ] as const,
    ];
  });
  return [...cells, ...own, ...limits].flatMap(([name, was, now]) =>
    was === now ? [] : [`${name}: ${was} → ${now}`],
  );
}

const ROLES: readonly CallerRole[] = ["owner", "operator", "agent", "reader"];

export function policyText(
  { classes, limits, changed, contested, ownerCode }: PolicyTable,
  style: Style,
): string {
  const { colors } = style;
  const paints: Readonly<Record<RiskClass, (text: string) => string>> = {
    allow: colors.green,
    confirm: colors.yellow,
    propose: colors.cyan,
    approve: colors.magenta,
    refuse: colors.dim,
  };
  const isChanged = (operation: PolicyAction, role: CallerRole): boolean =>
    changed.some((cell) => cell.operation === operation && cell.role === role);
  const columns: readonly Column<PolicyAction>[] = [
    { title: "operation", text: (operation) => operation },
    ...ROLES.map(
      (role): Column<PolicyAction> => ({
        title: role,
        text: (operation) => `${classes[operation][role]}${isChanged(operation, role) ? " *" : ""}`,
        paint: (text, operation) => paints[classes[operation][role]](text),
      }),
    ),
    { title: "what it is", text: (operation) => POLICY_ACTIONS[operation].about, flexible: true },
  ];
  return [
    table(Object.keys(classes) as PolicyAction[], columns, style),
    "",
    `A rollback or undo of more than ${limits.rollback} memories is a rollback-large. Requests wait ${limits.requestDays} days.`,
    ownerCode
      ? "An owner's code is set: what agents may not do by themselves needs it."
      : "No owner's code is set, so a program that names no agent counts as the owner: `cambium policy owner-code set`.",
    ...(changed.length > 0 ? ["* differs from the default."] : []),
    ...changed
      .filter(({ role }) => role.startsWith("agent:"))
      .map(
        ({ operation, role, class: own }) => `${oneLine(role.slice("agent:".length))}: ${operation} ${own}`,
      ),
    ...(contested
      ? [colors.yellow("Changed on two devices at once: of each cell the stricter counts.")]
      : []),
  ].join("\n");
}
