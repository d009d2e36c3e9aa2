/**
 * The second half of `npm start`, on Node 24 and the built packages: a relay on this machine,
 * and the space `memory` linked to it.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openReplica, type RelayAccess, type Replica } from "@cambium/client";
import { CambiumError, isCambiumError } from "@cambium/core";
import { keptAdminToken, type Relay, startRelay } from "@cambium/sync-server";
import { connectReplica } from "cambium";

const HOST = "127.0.0.1";
const DEFAULT_PORT = 4141;
const LAST_PORT = 65_535;
const SPACE = "memory";
/** A person waits this long for another process before they want to know what for. */
const TIMEOUT_MS = 2_000;
/** An ending that takes longer than this hangs; what is acknowledged is on disk already. */
const END_WITHIN_MS = 10_000;

/** What cannot be done, in a sentence for the person who typed `npm start`. */
class StartError extends Error {}

main().catch((error: unknown) => {
  console.error(sentenceOf(error));
  process.exit(1);
});

async function main(): Promise<void> {
  const ended = endRequest();
  const port = portFrom(process.argv.slice(2));
  const home = resolve(process.env.CAMBIUM_HOME || join(homedir(), ".cambium"));
  const dataDir = join(home, "relay");
  const { token, path: tokenFile } = keptAdminToken(dataDir);
  const relay = await startRelayOn(port, dataDir, token);
  try {
    const announce = async (): Promise<void> => {
      const notice = await openOrMakeSpace(home, { url: relay.url, token }, tokenFile);
      console.log(greeting({ home, url: relay.url, tokenFile, notice }));
    };
    await Promise.race([announce(), ended]); // opening may wait for another process, and be given up
    await ended;
    console.log("\nStopping the relay. Everything is kept: start again with `npm start`.");
  } finally {
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    await relay.close();
  }
  // The IPC channel to the parent would keep this process alive.
  process.exit(0);
}

/** Resolves at Ctrl-C, at SIGTERM, when the terminal closes, or when the parent is killed outright. */
function endRequest(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => done());
    process.on("disconnect", done);
  });
}

function portFrom(args: readonly string[]): number {
  const text = portOption(args) ?? (process.env.PORT || String(DEFAULT_PORT));
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= LAST_PORT) return port;
  throw new StartError(
    `"${text}" is no port: give a number from 0 to ${LAST_PORT}, as in "npm start -- --port 5000".`,
  );
}

function portOption(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { port: { type: "string" } } }).values.port;
  } catch {
    throw new StartError(`npm start takes nothing but a port, as in "npm start -- --port 5000".`);
  }
}

async function startRelayOn(port: number, dataDir: string, adminToken: string): Promise<Relay> {
  try {
    return await startRelay({ dataDir, host: HOST, port, adminToken });
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    throw new StartError(
      `Port ${port} is taken, perhaps by another "npm start": end that one, or choose a port with "npm start -- --port ${port + 1}".`,
    );
  }
}

/** @returns what the person should know about the space, if anything */
async function openOrMakeSpace(
  home: string,
  access: RelayAccess,
  tokenFile: string,
): Promise<string | undefined> {
  const replica = await openReplicaPatiently(home);
  try {
    const known = (await replica.spaces()).find(({ name }) => name === SPACE);
    if (known === undefined) await makeSpace(replica, access);
    else if (known.relay === null)
      return `"${SPACE}" has no relay. To link it to this one: cambium link ${access.url} --space ${SPACE} --token "$(cat ${tokenFile})"`;
    else if (!isSameRelay(known.relay, access.url))
      return `"${SPACE}" syncs with ${known.relay}, not with this relay.`;
    return undefined;
  } finally {
    await replica.close();
  }
}

/** By the daemon, if one owns it already; `npm start` leaves none behind. */
async function openReplicaPatiently(dir: string): Promise<Replica> {
  try {
    return await connectReplica({ dir, start: false });
  } catch (error) {
    if (!isCambiumError(error, "DAEMON_UNREACHABLE")) throw error;
  }
  const timer = setTimeout(() => console.log(`Waiting for the process that uses ${dir} …`), TIMEOUT_MS);
  try {
    return await openReplica({ dir });
  } finally {
    clearTimeout(timer);
  }
}

async function makeSpace(replica: Replica, relay: RelayAccess): Promise<void> {
  const space = await replica.createSpace({ name: SPACE, relay });
  await space[Symbol.asyncDispose]();
}

interface Running {
  readonly home: string;
  readonly url: string;
  readonly tokenFile: string;
  readonly notice: string | undefined;
}

function greeting({ home, url, tokenFile, notice }: Running): string {
  const cambium = process.env.CAMBIUM_HOME
    ? `CAMBIUM_HOME=${JSON.stringify(home)} npx cambium`
    : "npx cambium";
  return `
Cambium is running.

  relay   ${url}, its admin token in ${tokenFile}
  space   ${SPACE}, in ${home}${notice === undefined ? "" : `\n  note    ${notice}`}

Try in a second terminal, in this folder:

  ${cambium} remember "Staging deploys on Thursdays" --tag deploy
  ${cambium} recall "when does staging deploy"
  ${cambium} log

Ctrl-C ends it; what was remembered stays. A daemon that your commands started ends by itself, ten minutes after the last.
`;
}

/** @returns the error itself, with its stack, when nobody foresaw it */
function sentenceOf(error: unknown): unknown {
  if (error instanceof CambiumError && error.hint !== undefined) return `${error.message} ${error.hint}`;
  return error instanceof StartError || hasCode(error) ? error.message : error;
}

const isSameRelay = (one: string, other: string): boolean => new URL(one).host === new URL(other).host;

const hasCode = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof Error && "code" in error;

function isPortTaken(error: unknown): boolean {
  return hasCode(error) && (error.code === "EADDRINUSE" || isPortTaken(error.cause));
}
