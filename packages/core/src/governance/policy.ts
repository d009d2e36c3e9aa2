/**
 * The policy of a space: which operation of which role passes, asks, waits or is refused. Only what differs
 * from the defaults is stored. Where two devices changed it apart, the stricter class of each cell counts,
 * so that nothing becomes freer than anyone left it, in whatever order the two arrive.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { compareText } from "../format/bytes.js";
import type { Encodable } from "../format/encoding.js";
import {
  BRINGS_WRITES,
  CALLER_ROLES,
  type CallerRole,
  isCallerRole,
  isPolicyAction,
  isRiskClass,
  OPERATION_NAMES,
  POLICY_ACTIONS,
  type PolicyAction,
  RISK_CLASSES,
  type RiskClass,
  whyNot,
} from "./operations.js";

/** Numbers of the policy: whole, from 1 to 1,000,000. */
export interface PolicyLimits {
  /** Memories that a rollback may touch before it counts as `rollback-large`. */
  readonly rollback: number;
  /** How long a request waits, in days. */
  readonly requestDays: number;
}

/** What each role may do, as it applies now. */
export interface Policy {
  /** By action, then by role, defaults included. */
  readonly classes: Readonly<Record<PolicyAction, Readonly<Record<CallerRole, RiskClass>>>>;
  /** Defaults included. */
  readonly limits: PolicyLimits;
  /** As stored: cells and limits that differ from the defaults, those of later versions among them. */
  readonly stored: StoredPolicy;
}

/** Of operation, then role. A later version may know more operations, roles and classes than this one. */
interface StoredPolicy {
  /** By action, then by role. */
  readonly classes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By name. */
  readonly limits: Readonly<Record<string, number>>;
}

/** What counts where the space has no limits of its own. */
export const DEFAULT_LIMITS: PolicyLimits = { rollback: 25, requestDays: 30 };

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as readonly (keyof PolicyLimits)[];
const MAX_LIMIT = 1_000_000;
const FORMAT = 1;
/** In the place of a role: one agent, by its name. */
const ONE_AGENT = "agent:";

/** @param values - every value of the setting that stands side by side; none means the defaults */
export function readPolicy(values: readonly unknown[]): Policy {
  const parsed = values.map(parseStored);
  const stored = { classes: strictest(parsed), limits: smallest(parsed) };
  return { classes: effectiveClasses(stored), limits: { ...DEFAULT_LIMITS, ...knownLimits(stored) }, stored };
}

/** Returns the value that the catalog keeps: what differs from the defaults, and the format's version. */
export const policyEntry = ({ stored }: Policy): Encodable => ({ v: FORMAT, ...stored });

/**
 * @returns the policy with one cell changed
 * @throws {CambiumError} BAD_INPUT when there is no such cell, or it cannot hold the class
 */
export function withClass(policy: Policy, operation: string, role: string, riskClass: string): Policy {
  if (!isPolicyAction(operation))
    throw badInput("operation", operation, [...OPERATION_NAMES, "rollback-limit", "request-days"]);
  const isAgent = role.startsWith(ONE_AGENT) && role.length > ONE_AGENT.length;
  if (!isCallerRole(role) && !isAgent) throw badInput("role", role, [...CALLER_ROLES, `${ONE_AGENT}<name>`]);
  if (!isRiskClass(riskClass)) throw badInput("class", riskClass, RISK_CLASSES);
  const reason = whyNot(operation, isCallerRole(role) ? role : "agent", riskClass);
  if (reason !== undefined) throw new CambiumError("BAD_INPUT", reason);
  const { [role]: _before, ...others } = policy.stored.classes[operation] ?? {};
  // What holds for every agent need not be said of one.
  const isUsual = isAgent && policy.classes[operation].agent === riskClass;
  const cells = isUsual ? others : { ...others, [role]: riskClass };
  const classes = withoutDefaults({ ...policy.stored.classes, [operation]: cells });
  return readPolicy([{ v: FORMAT, classes, limits: policy.stored.limits }]);
}

/**
 * What happens when a caller does something. What is set for an agent by its name counts before what is set for agents.
 * Whoever has to propose what they write cannot bring it in by a merge, an import or a rollback of their own.
 */
export function classFor(
  policy: Policy,
  operation: PolicyAction,
  { role, agent }: { readonly role: CallerRole; readonly agent?: string | undefined },
): RiskClass {
  const cell = (action: PolicyAction): RiskClass => {
    const own = role === "agent" ? policy.stored.classes[action]?.[`${ONE_AGENT}${agent}`] : undefined;
    return own === undefined ? policy.classes[action][role] : possibleClass(action, role, own);
  };
  const riskClass = cell(operation);
  const isFree = riskClass === "allow" || riskClass === "confirm";
  return isFree && BRINGS_WRITES.has(operation) && cell("write") === "propose" ? "approve" : riskClass;
}

