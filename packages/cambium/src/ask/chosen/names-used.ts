/**
 * A name of the space in a sentence is a part of what is asked: a branch that is named is where it is looked for, a
 * checkpoint is the state that is asked about. What uses neither is refused, rather than answered about something else.
 * Pure.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { oneLine } from "@cambium/core/text";
import { escaped } from "../escaped.js";
import type { Intent, NotUnderstood, Surroundings, Understanding, Understood } from "../intent.js";
import { classesOf } from "../trained/lexicon.js";

/** They are looked for on a branch. */
const ON_BRANCH: ReadonlySet<Intent["operation"]> = new Set([
  ...(["recall", "list", "history", "blame", "evolution", "before-correction", "count"] as const),
  ...(["forgotten", "doubt"] as const),
]);
/** They change what is on a branch. */
const CHANGE: ReadonlySet<Intent["operation"]> = new Set([
  ...(["forget", "restore", "undo", "take-back", "rollback", "settle", "file", "checkpoint"] as const),
]);

/** A name of several words or with a sign in it, as it is written; or one that is called what it is. */
function named(sentence: string, names: readonly string[], lead: string): readonly string[] {
  return names.filter((name) => {
    const bare = escaped(name);
    const isOwn = /[-_/\d]/.test(name);
    const form = isOwn
      ? `(?<![\\p{L}\\p{N}_/-])${bare}(?![\\p{L}\\p{N}_/-])`
      : `\\b(?:${lead}) ${bare}(?![\\p{L}\\p{N}_/-])`;
    return new RegExp(form, "iu").test(sentence);
  });
}

const without = (words: string, name: string): string =>
  words
    .replace(
      new RegExp(
        `(?:,? ?\\b(?:(?:over )?on|in|for|of|at|as of|to|from|back) )*(?:the )?(?:branch |checkpoint )?${escaped(name)}(?: (?:branch|checkpoint|snapshot))?`,
        "i",
      ),
      " ",
    )
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:?!.]+|[\s,;:?!.]+$/g, "");

/** "What is planned on trial" asks for all of it. */
const OF_ALL =
  /^(?:(?:what|whats|which|everything|anything|all) )?(?:(?:is|was|has|have|had|been|do|did|we|I|you|there|so|far|already|know|ideas?|plans?|planned|noted|saved|written|stored|agreed|decided|kept) ?)+$/i;

/** What is asked without the words that say where, or of when. */
function withoutWords(request: Intent, name: string): Intent {
  if (request.operation === "recall") {
    const { query, ...more } = request;
    const rest = without(query, name);
    return rest === "" || OF_ALL.test(rest)
      ? { ...more, operation: "list" }
      : { ...more, operation: "recall", query: rest };
  }
  if ("topic" in request && request.topic !== undefined) {
    const rest = without(request.topic, name);
    return rest === "" ? request : ({ ...request, topic: rest } as Intent);
  }
  return request;
}

const asksOfSomething = (query: string): boolean =>
  (query.match(/[\p{L}\p{N}]+/gu) ?? []).some(
    (word) => !STOP_WORDS.has(word.toLowerCase()) && !classesOf(word.toLowerCase()).includes("merge"),
  );

const refusal = (kind: string, name: string): NotUnderstood => ({
  understood: false,
  why: `The ${kind} ${oneLine(name)} is named, and what is asked of it was not understood. Nothing was done.`,
});

/** @returns the request with the names that it left out, or why it is none */
export function withNamesUsed(found: Understood, sentence: string, around: Surroundings): Understanding {
  const others = found.others?.map((one) => withNames(one, sentence, around));
  const first = withNames(found, sentence, around);
  const failed = [first, ...(others ?? [])].find((one) => !one.understood);
  if (failed !== undefined || !first.understood) return failed ?? first;
  return others === undefined ? first : { ...first, others: others as readonly Understood[] };
}

function withNames(found: Understood, sentence: string, around: Surroundings): Understanding {
  const branched = onBranchNamed(found, sentence, around);
  const used = branched.understood ? atCheckpointNamed(branched, sentence, around) : branched;
  const isAll = used.understood && used.branch !== undefined && used.request.operation === "list";
  return isAll && ASKS_MORE.test(sentence) ? refusal("branch", used.branch?.said ?? "") : used;
}

/** "Check out trial". */
const TO_WORK_ON =
  "^(?:(?:ok(?:ay)?|now|so|please|pls|can you|could you|let's|let me) )*(?:check ?out|switch (?:over )?to|(?:go|jump|hop|move)(?: over)? (?:on)?to|(?:put|take) (?:me|us) (?:on|to|onto)|work on) (?:the )?(?:branch )?";

/** No list answers these. */
const ASKS_MORE = /^(?:when|why|who|how)\b/i;

function onBranchNamed(found: Understood, sentence: string, { branches }: Surroundings): Understanding {
  const { request } = found;
  if (found.branch !== undefined && request.operation === "recall" && OF_ALL.test(request.query)) {
    const { query: _query, ...rest } = request;
    return { ...found, request: { ...rest, operation: "list" } };
  }
  const [name, ...more] = named(
    sentence,
    branches.filter((one) => one !== "main"),
    "on|branch",
  );
  if (name === undefined || more.length > 0 || found.branch !== undefined) return found;
  if (new RegExp(`${TO_WORK_ON}${escaped(name)}(?: branch)?[\\s.!?]*$`, "i").test(sentence))
    return {
      understood: true,
      request: { operation: "use-branch", branch: { said: name, matches: [name] } },
    };
  if (ON_BRANCH.has(request.operation)) {
    const { leftOut = [], ...asked } = found;
    const left = leftOut.filter((part) => !part.includes(name));
    const branch = { said: name, matches: [name] };
    const rest = withoutWords(request, name);
    // "When did I merge trial" asks for nothing that is on it.
    if (rest.operation === "recall" && !asksOfSomething(rest.query)) return refusal("branch", name);
    return {
      ...{ ...asked, request: rest, branch },
      ...(left.length === 0 ? {} : { leftOut: left }),
    };
  }
  return CHANGE.has(request.operation) && !JSON.stringify(request).includes(name)
    ? refusal("branch", name)
    : found;
}

const SINCE = "since|after|from|between|until|till|before|to";

function atCheckpointNamed(
  found: Understood,
  sentence: string,
  { checkpoints }: Surroundings,
): Understanding {
  const { request } = found;
  const [name, ...more] = named(sentence, checkpoints, "checkpoint|snapshot|as of|at the|at");
  if (name === undefined || more.length > 0) return found;
  if (!ON_BRANCH.has(request.operation)) return found;
  const { query: _query, topic: _topic, ...rest } = { query: "", topic: "", ...request };
  if (JSON.stringify(rest).includes(name)) return found;
  const isEdge = new RegExp(`\\b(?:${SINCE}) (?:the )?(?:checkpoint )?${escaped(name)}`, "i").test(sentence);
  if (isEdge || (request.operation !== "recall" && request.operation !== "list"))
    return refusal("checkpoint", name);
  const at = { said: name, ref: `checkpoint:${name}` };
  return { ...found, request: { ...withoutWords(request, name), at } as Intent };
}
