/**
 * Requests that only read: the verb that answers them, and what no verb says by itself.
 *
 * @module
 */
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { type AskedAnswer, answerOf, listedAnswer, memoryAbout, sinceThen } from "../answers.js";
import { describing } from "../changed-value.js";
import { findMemories, speaksOf } from "../find-memories.js";
import { knownName } from "../grammar/known-names.js";
import type { Intent, ParsedPeriod } from "../intent.js";
import { periodOfDays } from "../period-used.js";
import { agentNamed, branchTarget, edgesOf } from "../targets.js";
import { alsoWritten } from "./also-written.js";
import { labelsAnswer } from "./labels-answer.js";
import { otherwiseAnswer } from "./otherwise-plans.js";
import type { Asked, Idle, Look, Planning, Reading } from "./plan.js";
import { besideSearch, strangeSearch } from "./second-look.js";

const reading = (look: Look, more: Partial<Reading> = {}): Reading => ({ kind: "reading", look, ...more });

/** @returns undefined for what writes */
export async function readingFor(request: Intent, planning: Planning): Promise<Reading | Idle | undefined> {
  const { space, branch } = planning;
  switch (request.operation) {
    case "recall": {
      const strange = request.isStrange ? await strangeSearch(request.query, planning) : undefined;
      return strange ?? (await thenAndSince(request, planning));
    }
    case "list":
      return await thenAndSince(request, planning);
    case "evolution": {
      const { topic: query, from } = request;
      if (query === undefined) break;
      return reading({ verb: "evolution", query, ...omitUndefined({ from }) });
    }
    case "before-correction":
      return await beforeCorrectionReading(request.topic, planning);
    case "blame":
    case "history": {
      const found = await findMemories(space, request.topic, { branch });
      if (found.length === 0 && request.orSearch)
        return reading({ verb: "recall", query: request.topic }, { answer: NO_HISTORY });
      const about = await memoryAbout(request.topic, planning);
      // Of what has a past, it can be asked.
      const isPast = request.operation === "history";
      const memories = isPast
        ? about.toSorted(
            (one, other) =>
              spokenIn(other, request.topic) - spokenIn(one, request.topic) ||
              Number(other.version > 1) - Number(one.version > 1),
          )
        : about;
      return reading({ verb: request.operation, id: (memories[0] as Memory).id }, { memories });
    }
    case "changes":
      return changesReading(request.period, branch);
    case "difference": {
      const [from, to] = [await branchTarget(request.from, space), await branchTarget(request.to, space)];
      return reading({ verb: "diff", from, to });
    }
    case "labels":
      return { kind: "reading", answer: await labelsAnswer(request, planning) };
    case "checkpoints":
      return reading({ verb: "checkpoints" }, { answer: BACKUPS });
    case "conflicts": {
      const answer = await otherwiseAnswer(planning);
      return reading({ verb: "conflicts" }, answer && { answer });
    }
    case "branches":
    case "status":
      return reading({ verb: request.operation });
    default:
      break;
  }
  const answer = await answerOf(request, planning);
  return answer && { kind: "reading", answer };
}

/** How many words of it the text says; a label alone says less. */
const spokenIn = ({ content }: Memory, topic: string): number =>
  describing(topic).filter((word) => speaksOf(content, word)).length;

const NO_HISTORY: AskedAnswer = {
  document: {},
  lines: ["No memory says most of this, so it was searched for. The versions of one: cambium history <id>."],
};

/** They are called so, too. */
const BACKUPS: AskedAnswer = {
  document: {},
  lines: ["These are states inside the memory. Backups in files: cambium backup --list"],
};

/** Of several, one that was corrected; of none, it is said that what it says now is what it has always said. */
async function beforeCorrectionReading(topic: string, planning: Planning): Promise<Reading> {
  const { space, branch } = planning;
  const found = await memoryAbout(topic, planning);
  const memories = found.toSorted((one, other) => Number(other.version > 1) - Number(one.version > 1));
  const { id, version } = memories[0] as Memory;
  const isCorrected = (await space.beforeCorrection(id, { branch })) !== undefined;
  if (isCorrected) return reading({ verb: "before-correction", id }, { memories });
  const line =
    version > 1
      ? "It was changed, and never corrected."
      : "It was never corrected: it has said this from the beginning.";
  return reading(
    { verb: "history", id },
    { memories, answer: { document: { corrected: false }, lines: [line] } },
  );
}

