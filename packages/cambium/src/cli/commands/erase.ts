import type { EraseOptions, EraseResult, Progress, Space } from "@cambium/client";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { outOfReach } from "../../backup/out-of-reach.js";
import { isTyped } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { CountLine } from "../count-line.js";
import { erasuresKnown, NOTHING_ERASED, stoppedAfter, stoppedErasure } from "../erase-stopped.js";
import { unlessStopped } from "../failure.js";
import type { Io } from "../io.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { agentOption, branchOption, collect, positiveInteger, reasonOption } from "../options.js";
import { periodOptions, readPeriodOptions } from "../period-options.js";
import { proveErased } from "../prove-erasure.js";
import { beyondLines, erasedText, erasePreview } from "../render/erasure.js";
import { unknownLines } from "../unknown-names.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  periodOptions(reasonOption(agentOption(branchOption(command))), "versions written")
    .option("--version <n>", "only this version of the one memory named; may be repeated", collect)
    .option("--query <words>", "memories that speak of this, in any wording they ever had on any branch")
    .option("--category <name>", "what is of this category, or ever was; repeat it to allow several", collect)
    .option("--tag <tag>", "what has this tag, or ever had; repeat it to require several", collect)
    .option("--kind <kind>", "what is of this kind, or ever was; repeat it to allow several", collect)
    .option("--area <area>", "what is of this area, or ever was; repeat it to allow several", collect)
    .option("--source <path>", "memories that came from this file, folder, address, thread or tool")
    .option("--by <agent>", "only what this agent wrote; repeat it to allow several", collect)
    .option("--also <id>", "take this memory along, or `all` that may repeat it; may be repeated", collect)
    .option("--preview", "show what would be erased; write nothing")
    .option("--confirm <n>", "how many memories the preview said, instead of typing it", positiveInteger)
    .option("--many", "it is meant, where more than 25 memories and a tenth of the space go")
    .option(
      "--prove <text>",
      "look for this text in every file of this home; - reads it; may be repeated",
      collect,
    );

type Options = OptionsOf<typeof options>;

export const erase: CommandDefinition<typeof options, [ids: readonly string[]]> = {
  about:
    "Destroy memories or versions for good, here and on every device that syncs. Shows what goes and asks first. It cannot be undone; `cambium forget` only hides",
  examples: [
    "cambium erase 0198c2a4 --preview",
    "cambium erase 0198c2a4 --version 2",
    "cambium erase --category health --until 2024-12-31 --confirm 12",
    "cambium erase --branch draft",
    "cambium erase --space old-notes --preview",
    'cambium erase --prove "the door code is 4711"',
  ],
  options,
  act: async (context, [ids], asked) => {
    const { prove, preview: isPreview = false, confirm } = asked;
    if (prove !== undefined) return await proveErased(context, prove, { ids, options: asked });
    const period = await readPeriodOptions(asked, context);
    const { io, style } = context;
    const wanted = wantedOf(ids, asked, omitUndefined({ since: period.since, until: period.until }));
    const looked = await lookedAt(wanted, context);
    const { preview, beyond, unknown, ended } = looked;
    const lines = [...period.lines];
    if (preview.status === "nothing") lines.push("Nothing to erase.", ...unknown);
    else
      lines.push(
        erasePreview(preview, style, { ended, isAll: wanted.also?.includes("all") === true }),
        ...placeLines(wanted),
        ...beyondLines(beyond),
      );
    if (isPreview || preview.status === "nothing") {
      if (preview.status === "preview") lines.push("Nothing was erased.");
      return await context.answer({ ...preview, ...period.document, ...beyond }, () => lines.join("\n"));
    }
    const count = preview.counts.memories;
    const hint = `Look at it with --preview, then add --confirm ${count}: --yes does not count here.`;
    const question = `This cannot be undone. Type ${count} to erase:`;
    if (confirm === undefined && !(await isTyped(String(count), lines.join("\n"), question, io, hint)))
      return await context.answer(preview, () => "Nothing was erased.");
    context.agree();
    const result = await erased({ ...wanted, confirm: confirm ?? count }, context);
    const document = { ...result, ...period.document, ...beyond };
    return await context.answer(document, () => erasedText(result, style, beyond));
  },
};

