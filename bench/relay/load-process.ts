/**
 * Clients under load in a process of their own, told by their parent what to do: writers, subscribers that only read,
 * and observers, which note when they saw each change.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { LoadPlan, LoadReport, Moment, Order } from "./load.ts";
import { LogView, openLogClient } from "./log-client.ts";
import { keyOf, monotonicMs, SharedDocument } from "./shared-document.ts";
import { openStockClient } from "./stock-client.ts";
import type { WritingClient } from "./writing-client.ts";

const TEXT = "v".repeat(48);
const AT_ONCE = 50;

const plan = JSON.parse(process.argv[2] as string) as LoadPlan;
const { url, protocol, spaces, role } = plan;
const moments: Moment[] = [];
const writers: WritingClient[] = [];
const others: WritingClient[] = [];
let waiting: { readonly count: number; readonly resolve: () => void } | undefined;

const note = (chunk: Uint8Array): void => {
  moments.push([keyOf(chunk), monotonicMs()]);
  if (waiting !== undefined && moments.length >= waiting.count) waiting.resolve();
};

for (const { token, documentId } of spaces) {
  const document = new SharedDocument();
  const view = new LogView(document);
  const open = (onSeen?: (chunk: Uint8Array) => void): Promise<WritingClient> => {
    const options = { url, documentId, document, ...(token && { token }), ...(onSeen && { onSeen }) };
    return protocol === "log" ? openLogClient(options, view) : openStockClient(options);
  };
  if (role === "observers") {
    const observer = await open(note);
    await observer.begun;
    continue;
  }
  const first = await open();
  first.write("first");
  await first.begun;
  writers.push(first);
  while (writers.length % plan.writers !== 0) writers.push(await open());
  for (let at = 0; at < plan.subscribers; at += AT_ONCE)
    others.push(
      ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, plan.subscribers - at) }, () => open()))),
    );
}
await Promise.all([...writers, ...others].map(({ begun }) => begun));

moments.length = 0;

process.on("message", async (order: Order) => {
  if ("write" in order) await write(order.write);
  else await seen(order.count, order.ms);
  process.send?.({ moments: moments.splice(0), cpuMs: cpuMs() } satisfies LoadReport);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Each writer in its turn, all of them evenly over the time; whoever is late catches up. */
async function write(seconds: number): Promise<void> {
  const total = Math.round(writers.length * plan.rate * seconds);
  const gap = (seconds * 1_000) / total;
  const start = monotonicMs();
  for (let made = 0; made < total; ) {
    const due = Math.min(total, Math.floor((monotonicMs() - start) / gap));
    for (; made < due; made += 1) {
      const at = monotonicMs();
      const chunk = (writers[made % writers.length] as WritingClient).write(TEXT);
      moments.push([keyOf(chunk), at]);
    }
    await delay(1);
  }
}

async function seen(count: number, ms: number): Promise<void> {
  if (moments.length >= count) return;
  const all = Promise.withResolvers<void>();
  waiting = { count, resolve: all.resolve };
  await Promise.race([all.promise, delay(ms)]);
}
