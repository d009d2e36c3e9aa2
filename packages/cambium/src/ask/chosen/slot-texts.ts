/**
 * The parts that the trained reader found, as parts of the sentence: whole words and numbers, without words that name
 * nothing, and by what the names of the space say they are.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { knownName } from "../grammar/known-names.js";
import type { Surroundings } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import type { Choice, Slot } from "./choice.js";
import { branchMentioned } from "./mentioned.js";

type Found = TrainedReading["slots"][number];

/** As a choice of that act. */
export function choiceOf(
  act: Exclude<Act, "none">,
  sentence: string,
  { slots: all }: Pick<TrainedReading, "slots">,
  around: Surroundings,
): Choice {
  const slots: Partial<Record<Slot, readonly string[]>> = {};
  const left: string[] = [];
  const parts = all.map((one) => whole(one, sentence));
  for (const found of together(act === "remember" ? withRest(parts, sentence) : parts, sentence)) {
    const text = sentence.slice(found.start, found.end);
    // A new tag may be called like something else.
    const name = act === "remember" && found.name === "tag" ? "tag" : byNames(found.name, text, around);
    // "What has changed on main" names no topic.
    if (name === "topic" && /^main(?: branch)?$/i.test(text)) continue;
    if (name === "left") left.push(text);
    else if (!isEmpty(name, text)) slots[name] = [...(slots[name] ?? []), text];
  }
  // "4.2 is at 50 percent" says what it is about, and not what that takes the place of.
  const { old, ...others } = slots;
  const named =
    act !== "correct" || old === undefined || CONTRASTS.test(sentence) ? slots : { topic: old, ...others };
  const branch = OF_A_BRANCH.has(act) ? branchNamed(slots, sentence, around) : undefined;
  return { operation: act, slots: branch === undefined ? named : { ...named, branch: [branch] }, left };
}

/** What is so no longer is said to be so. */
const CONTRASTS =
  /\b(?:not|no|\w+n['’]t|instead|rather|than|from|to|into|over|any ?more|any longer|was|were|been|used to|formerly|previously|before|old|wrong|replac\w*|switch\w*|swap\w*|drop\w*|chang\w*|bec[ao]mes?|turn\w*)\b|->|→/i;

const OF_A_BRANCH: ReadonlySet<Act> = new Set(["use-branch", "delete-branch", "merge", "difference"]);

/** "Winter-menu is merged, bin that branch": the one that the sentence names, where no part does. */
function branchNamed(
  { branch = [], into = [] }: Partial<Record<Slot, readonly string[]>>,
  sentence: string,
  around: Surroundings,
): string | undefined {
  const { branches } = around;
  if (branch.some((words) => knownName(words, branches) !== undefined)) return undefined;
  const used = new Set(into.map((words) => knownName(words, branches)));
  const words = sentence.split(/[\s,;:.!?"'“”()]+/);
  const named = words.flatMap((word) => knownName(word, branches) ?? []);
  const [one, ...others] = new Set(named.filter((name) => name !== "main" && !used.has(name)));
  if (others.length > 0) return undefined;
  return one ?? branchMentioned("", sentence, around).branch?.matches[0];
}

const IN_WORD = /[\p{L}\p{N}]/u;
/** "2,650" and "half-term" are one word. */
const JOINS = /[\p{L}\p{N}][-.,:/@'’][\p{L}\p{N}]/u;

/** From the first letter of its first word to the last one of its last. */
function whole(found: Found, sentence: string): Found {
  let { start, end } = found;
  const isInside = (at: number): boolean =>
    at > 0 &&
    at < sentence.length &&
    (/^[\p{L}\p{N}]{2}$/u.test(sentence.slice(at - 1, at + 1)) ||
      JOINS.test(sentence.slice(at - 1, at + 2)) ||
      JOINS.test(sentence.slice(at - 2, at + 1)));
  const isPossessive = /^['’]s\b/.test(sentence.slice(end));
  while (isInside(start)) start -= 1;
  while (!isPossessive && isInside(end)) end += 1;
  while (start < end && !IN_WORD.test(sentence.charAt(start)) && !/["'“#£€$(]/.test(sentence.charAt(start)))
    start += 1;
  return { ...found, start, end };
}

/** "Hive 1 is dead, wasps got in": what stands beside what is to be kept, and is as long, is kept, too. */
function withRest(all: readonly Found[], sentence: string): readonly Found[] {
  const isNotable = ({ start, end }: Found): boolean =>
    sentence.slice(start, end).trim().split(/\s+/).length > 2;
  const hasContent = all.some(({ name }) => name === "content");
  const kept = all.map((found) =>
    found.name === "left" && !hasContent && isNotable(found) ? { ...found, name: "content" as const } : found,
  );
  for (let more = true; more; ) {
    const at = kept.findIndex(
      (found) =>
        found.name === "left" &&
        isNotable(found) &&
        kept.some(
          (other) =>
            other.name === "content" &&
            BESIDE.test(
              found.start >= other.end
                ? sentence.slice(other.end, found.start)
                : sentence.slice(found.end, Math.max(found.end, other.start)),
            ),
        ),
    );
    more = at >= 0;
    const one = kept[at];
    if (one !== undefined) kept[at] = { ...one, name: "content" };
  }
  return kept;
}
const BESIDE = /^[\s,;.:–—-]*$/;

/** Two parts of a text with nothing but a sign between them are one. */
function together(all: readonly Found[], sentence: string): readonly Found[] {
  const joined: Found[] = [];
  for (const found of all.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    const between = last === undefined ? "" : sentence.slice(last.end, found.start);
    if (
      last !== undefined &&
      last.name === found.name &&
      JOINED.has(found.name) &&
      /^[\s,;.:–—-]*$/.test(between)
    )
      joined[joined.length - 1] = { ...last, end: found.end };
    else if (last === undefined || found.start >= last.end) joined.push(found);
  }
  return joined;
}
const JOINED: ReadonlySet<string> = new Set(["content", "topic", "left"]);

const KINDS = {
  branch: "branches",
  into: "branches",
  category: "categories",
  tag: "tags",
  agent: "agents",
  device: "devices",
  state: "checkpoints",
} as const satisfies Partial<Record<Slot, keyof Surroundings>>;
const isKind = (name: string): name is keyof typeof KINDS => name in KINDS;

/** What is no category and is a branch is the branch. */
function byNames(name: Found["name"], text: string, around: Surroundings): Found["name"] {
  if (!isKind(name)) return name;
  const isOf = (kind: keyof typeof KINDS): boolean => knownName(text, around[KINDS[kind]]) !== undefined;
  if (isOf(name)) return name;
  const [other, ...more] = (["branch", "category", "tag", "agent", "device", "state"] as const).filter(isOf);
  return other === undefined || more.length > 0 ? name : other;
}

/** Words that may stand anywhere name nothing. */
const isEmpty = (name: Slot, text: string): boolean => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (name === "content" || name === "name") return words.length === 0;
  return (
    words.every((word) => (STOP_WORDS.has(word) || word.length < 2) && !/\d/.test(word)) && !SOME.has(name)
  );
};
/** "It" may be what takes the place of another thing. */
const SOME: ReadonlySet<Slot> = new Set(["new", "old"]);
