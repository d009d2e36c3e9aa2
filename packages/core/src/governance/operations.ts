/**
 * What may be done in a space, by whom, and how freely, unless the space's policy says otherwise. This is
 * governance among programs that keep to it: anyone who has the space's key can write anything.
 *
 * @module
 */

/** `operator`: a member's program with a `write` token that names no agent. */
export const CALLER_ROLES = ["owner", "operator", "agent", "reader"] as const;

/** As whom the policy sees a caller. */
export type CallerRole = (typeof CALLER_ROLES)[number];

/**
 * From the freest to the strictest: passes at once; asks the caller; is done where only the owner sees it, until they
 * accept it; waits for the owner; never.
 */
export const RISK_CLASSES = ["allow", "confirm", "propose", "approve", "refuse"] as const;

/** What happens when a role does something. */
export type RiskClass = (typeof RISK_CLASSES)[number];

interface OperationMeaning {
  /** Ends the sentence "this would …". */
  readonly about: string;
  readonly classes: Readonly<Record<CallerRole, RiskClass>>;
}

const byRole = (owner: RiskClass, operator: RiskClass, agent: RiskClass, reader: RiskClass = "refuse") => ({
  owner,
  operator,
  agent,
  reader,
});

/** The one table that the policy's check, the command line and the docs read. */
export const POLICY_ACTIONS = {
  write: { about: "write memories", classes: byRole("allow", "allow", "allow") },
  forget: { about: "forget a memory", classes: byRole("allow", "allow", "allow") },
  conceal: {
    about: "conceal memories in the present and the past, or reveal them",
    classes: byRole("allow", "confirm", "approve"),
  },
  fork: { about: "make a branch", classes: byRole("allow", "allow", "allow") },
  "rename-branch": { about: "rename a branch", classes: byRole("allow", "allow", "allow") },
  "delete-branch": { about: "delete a branch", classes: byRole("allow", "confirm", "approve") },
  "delete-merged-branch": {
    about: "delete a branch of one's own that is merged",
    classes: byRole("allow", "allow", "allow"),
  },
  merge: { about: "merge a branch without conflicts", classes: byRole("allow", "allow", "allow") },
  "merge-conflicts": {
    about: "merge a branch and decide what is in conflict",
    classes: byRole("allow", "allow", "confirm"),
  },
  checkpoint: { about: "make a checkpoint", classes: byRole("allow", "allow", "allow") },
  "delete-checkpoint": { about: "delete a checkpoint", classes: byRole("allow", "approve", "approve") },
  undo: { about: "take changes back", classes: byRole("allow", "allow", "allow") },
  rollback: { about: "go back in a few memories", classes: byRole("allow", "allow", "allow") },
  "rollback-large": {
    about: "go back in many memories at once",
    classes: byRole("confirm", "approve", "approve"),
  },
  consolidate: { about: "make one memory of several", classes: byRole("allow", "allow", "allow") },
  import: { about: "import memories", classes: byRole("allow", "allow", "allow") },
  export: { about: "export memories", classes: byRole("allow", "allow", "confirm", "allow") },
  erase: { about: "erase for good", classes: byRole("confirm", "approve", "approve") },
  "remember-erased": {
    about: "remember a text that was erased for good",
    classes: byRole("allow", "allow", "allow"),
  },
  "import-erased": {
    about: "import a text that was erased for good",
    classes: byRole("refuse", "refuse", "refuse"),
  },
  "receive-erased": {
    about: "take in, from another device, a text that was erased for good",
    classes: byRole("allow", "allow", "allow"),
  },
  "accept-erasure": {
    about: "agree to an erasure of many memories that came from another device",
    classes: byRole("confirm", "refuse", "refuse"),
  },
  settings: {
    about: "change the settings of the space",
    classes: byRole("allow", "refuse", "refuse"),
  },
  retention: {
    about: "prune old versions as the settings say",
    classes: byRole("allow", "allow", "refuse"),
  },
  "accept-loss": {
    about: "accept that writes of this device are lost",
    classes: byRole("confirm", "refuse", "refuse"),
  },
  invite: { about: "invite someone into the space", classes: byRole("allow", "refuse", "refuse") },
  rekey: {
    about: "encrypt again what earlier keys encrypted",
    classes: byRole("allow", "refuse", "refuse"),
  },
  link: { about: "change the relay of the space", classes: byRole("allow", "refuse", "refuse") },
  policy: { about: "change the policy", classes: byRole("allow", "refuse", "refuse") },
  approve: { about: "decide a request", classes: byRole("allow", "refuse", "refuse") },
} as const satisfies Record<string, OperationMeaning>;

/** What the policy decides about, such as `merge` or `delete-branch`. */
export type PolicyAction = keyof typeof POLICY_ACTIONS;

/** All actions, in the order of the table. */
export const OPERATION_NAMES = Object.keys(POLICY_ACTIONS) as readonly PolicyAction[];

export const isPolicyAction = (text: string): text is PolicyAction => Object.hasOwn(POLICY_ACTIONS, text);

export const isCallerRole = (text: string): text is CallerRole =>
  (CALLER_ROLES as readonly string[]).includes(text);

export const isRiskClass = (text: string): text is RiskClass =>
  (RISK_CLASSES as readonly string[]).includes(text);

/** Deciding on oneself stays possible: else nobody could ever change the policy again. */
const OWNERS_OWN: ReadonlySet<PolicyAction> = new Set(["policy", "approve"]);

/** What cannot be made again on another device, or would be a request about requests. */
const NEVER_ASKED_FOR: ReadonlySet<PolicyAction> = new Set([
  "policy",
  "approve",
  "invite",
  "link",
  "export",
  "accept-erasure",
  // A request would keep the text.
  ...(["remember-erased", "import-erased", "receive-erased"] as const),
  ...(["accept-loss", "settings", "retention", "rekey"] as const),
]);

/** What writes single memories: it can be done on a branch of proposals instead. */
const PROPOSABLE: ReadonlySet<PolicyAction> = new Set(["write", "forget", "consolidate"]);

/** What brings to a branch what was written elsewhere or before: a way around proposing it. */
export const BRINGS_WRITES: ReadonlySet<PolicyAction> = new Set([
  ...(["merge", "merge-conflicts", "import", "undo", "rollback", "rollback-large"] as const),
]);

/** Which classes a role may be given for an operation, and why not others. */
export function whyNot(operation: PolicyAction, role: CallerRole, riskClass: RiskClass): string | undefined {
  if (role === "reader" && operation !== "export" && riskClass !== "refuse")
    return "A reader cannot write, whatever the policy says.";
  if (riskClass === "propose" && (role === "owner" || !PROPOSABLE.has(operation)))
    return `Only ${[...PROPOSABLE].join(", ")} can be proposed, and not by the owner. Use another class.`;
  if (role !== "owner") {
    const isRequest = riskClass === "approve" && NEVER_ASKED_FOR.has(operation);
    return isRequest ? "This cannot be requested. Use `confirm` or `refuse` for this role." : undefined;
  }
  if (riskClass === "approve") return "The owner approves by doing it. Use `confirm` to ask the owner first.";
  if (riskClass === "refuse" && OWNERS_OWN.has(operation))
    return "No one could change the policy or decide a request any more.";
  return undefined;
}