function wantedOf(ids: readonly string[], asked: Options, period: EraseOptions): EraseOptions {
  const { reason, many, also } = asked;
  const selected = { ...selectionOf(ids, asked), ...period };
  return {
    ...(Object.keys(selected).length === 0 ? placeOf(asked) : selected),
    ...omitUndefined({ reason, many, also }),
  };
}

/** The branch on which ids are looked for; where a branch itself is meant, none. */
const branchOf = ({ onlyOn }: EraseOptions, context: Context): string | undefined =>
  onlyOn === undefined ? context.branch : undefined;

/** What goes, what an erasure does not reach, and what else somebody should know who is asked to confirm it. */
const lookedAt = (wanted: EraseOptions, context: Context) => {
  const { io, home } = context;
  const looking = context.withSpace(async ({ agent, space }) => {
    const asked = { ...wanted, branch: branchOf(wanted, context), preview: true, signal: io.signal };
    const preview = await counting(io, (onProgress) => agent.erase({ ...asked, onProgress }));
    return {
      preview,
      beyond: outOfReach(home, space.id, io.now()),
      unknown: preview.status === "nothing" ? await unknownLines(space, wanted) : [],
      ended: preview.devices.length === 0 ? NONE_ENDED : await endedDevices(space),
    };
  });
  return unlessStopped(looking, io, () => NOTHING_ERASED);
};

async function erased(wanted: EraseOptions, context: Context): Promise<EraseResult> {
  const { io } = context;
  let done: EraseResult | undefined;
  const erasing = context.withSpace(async ({ agent, space }) => {
    const before = await erasuresKnown(space);
    const sure = { ...wanted, branch: branchOf(wanted, context), signal: io.signal };
    const asked = counting(io, (onProgress) => agent.erase({ ...sure, onProgress }));
    done = await unlessStopped(asked, io, (result) => stoppedErasure(space, context, { before, result }));
    return done;
  });
  return await unlessStopped(erasing, io, () => stoppedAfter(done));
}

/** Shows which step it is at, and how far. */
async function counting<Result>(
  io: Io,
  erase: (onProgress: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> {
  using counts = new CountLine(io);
  return await erase(({ stage, done, total }) => counts.show(done, total, stage));
}

const NONE_ENDED: ReadonlySet<string> = new Set();

/** Devices that do not sync any more, by their ids. A courtesy: no erasure fails for it. */
async function endedDevices({ members }: Pick<Space, "members">): Promise<ReadonlySet<string>> {
  const all = await members.list().catch(() => []);
  return new Set(all.flatMap(({ replica, revokedAt }) => (revokedAt === undefined ? [] : (replica ?? []))));
}

/** A branch or a space that is named, and nothing in it, is meant itself. */
function placeOf({ branch, space }: Options): EraseOptions {
  if (branch !== undefined) return { onlyOn: branch };
  return space === undefined ? {} : { everything: true };
}

function placeLines({ onlyOn, everything }: EraseOptions): readonly string[] {
  if (onlyOn !== undefined)
    return [
      `Only what no other branch has. The branch ${oneLine(onlyOn)} is deleted with it, and so are its checkpoints, and their names.`,
    ];
  const note = "This is the whole space, on every device: nothing can be written to it any more.";
  return everything === true ? [note] : [];
}

function selectionOf(ids: readonly string[], asked: Options): EraseOptions {
  const { version, query, category, tag, kind, area, by: agent, source } = asked;
  const labels = omitUndefined({ query, category, tag, kind, area, agent, source });
  if (version === undefined) return { ...labels, ...(ids.length === 0 ? {} : { ids }) };
  const [id] = ids;
  if (id === undefined || ids.length > 1)
    throw new UsageError("--version is about one memory.", "Name it: cambium erase <id> --version 2");
  const versions = version.map((name) => ({ id, version: /^\d{1,3}$/.test(name) ? Number(name) : name }));
  return { ...labels, versions };
}
