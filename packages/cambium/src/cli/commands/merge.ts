import type {
  FieldResolution,
  MemoryResolution,
  MergeOptions,
  MergeResult,
  MergeScope,
} from "@cambium/client";
import { omitUndefined, oneLine, shortIds } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { type Decision, decideConflict } from "../decide-conflict.js";
import { labelOptions, labelsOf } from "../filter-options.js";
import { parseResolutions } from "../merge-resolutions.js";
import { choice, type OptionsOf, type OptionTable } from "../option-table.js";
import { agentOption, collect, reasonOption, spaceOption, yesOption } from "../options.js";
import { changedByMerge, type MergedMemory, neitherSideText } from "../render/combined.js";
import { type Conflict, type NameSide, sidesOfMerge } from "../render/conflict.js";
import { mergeText } from "../render/merge.js";

const CONFLICT_EXIT = 4;

const options = (command: OptionTable) =>
  labelOptions(agentOption(reasonOption(yesOption(spaceOption(command)))))
    .option("--into <branch>", "the branch to merge into (default: main)")
    .option("--id <id>", "only this memory; may be repeated", collect)
    .option("--query <words>", "only memories of the source that recall finds by these words")
    .option("--preview", "show what would happen; write nothing")
    .addOption(
      choice(
        "--strategy <strategy>",
        "which side wins where both set a field; both: keep the source as a second memory",
        ["source", "target", "newest", "both", "manual"],
      ),
    )
    .option("--resolve <id[.field]=how>", "decide one memory or field; may be repeated", collect)
    .addOption(
      choice("--again <answer>", "after an undone merge: bring back what was reverted?", ["yes", "no"]),
    );

type Options = OptionsOf<typeof options>;

export const merge: CommandDefinition<typeof options, [source: string]> = {
  about:
    "Merge a branch (the source) into another (the target), field by field, and texts by words. At a terminal, asks about each conflict. Elsewhere a conflict stops the merge: nothing is written, and the exit code is 4",
  examples: [
    "cambium merge work-persona --preview",
    "cambium merge work-persona --strategy newest",
    "cambium merge work-persona --category decision --preview",
    "cambium merge work-persona --resolve 0198c2a4-7d3e.category=target --resolve 0198c2a4-81b0=both",
    "cambium merge work-persona --resolve '0198c2a4-7d3e.content=value:Releases are cut on Fridays'",
  ],
  options,
  act: async (context, [from], options) => {
    const { into, preview, strategy, resolve = [], again, reason } = options;
    const only = scopeOf(options);
    const resolutions = parseResolutions(resolve);
    const merging: MergeOptions = {
      ...{ from, into, strategy, preview, reason, ...(only === undefined ? {} : { only }) },
      resolutions,
      again: again === undefined ? undefined : again === "yes",
      signal: context.io.signal,
    };
    const merged = (more: Partial<MergeOptions>): Promise<MergeResult> =>
      context.withSpace(({ agent }) => agent.merge({ ...merging, ...more }));
    let result = await merged({});
    if (result.status === "conflict" && context.io.errors.isTerminal && !context.json) {
      const expect = { from: result.from.heads, into: result.to.heads };
      const decided = await decideMerge(result, resolutions, context);
      if (decided !== undefined) result = await merged({ resolutions: decided, expect });
    }
    const exit = result.status === "conflict" ? CONFLICT_EXIT : 0;
    const text = async (): Promise<string> => {
      const combined = neitherSideText(await sidesOf(result, context), result, context.style);
      return mergeText(result, context.style, { isPart: only !== undefined, combined });
    };
    return await context.answer(result, text, exit);
  },
};

/** What the source says of memories that the merge changed. */
async function sidesOf(result: MergeResult, context: Context): Promise<readonly MergedMemory[]> {
  const changed = changedByMerge(result);
  if (changed.length === 0 || result.status === "conflict") return [];
  const { branch } = result.from;
  return await context.withSpace(
    async ({ space }) =>
      await Promise.all(
        changed.map(async ({ id, after }) => ({ after, source: await space.get(id, { branch }) })),
      ),
  );
}

type Resolutions = Readonly<Record<string, MemoryResolution>>;

/** @returns undefined when one of them stays open: then nothing is merged */
async function decideMerge(
  { conflicts, changed, from, to }: MergeResult,
  resolutions: Resolutions,
  context: Context,
): Promise<Resolutions | undefined> {
  const short = shortIds(conflicts.map(({ id }) => id));
  const branches = { source: from.branch, target: to.branch };
  const decided: Record<string, MemoryResolution> = { ...resolutions };
  for (const { id, fields } of conflicts) {
    const before = changed.find((change) => change.id === id)?.before;
    const sideOf = sidesOfMerge(before);
    const nameSide: NameSide = (value, conflict) => {
      const side = sideOf(value, conflict);
      return side === undefined ? undefined : `${side} (${oneLine(branches[side])})`;
    };
    for (const conflict of fields) {
      const title = `${short(id)} ${oneLine(before?.content ?? "")}`;
      const decision = await decideConflict(conflict, { title, nameSide }, context);
      if (decision === undefined) return undefined;
      const earlier = decided[id];
      const fieldsDecided = typeof earlier === "object" ? earlier : {};
      decided[id] = { ...fieldsDecided, [conflict.field]: resolutionOf(decision, conflict, sideOf) };
    }
  }
  return decided;
}

function resolutionOf(
  decision: Decision,
  conflict: Conflict,
  sideOf: ReturnType<typeof sidesOfMerge>,
): FieldResolution {
  if ("own" in decision) return { value: decision.own };
  const side = sideOf(decision.keep, conflict);
  const isOnly = conflict.values.filter((value) => sideOf(value, conflict) === side).length === 1;
  return side !== undefined && isOnly ? { take: side } : { value: decision.keep.value };
}

/** @returns undefined when the whole branch is meant */
function scopeOf({ id: ids, query, ...labels }: Options): MergeScope | undefined {
  const scope = { ...labelsOf(labels), ...omitUndefined({ ids, query }) };
  return Object.keys(scope).length === 0 ? undefined : scope;
}
