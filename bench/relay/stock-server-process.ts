/**
 * automerge-repo's own sync server in a process of its own, put together as `@automerge/automerge-repo-sync-server`
 * is: `stock-server-process.ts <dataDir> - <port>`.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stockRepo, webSocketServer } from "./stock-packages.ts";
import { answerUsage } from "./usage.ts";

const [dataDir = "", , port = "0"] = process.argv.slice(2);
const { Repo, WebSocketServerAdapter, NodeFSStorageAdapter } = await stockRepo();
const WebSocketServer = await webSocketServer();

const server: Server = createServer((_request, response) => response.end("ok"));
new Repo({
  network: [new WebSocketServerAdapter(new WebSocketServer({ server }))],
  storage: new NodeFSStorageAdapter(dataDir),
  peerId: "storage-server",
  sharePolicy: async () => false,
});
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
answerUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
