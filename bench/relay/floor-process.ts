/**
 * A server that does the least of what a relay does: `floor-process.ts <dataDir> <work>`. What arrives at one
 * connection goes to all, as it is.
 */
import { once } from "node:events";
import { fdatasync, openSync, writeSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FloorWork } from "./floor.ts";
import { answerUsage } from "./usage.ts";

type Store = (bytes: Uint8Array, done: () => void) => void;

const [dataDir = "", work = "pass on"] = process.argv.slice(2) as [string, FloorWork];
const sockets = new Set<Socket>();
const stores: Readonly<Record<FloorWork, () => Store>> = {
  "pass on": () => (_, done) => done(),
  "append to a file, sync, pass on": file,
  "commit to SQLite, sync, pass on": sqlite,
};
const store = stores[work]();

const server = createServer((socket) => {
  socket.setNoDelay(true);
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
  socket.on("data", (bytes) => store(bytes, () => sockets.forEach((other) => void other.write(bytes))));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
answerUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function file(): Store {
  const opened = openSync(join(dataDir, "appended"), "a");
  return (bytes, done) => {
    writeSync(opened, bytes);
    fdatasync(opened, done);
  };
}

/** One table, one row, and as the relay does it: the sync beside the thread that serves. */
function sqlite(): Store {
  const path = join(dataDir, "rows.sqlite");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec("CREATE TABLE rows (row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT");
  const insert = database.prepare("INSERT INTO rows (bytes) VALUES (?)");
  const sideFile = openSync(`${path}-wal`, "r+");
  return (bytes, done) => {
    insert.run(bytes);
    fdatasync(sideFile, done);
  };
}
