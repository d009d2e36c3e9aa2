/**
 * Who has written on a branch: asked when what somebody of a given name did is looked for, and nothing is found.
 *
 * @module
 */
import type { LogEntry, RecordLoader } from "@cambium/core";
import type { LogQueries } from "../index-store/log-queries.js";
import type { IndexedState } from "../index-store/state-queries.js";
import { withNotes } from "./change-notes.js";
import { nearestNames } from "./label-check.js";

export interface WrittenOn {
  readonly log: LogQueries;
  readonly state: IndexedState;
  readonly load: RecordLoader;
  /** The name of the branch. */
  readonly branch: string;
}

const MOST_NAMED = 10;
const PAGE = 500;
const ALL = { since: -Number.MAX_VALUE, limit: PAGE };

/**
 * @param consequence - what becomes of it that somebody has written nothing
 * @returns a sentence for each agent that has written nothing there: who has, and which name is near
 */
export async function unknownAuthors(
  asked: readonly string[],
  { log, state, load, branch }: WrittenOn,
  consequence = "so there is nothing of theirs",
): Promise<readonly string[]> {
  const agents = new Set<string>();
  const agentsByDevice = new Map<string, Set<string>>();
  let after: LogEntry["hash"] | undefined;
  // Most names are those of somebody, who has written lately.
  while (asked.some((agent) => !agents.has(agent))) {
    const page = await withNotes(log.entries(state, { ...ALL, after }), load);
    for (const { by } of page) {
      if (!by.agent) continue;
      agents.add(by.agent);
      const device = by.device?.toLowerCase();
      if (device !== undefined)
        agentsByDevice.set(device, (agentsByDevice.get(device) ?? new Set()).add(by.agent));
    }
    after = page.at(-1)?.hash;
    if (page.length < PAGE) break;
  }
  const others = agents.size === 0 ? "Nobody with a name has." : `These have: ${listed(agents)}.`;
  return asked
    .filter((agent) => !agents.has(agent))
    .map((agent) => {
      const nothing = `Nobody called "${agent}" has written on ${branch}, ${consequence}.`;
      const ofDevice = agentsByDevice.get(agent.toLowerCase());
      const [near] = nearestNames(agent, [...agents]);
      if (ofDevice !== undefined)
        return `${nothing} ${others} ${agent} is a device; its agents are: ${listed(ofDevice)}.`;
      return `${nothing} ${others}${near === undefined ? "" : ` Nearest: ${near}.`}`;
    });
}

const listed = (names: ReadonlySet<string>): string => [...names].slice(0, MOST_NAMED).join(", ");
