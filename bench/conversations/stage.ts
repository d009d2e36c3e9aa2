/**
 * The devices of one conversation: a space, and for each speaker a replica on a wire of their own.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  encodeInvitation,
  type Memory,
  openReplica,
  parseInvitation,
  type Replica,
  type Space,
} from "@cambium/client";
import type { Relay } from "@cambium/sync-server";
import { Wire } from "../support/wire.ts";
import type { Conversation } from "./locomo.ts";

export interface Speaker {
  readonly name: string;
  readonly dir: string;
  readonly wire: Wire;
  replica: Replica;
  space: Space;
}

export interface Stage {
  readonly conversation: Conversation;
  readonly speakers: readonly Speaker[];
}

export interface StageOptions {
  readonly root: string;
  readonly relay: Relay;
  readonly token: string;
}

const MAX_PAGE = 10_000;

/** The first speaker makes the space, the others are invited. */
export async function openStage(
  conversation: Conversation,
  { root, relay, token }: StageOptions,
): Promise<Stage> {
  const speakers: Speaker[] = [];
  for (const name of conversation.speakers) {
    const wire = await Wire.to(relay.url);
    const dir = join(root, `${conversation.name}-${name}`);
    const replica = await openReplica({ ...device(dir), name });
    const [host] = speakers;
    const space =
      host === undefined
        ? await replica.createSpace({ name: conversation.name, relay: { url: wire.url, token } })
        : await replica.joinSpace(onWire(await host.space.invite({ role: "write" }), wire));
    speakers.push({ name, dir, wire, replica, space });
  }
  return { conversation, speakers };
}

/** Everyone has sent what they wrote, then everyone has fetched it. */
export async function syncStage({ speakers }: Stage): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(speakers.map(({ space }) => space.sync.whenSynced()));
  }
}

/** Ends every process and reads again from its disk alone. */
export async function reopenOffline({ conversation, speakers }: Stage): Promise<void> {
  for (const speaker of speakers) {
    await speaker.replica.close();
    speaker.replica = await openReplica({ ...device(speaker.dir), connect: false });
    speaker.space = await speaker.replica.openSpace(conversation.name);
  }
}

export async function closeStage({ speakers }: Stage): Promise<void> {
  for (const { replica, wire } of speakers) {
    await replica.close();
    await wire[Symbol.asyncDispose]();
  }
}

export async function allMemories(space: Space): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  let cursor: string | undefined;
  do {
    const page = await space.list({ deleted: true, limit: MAX_PAGE, cursor });
    memories.push(...page.memories);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return memories;
}

/** Of everything a replica shows: heads, and every field of every memory. Equal only when all of it is. */
export async function fingerprint(space: Space): Promise<string> {
  const { branch, missing } = await space.status();
  const memories = await allMemories(space);
  return createHash("sha256").update(JSON.stringify({ branch, missing, memories }, sortedKeys)).digest("hex");
}

/** The order of keys says nothing: a record just written and one read back may differ in it. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const device = (dir: string) => ({ dir, stateDir: `${dir}-state` });

const onWire = (invitation: string, { url }: Wire): string =>
  encodeInvitation({ ...parseInvitation(invitation), relay: url });
