/**
 * A process of its own for one peer, so that none runs in memory that another has filled. Prints one line
 * of JSON.
 */
import type { WorkloadSize } from "../reference/workload.ts";
import { makeAutomerge } from "./automerge.ts";
import { makeCambium } from "./cambium.ts";
import { makeEventLog } from "./event-log.ts";
import { makeGit } from "./git.ts";
import { measurePeer } from "./measure.ts";
import { makeMemoryServer } from "./memory-server.ts";
import type { MakePeer, PeerName } from "./peer.ts";
import { makePlan } from "./plan.ts";

const MAKERS: Readonly<Record<PeerName, MakePeer>> = {
  cambium: makeCambium,
  "event-log": makeEventLog,
  git: makeGit,
  "memory-server": makeMemoryServer,
  automerge: makeAutomerge,
};

const [name = "cambium", dir = "", sizeText = "", seedText = ""] = process.argv.slice(2);
const [size, seed] = [JSON.parse(sizeText) as WorkloadSize, Number(seedText)];
const plan = await makePlan(size, seed);
await using peer = await MAKERS[name as PeerName](dir, seed);
const report = await measurePeer(peer, plan, (text) => console.error(`… ${name}: ${text}`));
console.log(JSON.stringify({ ...report, rawBytes: plan.rawBytes }));