/** @throws {CambiumError} BAD_INPUT */
export function withLimit(policy: Policy, name: keyof PolicyLimits, value: number): Policy {
  if (!isLimit(value))
    throw new CambiumError("BAD_INPUT", `Give a whole number from 1 to ${MAX_LIMIT} for ${name}.`);
  const { [name]: _before, ...others } = policy.stored.limits;
  const limits = value === DEFAULT_LIMITS[name] ? others : { ...others, [name]: value };
  return readPolicy([{ v: FORMAT, classes: policy.stored.classes, limits }]);
}

function badInput(what: string, received: string, known: readonly string[]): CambiumError {
  return new CambiumError("BAD_INPUT", `There is no ${what} "${received.slice(0, 60)}".`, {
    hint: `One of: ${known.join(", ")}`,
  });
}

/** What is not understood at all is left out; what a later version may understand is kept. */
function parseStored(value: unknown): StoredPolicy {
  const { classes, limits } = (isObject(value) ? value : {}) as { classes?: unknown; limits?: unknown };
  const cells = entriesOf(classes).map(([operation, roles]) => {
    const texts = entriesOf(roles).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return [operation, Object.fromEntries(texts)] as const;
  });
  const numbers = entriesOf(limits).filter((entry): entry is [string, number] => isLimit(entry[1]));
  return { classes: Object.fromEntries(cells), limits: Object.fromEntries(numbers) };
}

const isLimit = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_LIMIT;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const entriesOf = (value: unknown): readonly [string, unknown][] =>
  isObject(value) ? Object.entries(value) : [];

function strictest(policies: readonly StoredPolicy[]): StoredPolicy["classes"] {
  const merged: Record<string, Record<string, string>> = {};
  for (const operation of new Set(policies.flatMap(({ classes }) => Object.keys(classes)))) {
    const roles = new Set(policies.flatMap(({ classes }) => Object.keys(classes[operation] ?? {})));
    const cells: Record<string, string> = {};
    for (const role of roles) {
      const texts = policies.flatMap(({ classes }) => {
        const text = classes[operation]?.[role] ?? defaultClass(operation, role);
        return text === undefined ? [] : [text];
      });
      cells[role] = texts.sort((a, b) => strictness(b) - strictness(a) || compareText(b, a))[0] as string;
    }
    merged[operation] = cells;
  }
  return withoutDefaults(merged);
}

/** A class of a later version is stricter than all we know: what it asks for cannot be done here. */
const strictness = (text: string): number =>
  isRiskClass(text) ? RISK_CLASSES.indexOf(text) : RISK_CLASSES.length;

const defaultClass = (operation: string, role: string): RiskClass | undefined =>
  isPolicyAction(operation) && isCallerRole(role) ? POLICY_ACTIONS[operation].classes[role] : undefined;

function withoutDefaults(classes: StoredPolicy["classes"]): StoredPolicy["classes"] {
  const kept = Object.entries(classes).map(([operation, cells]) => {
    const differing = Object.entries(cells).filter(([role, text]) => text !== defaultClass(operation, role));
    return [operation, Object.fromEntries(differing)] as const;
  });
  return Object.fromEntries(kept.filter(([, cells]) => Object.keys(cells).length > 0));
}

function smallest(policies: readonly StoredPolicy[]): StoredPolicy["limits"] {
  const merged: Record<string, number> = {};
  for (const name of new Set(policies.flatMap(({ limits }) => Object.keys(limits)))) {
    const byDefault = DEFAULT_LIMITS[name as keyof PolicyLimits];
    const values = policies.flatMap(({ limits }) => limits[name] ?? byDefault ?? []);
    const value = Math.min(...values);
    if (value !== byDefault) merged[name] = value;
  }
  return merged;
}

const knownLimits = ({ limits }: StoredPolicy): Partial<PolicyLimits> =>
  Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]])),
  );

function effectiveClasses({ classes }: StoredPolicy): Policy["classes"] {
  const rows = OPERATION_NAMES.map((operation) => {
    const cells = CALLER_ROLES.map((role) => {
      const byDefault = POLICY_ACTIONS[operation].classes[role];
      return [role, possibleClass(operation, role, classes[operation]?.[role] ?? byDefault)] as const;
    });
    return [operation, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(rows) as Policy["classes"];
}

/** As strict as asked for, as far as the cell can be: nobody locks the owner out, or lets a reader write. */
function possibleClass(operation: PolicyAction, role: CallerRole, text: string): RiskClass {
  const riskClass = isRiskClass(text) ? text : "refuse";
  if (whyNot(operation, role, riskClass) === undefined) return riskClass;
  if (riskClass === "propose" && whyNot(operation, role, "approve") === undefined) return "approve";
  return role === "owner" ? "confirm" : "refuse";
}
