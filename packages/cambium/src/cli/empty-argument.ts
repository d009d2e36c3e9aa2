/**
 * An argument that is there and says nothing, as when a script's variable is not set: what belongs there instead.
 *
 * @module
 */
import { UsageError } from "./usage-error.js";

const MEMORY =
  "`cambium list` and `cambium recall <words>` show the ids of memories. The first characters of one are enough.";
const STATES =
  "`cambium branches` and `cambium checkpoints` list the names of states; a date or `yesterday` is one, too.";

/** By the name of the argument or option; what is missing here may be empty. */
const WHERE_TO_FIND: Readonly<Record<string, string>> = {
  id: MEMORY,
  source: "`cambium branches` lists the branches.",
  ...{ from: STATES, to: STATES, ref: STATES, at: STATES },
  change: "`cambium log` shows the changes, and `cambium undo` takes back the last one.",
  name: "Give a name.",
  invitation: "Copy the whole command that `cambium invite` has printed on the other device.",
  url: "Give the address of the relay, such as http://127.0.0.1:4141.",
};

/** Of verbs whose ids are not those of memories. */
const OF_VERB: Readonly<Record<string, string>> = {
  approve: "`cambium approve` lists the requests with their ids.",
  invites: "`cambium invites` lists the invitations, and `cambium members` the devices.",
};

/** @throws {UsageError} when one of them is an empty text where something has to be named */
export function refuseEmpty(verb: string, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const hint = (name === "id" ? OF_VERB[verb] : undefined) ?? WHERE_TO_FIND[name];
    const isEmpty = [value].flat().some((one) => typeof one === "string" && one.trim() === "");
    if (hint !== undefined && isEmpty) throw new UsageError(`The ${WORDS[name] ?? name} is empty.`, hint);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  source: "name of the branch",
  ...{ from: "first state", to: "second state", ref: "state to go back to", at: "state" },
};
