/**
 * Editing the knowledge graph of a branch: every edit is one change, planned again if something it depends on was
 * written meanwhile.
 *
 * @module
 */
import {
  type FieldInput,
  importedMemoryId,
  type MemoryId,
  type MemoryReading,
  type PlannedWrite,
  parseFields,
  planCreate,
  planForget,
  planRestore,
  type Reference,
  type WriteContext,
} from "@cambium/core";
import type { GraphEdit, GraphEdited } from "../api.js";
import type { ActionPreview, PolicyCheck } from "../governance/policy-check.js";
import { draftFields, toSourceKey } from "../import/import-draft.js";
import { wordOf } from "../index-store/graph-words.js";
import type { BranchView } from "../space/branch-views.js";
import type { SpaceServices } from "../space/space-services.js";
import type { PlanReader } from "../space/writer.js";
import { partsOf } from "./graph-parts.js";
import type { GraphTurns } from "./graph-turns.js";
import { type GraphEditPlan, type GraphView, planGraphEdit } from "./plan-graph-edit.js";

export interface GraphServices extends Pick<SpaceServices, "finder" | "index" | "writer"> {
  readonly policyCheck: PolicyCheck;
  readonly importKey: Uint8Array;
  readonly graphTurns: GraphTurns;
}

export interface GraphEditRequest {
  readonly edit: GraphEdit;
  readonly view: BranchView;
  readonly context: () => WriteContext;
}

type Task = GraphServices & GraphEditRequest;

/** @throws {CambiumError} ENTITY_NOT_FOUND, CONFIRMATION_NEEDED, APPROVAL_NEEDED, ROLE_REFUSED */
export async function editGraph(services: GraphServices, request: GraphEditRequest): Promise<GraphEdited> {
  const task = { ...services, ...request };
  const { edit, view, writer, policyCheck, graphTurns } = task;
  writer.refuseReaders();
  const isDeletion = edit.type.startsWith("delete-");
  const before = isDeletion ? await planNow(task) : undefined;
  await policyCheck.check({
    operation: isDeletion ? "forget" : "write",
    call: { method: "editGraph", args: [edit, { branch: view.branch }] },
    branch: view.branch,
    ...(before === undefined ? {} : { affected: before.forget.length }),
    preview: async () => previewOf(edit, view, before ?? (await planNow(task))),
  });
  return graphTurns.take(() => write(task, isDeletion ? "forget" : "remember"));
}

async function write(task: Task, type: "forget" | "remember"): Promise<GraphEdited> {
  const { view, writer } = task;
  let edited: GraphEdited | undefined;
  await writer.write({
    view,
    type,
    plan: async (read) => {
      const plan = await planNow(task);
      for (const id of plan.dependsOn) await read(id);
      const writes = [...(await createsOf(plan, task, read)), ...(await forgetsOf(plan, task, read))];
      edited = { ...plan.done, memories: writes.map(({ memory }) => memory) };
      return { writes };
    },
  });
  return edited as GraphEdited;
}

async function planNow({ edit, view, finder, index, graphTurns }: Task): Promise<GraphEditPlan> {
  const { state } = await finder.look(view.branch);
  const graph: GraphView = {
    about: (names, roles) => partsOf(index.graph.about(state, names.map(wordOf), roles)),
    position: () => graphTurns.position(),
  };
  return planGraphEdit(edit, graph);
}

/** A memory that says something else by now keeps its id, and what is new gets another. */
async function createsOf(
  { drafts }: GraphEditPlan,
  task: Task,
  read: PlanReader,
): Promise<readonly PlannedWrite[]> {
  const idOf = (key: string): MemoryId => importedMemoryId(task.importKey, key);
  const context = task.context();
  const taken = new Set<MemoryId>();
  const writes: PlannedWrite[] = [];
  for (const draft of drafts) {
    for (let nth = 1; ; nth += 1) {
      const id = idOf(nth === 1 ? draft.sourceKey : toSourceKey(draft.sourceKey, nth));
      const reading = taken.has(id) ? undefined : await read(id);
      if (taken.has(id) || reading?.resolved.fields.deleted === false) continue;
      taken.add(id);
      const carried = task.view.referencesOf(id);
      writes.push(planDraft({ id, reading, carried }, draftFields(draft, idOf), context));
      break;
    }
  }
  return writes;
}

interface Slot {
  readonly id: MemoryId;
  readonly reading: MemoryReading | undefined;
  readonly carried: readonly Reference[];
}

/** What was forgotten comes back with the tags and the history it had, at a place of its own. */
function planDraft({ id, reading, carried }: Slot, input: FieldInput, context: WriteContext): PlannedWrite {
  if (reading === undefined) return planCreate(id, input, context, { carried });
  const { fields, notes } = parseFields(input);
  return planRestore(reading, { ...reading.resolved.fields, ...fields, deleted: false }, context, notes);
}

async function forgetsOf(
  { forget }: GraphEditPlan,
  task: Task,
  read: PlanReader,
): Promise<readonly PlannedWrite[]> {
  const context = task.context();
  const writes: PlannedWrite[] = [];
  for (const id of forget) {
    const reading = await read(id);
    if (reading?.resolved.fields.deleted === false) writes.push(planForget(reading, context));
  }
  return writes;
}

function previewOf(edit: GraphEdit, view: BranchView, { drafts, forget }: GraphEditPlan): ActionPreview {
  return {
    counts: { written: drafts.length, forgotten: forget.length },
    ids: forget,
    plan: [JSON.stringify(edit), forget.map((id) => [id, view.fingerprintOf(id)])],
  };
}