/** Of a state of the past, what came of it belongs to the answer. */
async function thenAndSince(request: Asked<"recall"> | Asked<"list">, planning: Planning): Promise<Reading> {
  const at = request.at?.ref;
  const agent =
    request.agent === undefined
      ? undefined
      : await agentNamed(request.agent, planning.space, planning.branch);
  if (request.operation === "recall" && agent !== undefined && !(await hasWritten(agent, planning))) {
    // "What did Tom say about tea yesterday": of somebody who writes nothing here, others may have written.
    const query = [request.agent, request.query, request.period?.said].filter(Boolean).join(" ");
    return reading({ verb: "recall", query });
  }
  const query = request.operation === "recall" ? request.query : undefined;
  if (request.operation === "recall" && request.isNewest) return await newestOf(request, agent, planning);
  const { category, tag, period, limit } = request;
  const filters = omitUndefined({ category, tag, agent, at, ...edgesOf(period, planning.now), limit });
  const look: Look =
    query === undefined ? { verb: "list", ...filters } : { verb: "recall", query, ...filters };
  if (request.device !== undefined) return await onDevice(request.device, look, planning);
  const elsewhere =
    query === undefined || at !== undefined ? undefined : await onOtherBranch(query, look, planning);
  if (elsewhere !== undefined) return elsewhere;
  if (at === undefined && query !== undefined && Object.keys(filters).length === 0) {
    const beside = await besideSearch(query, planning);
    return reading(look, beside && { answer: beside });
  }
  if (at === undefined && query === undefined && agent !== undefined && limit === undefined) {
    const also = await alsoWritten(agent, filters, planning);
    return reading(look, also && { answer: also });
  }
  if (at === undefined || (category ?? tag) !== undefined) return reading(look);
  return reading(look, { answer: await sinceThen({ at, ...omitUndefined({ query }) }, planning) });
}

/** Where nothing is found on main, another branch may say it; where several do, none is chosen. */
async function onOtherBranch(
  query: string,
  look: Look,
  { space, branch }: Planning,
): Promise<Reading | undefined> {
  const { verb: _verb, ...filters } = look;
  if (branch !== "main" || Object.keys(filters).length > 1) return undefined;
  if ((await space.recall(query, { branch, limit: 1, spelling: false })).length > 0) return undefined;
  const others = (await space.branches.list()).filter(({ name }) => name !== branch).slice(0, MOST_BRANCHES);
  const all = await Promise.all(
    others.map(async ({ name }) => ({
      name,
      found: await space.recall(query, { branch: name, spelling: false }),
    })),
  );
  const [one, ...more] = all.filter(({ found }) => found.length > 0);
  if (one === undefined || more.length > 0) return undefined;
  const how = `about "${oneLine(query)}" on the branch ${oneLine(one.name)}, and none on ${branch}`;
  return { kind: "reading", answer: listedAnswer(one.found, how) };
}
const MOST_BRANCHES = 10;

/** "The last thing I told you about the pumps". */
async function newestOf(
  { query, limit = 1 }: Asked<"recall">,
  agent: string | undefined,
  { space, branch }: Planning,
): Promise<Reading> {
  const found = (await findMemories(space, query, { branch }))
    .filter(({ by }) => agent === undefined || by.agent === agent)
    .toSorted((one, other) => other.at - one.at);
  return {
    kind: "reading",
    answer: listedAnswer(found.slice(0, limit), `written last about "${oneLine(query)}"`),
  };
}

/** No verb takes a device: the library is asked. */
async function onDevice(
  name: string,
  look: Extract<Look, { verb: "list" | "recall" }>,
  { space, branch }: Planning,
): Promise<Reading> {
  const devices = await space.members.devices();
  const device = devices
    .filter((one) => knownName(name, [one.name]) !== undefined)
    .map(({ replica }) => replica);
  if (device.length === 0)
    throw new CambiumError("BAD_INPUT", `No device is called "${oneLine(name)}".`, {
      hint: `These have written here: ${devices.map((one) => oneLine(one.name)).join(", ")}.`,
    });
  const { verb: _verb, ...filters } = look;
  const { query, forgotten: _forgotten, ...more } = { query: undefined, forgotten: undefined, ...filters };
  const options = { branch, device, ...more };
  const found =
    query === undefined ? (await space.list(options)).memories : await space.recall(query, options);
  return { kind: "reading", answer: listedAnswer(found, `written on ${oneLine(name)}`) };
}

const hasWritten = async (agent: string, { space, branch }: Planning): Promise<boolean> =>
  (await space.list({ branch, agent, deleted: true, limit: 1 })).memories.some(
    ({ by }) => by.agent === agent,
  );

function changesReading({ said, from, to, interval }: ParsedPeriod, branch: string): Reading {
  const until = to === undefined ? branch : `${branch}@${to}`;
  const look: Look = { verb: "diff", from: `${branch}@${from}`, to: until };
  return reading(look, interval && { period: periodOfDays({ said, ...interval }) });
}
