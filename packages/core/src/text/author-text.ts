/**
 * Who did something, in words.
 *
 * @module
 */

/** Random digits stand at the end of a replica's id; its beginning is a time. */
const REPLICA_DIGITS = 4;

/** As much as is known. */
interface Author {
  /** Name of the agent. Absent or empty for a person. */
  readonly agent?: string | undefined;
  /** Id of the replica, shown where its name is not known. */
  readonly replica?: string | undefined;
  /** Name of the device. */
  readonly device?: string | undefined;
}

/**
 * Returns the device and the agent on it, such as `laptop · claude-code`; of a device whose name is not known,
 * `device 97bb`.
 *
 * @param harmless - what makes a text by others fit to be shown
 */
export function authorText({ agent, replica, device }: Author, harmless: (text: string) => string): string {
  const where = device ?? (replica === undefined ? undefined : `device ${replica.slice(-REPLICA_DIGITS)}`);
  const parts = [where, agent].flatMap((part) => (part === undefined || part === "" ? [] : [harmless(part)]));
  return parts.length === 0 ? "someone" : parts.join(" · ");
}

/** As whom the policy saw it, too: `laptop · claude-code (agent)`. */
export const callerText = (
  { role, ...by }: Author & { readonly role?: string | undefined },
  harmless: (text: string) => string,
): string => authorText(by, harmless) + (role === undefined ? "" : ` (${harmless(role)})`);
