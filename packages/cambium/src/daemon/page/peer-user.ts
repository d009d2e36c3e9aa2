/**
 * Who is at the other end of a connection by TCP, where the system tells it. A link stands on the command line of the
 * browser that is started with it, and on Linux every user of the machine reads that.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const TABLE = "/proc/net/tcp";
const ROOT = 0;
const LOCAL_COLUMN = 1;
const REMOTE_COLUMN = 2;
const UID_COLUMN = 7;

/** Whether it is known to be another user than the daemon's. */
export function isForeignPeer({ localPort, remotePort }: Socket, readTable = readTcpTable): boolean {
  const own = process.getuid?.();
  if (own === undefined || localPort === undefined || remotePort === undefined) return false;
  const uid = uidIn(readTable(), { from: remotePort, to: localPort });
  return uid !== undefined && uid !== own && uid !== ROOT;
}

function readTcpTable(): string {
  try {
    return readFileSync(TABLE, "utf8");
  } catch {
    return ""; // not on this system
  }
}

/** @returns the owner of the end at `from`; undefined when the table does not tell */
function uidIn(
  table: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const rows = table.split("\n").map((line) => line.trim().split(/ +/));
  const row = rows.find(
    (cells) => portIn(cells[LOCAL_COLUMN]) === from && portIn(cells[REMOTE_COLUMN]) === to,
  );
  return row === undefined ? undefined : Number(row[UID_COLUMN]);
}

const portIn = (address = ""): number => Number.parseInt(address.split(":")[1] ?? "", 16);
