/**
 * Our relay in a process of its own: `cambium-relay-process.ts <dataDir> <adminToken> <port> <build>`. The build is a
 * checkout whose packages have been built.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerUsage } from "./usage.ts";

type Server = typeof import("@cambium/sync-server");

const [dataDir = "", adminToken = "", port = "0", build = "."] = process.argv.slice(2);
const entry = pathToFileURL(join(build, "packages/sync-server/dist/index.js")).href;
const { startRelay } = (await import(entry)) as Server;
const none = Number.POSITIVE_INFINITY;
const relay = await startRelay({
  ...{ dataDir, adminToken, port: Number(port) },
  // All clients of a space here have one token, and all come from one address.
  limits: {
    ...{ connectionsPerAddress: none, connectionsPerToken: none },
    ...{ messagesPerSecond: none, bytesPerSecond: none },
  },
});
answerUsage(relay.url);
