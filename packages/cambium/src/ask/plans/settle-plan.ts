/**
 * Decides an open conflict by what a sentence says of the side that stays: its value, who wrote it or where, or that it
 * is the newer one.
 *
 * @module
 */
import type { FieldConflict, Memory } from "@cambium/core";
import { shortId } from "@cambium/core/text";
import { describing, valuesIn } from "../changed-value.js";
import { escaped } from "../escaped.js";
import { knownName } from "../grammar/known-names.js";
import { agentNamed } from "../targets.js";
import { correctPlan } from "./correction-plans.js";
import { settleMemories } from "./otherwise-plans.js";
import { type Asked, type Idle, named, type Plan, type Planning } from "./plan.js";

type ConflictValue = FieldConflict["values"][number];

interface Side {
  readonly memory: Memory;
  readonly conflict: FieldConflict;
  readonly value: ConflictValue;
}

export async function settlePlan(request: Asked<"settle">, planning: Planning): Promise<Plan | Idle> {
  const { space, branch } = planning;
  const open = await space.conflicts({ branch });
  const isChosen = await chosenBy(request, planning);
  const all = open.flatMap(({ memory, fields }) =>
    fields.map((conflict) => conflict.values.map((value): Side => ({ memory, conflict, value }))),
  );
  const about = narrowed(all, request);
  const [side, ...others] = about.flatMap((sides) => sides.filter((one) => isChosen(one, sides)));
  const count = open.length;
  const between = side === undefined ? await settleMemories(request, planning) : undefined;
  if (between !== undefined) return between;
  if (side === undefined && request.content !== undefined)
    return await correctPlan(correctionOf(request.content, request.notValue), planning);
  if (side === undefined || others.length > 0)
    return {
      kind: "idle",
      why:
        count === 0
          ? `No conflict is open on ${named(branch)}: there is nothing to decide.`
          : `${side === undefined ? "No side of an open conflict is" : "More than one side of the open conflicts is"} that one. Nothing was written. Both sides of each, and how to decide it: cambium conflicts`,
      preview: { open: count },
      look: { verb: "conflicts" },
    };
  const { memory, conflict, value } = side;
  const discard = conflict.values.map(({ record }) => record).filter((record) => record !== value.record);
  return {
    kind: "plan",
    would: `Would settle the conflict of ${shortId(memory.id)} on ${named(branch)}: ${conflict.field} stays “${named(textOf(value))}”`,
    note: `What goes: ${conflict.values
      .filter(({ record }) => record !== value.record)
      .map((other) => `“${named(textOf(other))}”`)
      .join(", ")}`,
    preview: { id: memory.id, field: conflict.field, keep: value.value },
    consent: "asked",
    actions: [{ verb: "resolve", id: memory.id, field: conflict.field, keep: value.record, discard }],
  };
}

/** "It's port 8010, the 8100 one is wrong" is one value instead of another, where only one memory speaks of it. */
const correctionOf = (content: string, notValue: string | undefined): Asked<"correct"> => ({
  ...{ operation: "correct", content, subject: content, type: "correct", isKnown: true, isValue: true },
  whole: notValue === undefined ? content : `${content}, not ${notValue}`,
});

const textOf = ({ value }: ConflictValue): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** Where words name one, only that; a value may name it by itself. */
function narrowed(
  all: readonly (readonly Side[])[],
  { topic = "", value }: Asked<"settle">,
): readonly (readonly Side[])[] {
  const words = describing(topic);
  const sharedWith = (sides: readonly Side[]): number => {
    const text = sides.map(({ value }) => textOf(value).toLowerCase()).join(" ");
    return words.filter((word) => text.includes(word.replace(/s$/, ""))).length;
  };
  const most = Math.max(0, ...all.map(sharedWith));
  if (most > 0) return all.filter((sides) => sharedWith(sides) === most);
  return words.length === 0 || value !== undefined ? all : [];
}

async function chosenBy(
  { value, notValue, agent: name, device, when }: Asked<"settle">,
  { space, branch }: Planning,
): Promise<(side: Side, sides: readonly Side[]) => boolean> {
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch);
  const devices = device === undefined ? [] : await space.members.devices();
  const replicas = devices
    .filter((one) => knownName(device ?? "", [one.name]) !== undefined)
    .map(({ replica }) => replica);
  const isIn = (text: string, words: string): boolean =>
    [words, ...valuesIn(words).map((part) => part.text)].some((one) =>
      new RegExp(`(?<![\\p{L}\\d])${escaped(one)}(?![\\p{L}\\d])`, "iu").test(text),
    );
  const hasValue = (text: string): boolean =>
    (value === undefined || isIn(text, value)) && (notValue === undefined || !isIn(text, notValue));
  return (side, sides) => {
    const times = sides.map((one) => one.value.at);
    const edge = when === "newest" ? Math.max(...times) : Math.min(...times);
    return (
      hasValue(textOf(side.value)) &&
      (agent === undefined || side.value.by.agent === agent) &&
      (device === undefined || replicas.includes(side.value.by.replica)) &&
      (when === undefined || side.value.at === edge)
    );
  };
}
