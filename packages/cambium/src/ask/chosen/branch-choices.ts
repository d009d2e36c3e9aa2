/**
 * Requests about branches, and about how things stand.
 *
 * @module
 */
import { parseBranch } from "../grammar/branching.js";
import { knownName } from "../grammar/known-names.js";
import type { Intent, ParsedBranch, Surroundings } from "../intent.js";
import { nameOf } from "../patterns.js";
import { type Choice, type ChosenOperation, slotText } from "./choice.js";
import { bareName } from "./past-choices.js";
import type { Reader } from "./unread.js";
import { nameRead, stateRead } from "./words.js";

/** The one that a slot names, if there is one. */
function branchIn(choice: Choice, slot: "branch" | "into", around: Surroundings): ParsedBranch | undefined {
  const words = slotText(choice, slot);
  return words === undefined ? undefined : parseBranch(bareName(words), around);
}

const isKnown = (
  branch: ParsedBranch | undefined,
): branch is ParsedBranch & { readonly matches: readonly [string] } =>
  branch !== undefined && branch.matches.length === 1;

const plain =
  (operation: "checkpoints" | "branches" | "conflicts" | "status" | "export" | "help" | "recent"): Reader =>
  async () => ({ request: { operation } });

const branch: Reader = async ({ choice, sentence, around }) => {
  const name = slotText(choice, "name");
  const time = slotText(choice, "state") ?? slotText(choice, "period");
  if (name === undefined) return { left: sentence };
  const at = time === undefined ? undefined : await stateRead(time, around);
  if (time !== undefined && at === undefined) return { left: time };
  const from = branchIn(choice, "branch", around);
  if (from !== undefined && !isKnown(from)) return { left: from.said };
  return {
    request: { operation: "branch", name: nameOf(bareName(name)), ...(at === undefined ? {} : { at }) },
    ...(from === undefined ? {} : { branch: from }),
  };
};

const useBranch: Reader = async ({ choice, sentence, around }) => {
  const found = branchIn(choice, "branch", around);
  return found === undefined ? { left: sentence } : { request: { operation: "use-branch", branch: found } };
};

const deleteBranch: Reader = async ({ choice, sentence, around }) => {
  const found = branchIn(choice, "branch", around);
  return isKnown(found)
    ? { request: { operation: "delete-branch", branch: found } }
    : { left: found?.said ?? sentence };
};

const merge: Reader = async ({ choice, sentence, around }) => {
  const [from, into] = [branchIn(choice, "branch", around), branchIn(choice, "into", around)];
  if (!isKnown(from)) return { left: from?.said ?? sentence };
  if (into !== undefined && !isKnown(into)) return { left: into.said };
  const partly =
    slotText(choice, "topic") ??
    slotText(choice, "category") ??
    slotText(choice, "tag") ??
    slotText(choice, "except");
  if (partly !== undefined) return { left: partly };
  if (into !== undefined && into.matches[0] === from.matches[0]) return { left: into.said };
  return { request: { operation: "merge", from, ...(into === undefined ? {} : { into }) } };
};

/** "What would land on main if …" asks what a merge would do. */
const WOULD = /\b(?:if|would|could|can|cleanly|land|merg\w*|pull\w*|clash\w*|collide|blow up|break)\b/i;

const difference: Reader = async ({ choice, sentence, around }) => {
  const from = branchIn(choice, "branch", around);
  const into = branchIn(choice, "into", around) ?? parseBranch("main", around);
  if (!isKnown(from)) return { left: from?.said ?? sentence };
  if (!isKnown(into) || into.matches[0] === from.matches[0]) return { left: into.said };
  if (WOULD.test(sentence)) return { request: { operation: "merge", from, into }, isPreview: true };
  return { request: { operation: "difference", from: into, to: from } };
};

const rename: Reader = async ({ choice, sentence, around }) => {
  const [found, name] = [branchIn(choice, "branch", around), slotText(choice, "name")];
  if (found === undefined || name === undefined) return { left: sentence };
  return { request: { operation: "rename-branch", branch: found, name } satisfies Intent };
};

/** "Is the laptop still under warranty" names a device, and asks nothing of what it has. */
const status: Reader = async ({ choice, sentence, around }) =>
  OF_SYNC.test(sentence) && isDevice(slotText(choice, "device"), around)
    ? { request: { operation: "status" } }
    : { request: { operation: "recall", query: sentence.replace(/[?!. ]+$/, "") } };
/** "Has my van insurance gone up?" is asked of no device. */
const isDevice = (words: string | undefined, { devices, agents }: Surroundings): boolean =>
  words === undefined ||
  A_DEVICE.test(words) ||
  knownName(nameRead(words, devices), devices) !== undefined ||
  knownName(nameRead(words, agents), agents) !== undefined;
const A_DEVICE =
  /\b(?:\w*phones?|mobiles?|android|\w*books?|\w*pads?|laptops?|tablets?|macs?|pcs?|computers?|desktops?|machines?|devices?|workstations?|servers?|nas|pi|boxe?s?|vms?|relay|watch|one|other|everywhere|\w+-\w+|\w*\d\w*)\b/i;
const OF_SYNC =
  /\b(?:sync\w*|synch\w*|unsynced|status|state|up[- ]to[- ]date|current|offline|online|behind|lag\w*|relay|connect\w*|caught|catch\w*|step|same|match\w*|pending|waiting|stuck|reach\w*|arriv\w*|receiv\w*|sent|send\w*|upload\w*|through|across|got|gets?|gotten|see|seen|come|came|has|have|had|missing|latest|signal|transmit\w*|everything|changes|copy|copies)\b/i;

export const OF_BRANCHES: Partial<Record<ChosenOperation, Reader>> = {
  checkpoints: plain("checkpoints"),
  branches: plain("branches"),
  conflicts: plain("conflicts"),
  status,
  export: plain("export"),
  help: plain("help"),
  recent: plain("recent"),
  branch,
  "use-branch": useBranch,
  "delete-branch": deleteBranch,
  merge,
  difference,
  "rename-branch": rename,
};
