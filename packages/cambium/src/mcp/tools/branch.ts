import type { Branches, BranchInfo } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { counted } from "@cambium/core/text";
import { z } from "zod";
import { dataOf, fitting, type Shown, textsOf } from "../pages.js";
import { confirmed, label, maxBytes, place } from "../schemas.js";
import { shownLabel, shownTime } from "../shown-memory.js";
import { defineTool, type Reply, TAKES_AWAY, type ToolContext } from "../tool.js";

const input = () =>
  z.strictObject({
    action: z.enum(["list", "create", "rename", "delete", "restore"]).default("list"),
    name: label.optional(),
    from: label.describe("create: branch or past state to start from").optional(),
    to: label.describe("rename: the new name").optional(),
    confirmed,
    space: place.space,
  });

/** Lists, makes, renames, deletes and restores branches. */
export const branch = defineTool({
  name: "branch",
  title: "Branch",
  description:
    "List, create, rename, delete or restore branches. A branch is a whole copy of memory that costs nothing: create one before trying out uncertain knowledge, pass its name as branch to the other tools, then merge or delete it. Restore brings a deleted one back.",
  annotations: TAKES_AWAY,
  input,
  run: (call, args) => {
    switch (args.action) {
      case "list":
        return list(call, args);
      case "create":
        return create(call, args);
      case "rename":
        return rename(call, args);
      case "delete":
        return remove(call, args);
      case "restore":
        return restore(call, args);
      default:
        return args.action satisfies never;
    }
  },
});

type Args = z.output<ReturnType<typeof input>>;

const LIST_BYTES = maxBytes.parse(undefined);

async function list({ space }: ToolContext, { name, from, to }: Args): Promise<Reply> {
  // Who names a branch wants something of it; a list would look as if that were done.
  if ((name ?? from ?? to) !== undefined)
    throw new CambiumError("BAD_INPUT", "Say what to do with the branch.", {
      hint: 'Call again with action: "create", "rename", "delete" or "restore"; the list takes no name.',
    });
  const all = await space.branches.list();
  const shown = fitting(all, LIST_BYTES, shownBranch);
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [`${left} more are not shown.`];
  return {
    text: [`${counted(all.length, "branch", "branches")} of ${space.name}:`, ...textsOf(shown), ...more].join(
      "\n",
    ),
    data: { branches: dataOf(shown), left },
  };
}

async function create(call: ToolContext, { name, from }: Args): Promise<Reply> {
  const wanted = required(name, "name", "create");
  const made = await call.as().branches.create(wanted, { from: from ?? call.branch });
  const shown = shownLabel(made.name);
  return {
    text: `Made the branch ${shown} from ${shownLabel(from ?? call.branch)}. Pass branch: "${shown}" to work on it.`,
    data: { branches: [{ name: made.name, status: made.status }], left: 0 },
  };
}

async function rename(call: ToolContext, { name, to }: Args): Promise<Reply> {
  const [was, wanted] = [required(name, "name", "rename"), required(to, "to", "rename")];
  const renamed = shownBranch(await call.as().branches.rename(was, wanted));
  return {
    text: `Renamed ${shownLabel(was)}:\n${renamed.text}`,
    data: { branches: [renamed.data], left: 0 },
  };
}

async function remove(call: ToolContext, { name, confirmed }: Args): Promise<Reply> {
  const wanted = required(name, "name", "delete");
  const branches = call.as({ confirmed }).branches;
  const { found, isGone } = await findBranch(branches, wanted);
  if (isGone) return deletedReply(`The branch ${shownLabel(wanted)} is deleted already.`);
  const mayLose = found !== undefined && (found.ahead ?? 1) > 0;
  if (mayLose && confirmed !== true && !call.agreed) throw unmerged(found);
  await branches.delete(wanted);
  return deletedReply(`Deleted the branch ${shownLabel(wanted)}.`);
}

const deletedReply = (done: string): Reply => ({
  text: `${done} What was on it can still be read; action: "restore" brings it back.`,
  data: { branches: [], left: 0 },
});

async function restore(call: ToolContext, { name }: Args): Promise<Reply> {
  const wanted = required(name, "name", "restore");
  const restored = shownBranch(await call.as().branches.restore(wanted));
  return { text: `It is there:\n${restored.text}`, data: { branches: [restored.data], left: 0 } };
}

async function findBranch(branches: Branches, wanted: string) {
  const all = await branches.list({ deleted: true });
  const named = all.filter(({ id, name }) => name === wanted || id === wanted);
  const found = named.find(({ status }) => status !== "deleted");
  return { found, isGone: found === undefined && named.length > 0 };
}

const unmerged = ({ name, ahead, parent = "main" }: BranchInfo): CambiumError =>
  new CambiumError(
    "CONFIRMATION_NEEDED",
    ahead === undefined
      ? `This would delete ${name}. Its contents have not arrived here, so what ${parent} lacks of it is unknown. It was not confirmed. Nothing was done.`
      : `This would delete ${name} with ${counted(ahead, "change")} that ${parent} lacks. It was not confirmed. Nothing was done.`,
  );

function required(value: string | undefined, name: string, action: string): string {
  if (value !== undefined) return value;
  throw new CambiumError(
    "BAD_INPUT",
    `The action ${action} takes the argument "${name}", which is missing.`,
    {
      hint: `Call again with action: "${action}" and ${name}: "…".`,
    },
  );
}

interface ShownBranch {
  readonly name: string;
  readonly status: string;
  readonly isHere: boolean;
  readonly memories?: number;
  readonly parent?: string;
  readonly forkedAt?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly madeBy?: string;
  readonly merged?: string;
}

function shownBranch(branch: BranchInfo): Shown<ShownBranch> {
  const { name, status, isHere, memories, parent, forkedAt, ahead, behind, madeBy, merged } = branch;
  const data: ShownBranch = {
    ...{ name: shownLabel(name), status, isHere },
    ...(memories === undefined ? {} : { memories }),
    ...(ahead === undefined || behind === undefined ? {} : { ahead, behind }),
    ...(parent === undefined ? {} : { parent: shownLabel(parent) }),
    ...(forkedAt === undefined ? {} : { forkedAt: shownTime(forkedAt) }),
    ...(madeBy === undefined ? {} : { madeBy: shownLabel(madeBy) }),
    ...(merged === undefined ? {} : { merged: shownTime(merged) }),
  };
  return { data, text: `- ${data.name}: ${heldText(data)}${status === "open" ? "" : `, ${status}`}` };
}

function heldText({ memories, parent, ahead, behind, madeBy }: ShownBranch): string {
  if (memories === undefined) return `not here yet${madeBy === undefined ? "" : `, made on ${madeBy}`}`;
  const of = parent === undefined ? "" : `, from ${parent}`;
  const distance = of === "" || ahead === undefined ? "" : `: ${ahead} ahead, ${behind} behind`;
  return `${counted(memories, "memory", "memories")}${of}${distance}`;
}
