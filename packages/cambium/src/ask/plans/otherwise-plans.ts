/**
 * Of memories that say otherwise of the same: which they are, and to hide those that are not so.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { shortId } from "@cambium/core/text";
import type { AskedAnswer } from "../answers.js";
import { describing, has, isSameValue, stemsOf, valuesIn } from "../changed-value.js";
import { contradictionsAmong } from "../contradictions.js";
import { everyMemory } from "../find-memories.js";
import { agentNamed } from "../targets.js";
import type { TypedPart } from "../typed-parts.js";
import { type Asked, named, type Plan, type Planning } from "./plan.js";

type Where = Pick<Planning, "space" | "branch">;

/** Beside the open conflicts, in which two sides changed one memory. */
export async function otherwiseAnswer({ space, branch }: Where): Promise<AskedAnswer | undefined> {
  const groups = contradictionsAmong(await everyMemory(space, { branch }));
  if (groups.length === 0) return undefined;
  const lines = groups.slice(0, MOST_GROUPS).flatMap((memories) => ["", ...memories.map(lineOf)]);
  const more = groups.length - MOST_GROUPS;
  return {
    document: { otherwise: groups.map((memories) => memories.map(({ id, content }) => ({ id, content }))) },
    lines: [
      "\nThese memories say otherwise of the same. Both may be so:",
      ...lines,
      ...(more > 0 ? ["", `… and ${more} more.`] : []),
      "",
      "To hide one that is not so: cambium forget <id>",
    ],
  };
}
const MOST_GROUPS = 20;

const lineOf = ({ id, content }: Memory): string => `  ${shortId(id)}  “${named(content)}”`;

/** Those that say something else of what a memory says. */
async function othersThan(memory: Memory, { space, branch }: Where): Promise<readonly Memory[]> {
  const near = await space.recall(memory.content, {
    ...{ branch, limit: MOST_READ, priors: false, spelling: false },
  });
  const all = near.some(({ id }) => id === memory.id) ? near : [memory, ...near];
  const group = contradictionsAmong(all).find((ones) => ones.some(({ id }) => id === memory.id)) ?? [];
  return group.filter(({ id }) => id !== memory.id);
}
const MOST_READ = 20;

/** What is said to be right stands already: what says otherwise is hidden. */
export async function keptPlan(memory: Memory, where: Where): Promise<Plan | undefined> {
  const others = await othersThan(memory, where);
  return others.length === 0 ? undefined : hidingPlan(memory, others, where.branch);
}

const hidingPlan = (kept: Memory, others: readonly Memory[], branch: string): Plan => ({
  kind: "plan",
  would: `${shortId(kept.id)} says so. Would forget what says otherwise on ${named(branch)}`,
  note: `What stays: “${named(kept.content)}”`,
  shown: { kind: "memories", memories: others },
  preview: { memories: others, kept: [kept] },
  consent: "always",
  actions: [{ verb: "forget", ids: others.map(({ id }) => id) }],
});

/** The memory that already says what one would say after it was revised: two of one text help nobody. */
export async function sameText(
  text: string,
  revised: string,
  { space, branch }: Where,
): Promise<Memory | undefined> {
  const found = await space.recall(text, { branch, limit: MOST_READ, priors: false, spelling: false });
  return found.find(({ id, content }) => id !== revised && plainText(content) === plainText(text));
}
const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[.!; ]+$/, "");

/** Where no conflict is open: of two memories, one says what is right, or is the other than the one that is not. */
export async function settleMemories(
  request: Asked<"settle">,
  { space, branch }: Where,
): Promise<Plan | undefined> {
  const { topic = "", value, notValue, agent: name, when } = request;
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch);
  const words = describing(topic).filter((word) => valuesIn(word).length === 0);
  const groups = contradictionsAmong(await everyMemory(space, { branch })).map((memories) => ({
    memories,
    shared: words.filter((word) => memories.some(({ content }) => has(stemsOf(content), word))).length,
    kept: memories.filter(
      (memory) =>
        (value === undefined || isValueOf(memory, value, memories)) &&
        (notValue === undefined || !isValueOf(memory, notValue, memories)) &&
        (agent === undefined || memory.by.agent === agent) &&
        (when === undefined || isEdge(memory, memories, when)),
    ),
  }));
  const most = Math.max(0, ...groups.map(({ shared }) => shared));
  if (words.length > 0 && most === 0) return undefined;
  const [group, ...more] = groups.filter(({ shared, kept }) => shared === most && kept.length === 1);
  const [kept] = group?.kept ?? [];
  if (group === undefined || kept === undefined || more.length > 0) return undefined;
  const others = group.memories.filter(({ id }) => id !== kept.id);
  return hidingPlan(kept, others, branch);
}

/** A value that not all of them say: by the others, the words tell nothing apart. */
function isValueOf(memory: Memory, words: string, all: readonly Memory[]): boolean {
  const values = valuesIn(words).filter((value) => !all.every((one) => hasValue(one, value)));
  if (values.length > 0) return values.some((value) => hasValue(memory, value));
  const own = describing(words).filter((word) => !all.every(({ content }) => has(stemsOf(content), word)));
  return own.length > 0 && own.every((word) => has(stemsOf(memory.content), word));
}

const hasValue = ({ content }: Memory, value: TypedPart): boolean =>
  valuesIn(content).some((one) => isSameValue(one, value));

const isEdge = (memory: Memory, all: readonly Memory[], when: "newest" | "oldest"): boolean => {
  const times = all.map(({ at }) => at);
  return memory.at === (when === "newest" ? Math.max(...times) : Math.min(...times));
};
