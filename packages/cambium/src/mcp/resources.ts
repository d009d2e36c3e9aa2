/**
 * What can be read by address: memories, the brief, and the checkpoints of each branch.
 *
 * @module
 */

import type { Space } from "@cambium/client";
import { isCambiumError } from "@cambium/core/errors";
import { safeText } from "@cambium/core/text";
import {
  type ListResourcesResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import { completeBranch, completeCheckpoint, completeSpace } from "./completions.js";
import { failureText } from "./failure.js";
import {
  BRIEF_TEMPLATE,
  CHECKPOINT_TEMPLATE,
  CHECKPOINTS_TEMPLATE,
  decoded,
  MEMORY_TEMPLATE,
  uriOf,
} from "./memory-uri.js";
import { fitting, textsOf } from "./pages.js";
import { MOST_BYTES, USUAL_BYTES } from "./schemas.js";
import type { Serving } from "./serving.js";
import { DATA_NOTE, memoryBlock, shownMemory, shownTime, shownValue } from "./shown-memory.js";
import { shownCheckpoint } from "./tools/checkpoint.js";

/** Of the newest memories; all others are found by recall. */
const MAX_LISTED = 50;

const BRIEF = { title: "Brief", description: "What is new and what matters on a branch" };
const CHECKPOINTS = { title: "Checkpoints", description: "The states of a branch that have a name" };

type Read = (at: {
  readonly space: Space;
  readonly branch: string;
  readonly last: string;
}) => Promise<string>;

export function registerResources(server: McpServer, serving: Serving): void {
  const complete = { space: completeSpace(serving), branch: completeBranch(serving) };
  const add = (
    name: string,
    template: ResourceTemplate,
    { last, ...config }: { readonly title: string; readonly description: string; readonly last?: string },
    read: Read,
  ): void => {
    server.registerResource(name, template, { ...config, mimeType: "text/plain" }, (uri, variables) =>
      answer(uri, variables, { serving, last, read }),
    );
  };
  // The order in which addresses are tried: an id stands where the words stand.
  add(
    "brief",
    new ResourceTemplate(BRIEF_TEMPLATE, { list: () => listed(serving), complete }),
    BRIEF,
    readBrief,
  );
  add(
    "checkpoints",
    new ResourceTemplate(CHECKPOINTS_TEMPLATE, { list: undefined, complete }),
    CHECKPOINTS,
    readCheckpoints,
  );
  const ofCheckpoint = { ...complete, checkpoint: completeCheckpoint(serving) };
  add(
    "checkpoint",
    new ResourceTemplate(CHECKPOINT_TEMPLATE, { list: undefined, complete: ofCheckpoint }),
    { title: "Checkpoint", description: "One of the states that have a name", last: "checkpoint" },
    readCheckpoint,
  );
  add(
    "memory",
    new ResourceTemplate(MEMORY_TEMPLATE, { list: undefined, complete }),
    { title: "Memory", description: `One memory, as a branch shows it now. ${DATA_NOTE}`, last: "memoryId" },
    readMemory,
  );
}

interface Answering {
  readonly serving: Serving;
  readonly last: string | undefined;
  readonly read: Read;
}

async function answer(
  uri: URL,
  variables: Variables,
  { serving, last, read }: Answering,
): Promise<ReadResourceResult> {
  try {
    const space = await serving.space(decoded(variables.space));
    const where = {
      space,
      branch: decoded(variables.branch),
      last: last === undefined ? "" : decoded(variables[last]),
    };
    return { contents: [{ uri: uri.href, mimeType: "text/plain", text: safeText(await read(where)) }] };
  } catch (error) {
    const text = failureText(error);
    if (isCambiumError(error) && NOT_FOUND.has(error.code)) throw new ResourceNotFoundError(uri.href, text);
    throw new ProtocolError(ProtocolErrorCode.InternalError, text);
  }
}

const NOT_FOUND: ReadonlySet<string> = new Set([
  ...["MEMORY_NOT_FOUND", "AMBIGUOUS_MEMORY", "SPACE_NOT_FOUND", "BRANCH_NOT_FOUND", "AMBIGUOUS_BRANCH"],
  ...["CHECKPOINT_NOT_FOUND", "BAD_REF"],
]);

/** Reading an address twice gives the same: what is new stays new. */
const readBrief: Read = async ({ space, branch }) => {
  const { text } = await space.brief({ branch, maxBytes: USUAL_BYTES, peek: true });
  return text;
};

const readCheckpoints: Read = async ({ space, branch }) => {
  const all = await space.checkpoints.list({ branch });
  const shown = fitting(all, USUAL_BYTES, shownCheckpoint);
  const left = all.length - shown.length;
  return [
    `${all.length} checkpoints of ${branch}, newest first.`,
    ...textsOf(shown),
    ...(left === 0 ? [] : [`${left} older ones are not shown.`]),
  ].join("\n");
};

const readCheckpoint: Read = async ({ space, last }) => {
  const checkpoint = await space.checkpoints.get(last);
  const { memories, reason, notice, digest } = checkpoint;
  return [
    shownCheckpoint(checkpoint).text,
    ...(memories === undefined ? [] : [`${memories} memories, digest ${digest.slice(0, 16)}`]),
    ...(reason === undefined ? [] : [`Reason: ${shownValue(reason)}`]),
    ...(notice === undefined ? [] : [`Note: ${shownValue(notice)}`]),
  ].join("\n");
};

const readMemory: Read = async ({ space, branch, last }) => {
  const memory = await space.get(last, { branch });
  return `${DATA_NOTE}\n${memoryBlock(shownMemory(memory, MOST_BYTES - 2_000))}`;
};

/** A beginning: the usual branch of the usual space, and its newest memories. */
async function listed(serving: Serving): Promise<ListResourcesResult> {
  const space = await serving.usualSpace();
  if (space === undefined) return { resources: [] };
  const branch = await serving.usualBranch(space);
  const { memories } = await space.list({ branch, limit: MAX_LISTED });
  // Without a title of its own, an entry would get that of the template that lists it.
  const entry = (last: string, title: string, description: string) => ({
    ...{ uri: uriOf(space.name, branch, last), name: title, title, description },
    mimeType: "text/plain",
  });
  return {
    resources: [
      entry("brief", `Brief of ${branch}`, BRIEF.description),
      entry("checkpoints", `Checkpoints of ${branch}`, CHECKPOINTS.description),
      ...memories.map(({ id, content, at }) =>
        entry(id, shownValue(content.replace(/\s+/g, " "), 80), `Written ${shownTime(at)}`),
      ),
    ],
  };
}
