/**
 * What a server has to hold: connections on which nothing happens, or documents with one change each.
 */

import type { HoldPlan } from "./held.ts";
import { LogView, openLogClient } from "./log-client.ts";
import { SharedDocument } from "./shared-document.ts";
import { openStockClient } from "./stock-client.ts";

const AT_ONCE = 50;

const { url, protocol, spaces, connections, documents } = JSON.parse(process.argv[2] as string) as HoldPlan;
const open = protocol === "log" ? openLogClient : openStockClient;
const text = "v".repeat(1_000);

for (const { token, documentId } of spaces) {
  const document = new SharedDocument();
  const options = { url, documentId, document, ...(token && { token }) };
  const first = await open(options, new LogView(document));
  first.write("first");
  await first.begun;
  for (let at = 1; at < connections; at += AT_ONCE) {
    const few = Array.from({ length: Math.min(AT_ONCE, connections - at) }, () => open(options));
    await Promise.all((await Promise.all(few)).map(({ begun }) => begun));
  }
  for (let made = 0; made < documents; made += 1) await first.addDocument(text);
}
process.on("disconnect", () => process.exit());
process.send?.("ready");
