/**
 * Who does an operation: the method of the library that its definition names, or, where it names none, what stands
 * here. One that has neither does not compile.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import { endBackups } from "../backup/set-backups.js";
import { absolute, answerOf, argumentsOf } from "../operations/arguments.js";
import type { Calls } from "../operations/calls.js";
import type { Definition, LibraryCall, Target, Targets } from "../operations/definition.js";
import { ONLY_SPACE } from "../operations/definition.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";
import type { SpaceDescription } from "../operations/described.js";
import { backUpNow, changeBackups, shownBackups } from "./backups.js";
import type { HandlerContext } from "./handler-context.js";
import { ownersPath } from "./owners-path.js";
import { makeDownload } from "./page/download-file.js";
import { readSourceFile } from "./page/source-file.js";

/** Operations that are no method of the library's. */
type OwnName = {
  [Name in OperationName]: (typeof DEFINITIONS)[Name] extends { readonly calls: LibraryCall } ? never : Name;
}[OperationName];

const OWN: {
  readonly [Name in OwnName]: (
    call: HandlerContext,
    input: Calls[Name]["input"],
  ) => Promise<Calls[Name]["output"]>;
} = {
  "daemon.status": (call) => call.daemon.status(),
  "daemon.stop": async (call, { restart }) => {
    call.daemon.stop("it was told to", { isReplaced: restart });
    return {};
  },
  "page.open": async (call) => {
    refuseAgents(call, "open the web page");
    return call.daemon.newPageLink();
  },
  "page.close": async (call) => {
    refuseAgents(call, "close the web page");
    return { closed: call.daemon.closePages() };
  },
  "device.rename": async (call, { name }) => {
    const replica = await call.replica();
    await replica.rename(name);
    return { name: replica.name };
  },
  "spaces.list": async (call) => {
    const replica = await call.replica();
    return { spaces: await replica.spaces(), damaged: await replica.damagedSpaces() };
  },
  "spaces.create": async (call, { name, relay }) =>
    descriptionOf(await (await call.replica()).createSpace({ name, relay })),
  "spaces.join": async (call, { invitation }) =>
    descriptionOf(await (await call.replica()).joinSpace(invitation)),
  "spaces.recover": async (call, { kit, relay }) => {
    refuseAgents(call, "recover a space");
    return descriptionOf(await (await call.replica()).recoverSpace(kit, omitUndefined({ relay })));
  },
  "spaces.pair": async (call, { code, relay }) => {
    refuseAgents(call, "pair this device");
    return descriptionOf(await (await call.replica()).pairSpace(code, omitUndefined({ relay })));
  },
  "spaces.get": async (call, { space }) => descriptionOf(await call.space(space)),
  "spaces.setDefault": async (call, { space }) => {
    refuseAgents(call);
    await (await call.replica()).setDefaultSpace(await nameOf(call, space));
    return {};
  },
  "spaces.rename": async (call, { space, name }) => {
    refuseAgents(call);
    await (await call.replica()).renameSpace(await nameOf(call, space), name);
    return {};
  },
  "spaces.remove": async (call, { space, discardUnsent }) => {
    refuseAgents(call);
    await (await call.replica()).removeSpace(await nameOf(call, space), {
      discardUnsent: discardUnsent === true,
    });
    return {};
  },
  "archives.make": async (call, { space, path, ...options }) => {
    refuseAgents(call, "archive a space");
    const { signal, onProgress } = call;
    const opened = await call.space(space);
    return await opened.archive(absolute(path), {
      ...options,
      ...absoluteSince(options),
      signal,
      onProgress,
    });
  },
  "archives.import": async (call, { path, ...options }) => {
    refuseAgents(call, "take in an archive");
    const { signal, onProgress } = call;
    for (const one of options.since ?? []) absolute(one);
    return await (await call.replica()).importArchive(ownersPath(path), { ...options, signal, onProgress });
  },
  "page.download": async (call, { space, ...request }) => {
    refuseAgents(call, "download a space");
    const { downloads, now } = call.daemon;
    const { signal, onProgress } = call;
    const whose = { space: await call.space(space), agent: await call.agent(space) };
    return await makeDownload({ ...whose, downloads, now: now(), options: { signal, onProgress } }, request);
  },
  "page.sourceFile": async (call, { space, ...asked }) => {
    refuseAgents(call, "open a file of this device");
    return await readSourceFile(await call.space(space), call.daemon.home, asked);
  },
  "backups.show": async (call, { space }) => {
    refuseAgents(call, "look at backups");
    return shownBackups(call.daemon, await spaceIdOf(call, space));
  },
  "backups.make": async (call, { space }) => {
    refuseAgents(call, "back up a space");
    return await backUpNow(call.daemon, await call.space(space), call.signal);
  },
  "backups.set": async (call, { space, ...request }) => {
    refuseAgents(call, "change backups");
    return await changeBackups(call.daemon, await call.space(space), request, call.signal);
  },
  "backups.end": async (call, { space }) => {
    refuseAgents(call, "change backups");
    const { id } = await call.space(space);
    endBackups(call.daemon.home, id);
    return shownBackups(call.daemon, id);
  },
};

const absoluteSince = ({ since }: { readonly since?: string | undefined }) =>
  since === undefined ? {} : { since: absolute(since) };

const nameOf = async (call: HandlerContext, space: string): Promise<string> =>
  space === ONLY_SPACE ? (await call.space(space)).id : space;

/** Which spaces there are, and who looks at them, is a matter of the owner. */
/** Also those who give a role and no name. */
function refuseAgents({ who }: HandlerContext, what = "change which spaces are here"): void {
  if (who.role === "owner" || (who.role === undefined && who.agent === undefined)) return;
  throw new CambiumError("ROLE_REFUSED", `${who.agent ?? `The ${who.role}`} may not ${what}.`, {
    hint: "Ask the owner of this device.",
  });
}

const descriptionOf = ({ id, name, replica, role }: Space): SpaceDescription => ({ id, name, replica, role });

/** @param input - as the operation's schema has it */
export async function handle(name: OperationName, call: HandlerContext, input: unknown): Promise<unknown> {
  if (Object.hasOwn(OWN, name)) return await OWN[name as OwnName](call, input as never);
  return await handleByLibrary(DEFINITIONS[name], call, input as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

/** The same for any definition that names a method. */
export async function handleByLibrary(
  definition: Definition,
  call: HandlerContext,
  input: Fields,
): Promise<unknown> {
  const { calls, isLong } = definition;
  if (calls === undefined)
    throw new TypeError(`There is no handler for ${definition.method} ${definition.path}.`);
  const { signal, onProgress } = call;
  const args = argumentsOf(calls, input, isLong === true ? { signal, onProgress } : {});
  const owner = await TARGETS[calls.target](call, input.space as string);
  const method = Reflect.get(owner, calls.method) as (...args: unknown[]) => unknown;
  return answerOf(definition, await method.apply(owner, args));
}

const TARGETS: { readonly [T in Target]: (call: HandlerContext, space: string) => Promise<Targets[T]> } = {
  reader: (call, space) => call.space(space),
  space: (call, space) => call.space(space),
  agent: (call, space) => call.agent(space),
  branches: async (call, space) => (await call.agent(space)).branches,
  checkpoints: async (call, space) => (await call.agent(space)).checkpoints,
  members: async (call, space) => (await call.agent(space)).members,
  requests: async (call, space) => (await call.agent(space)).requests,
  policy: async (call, space) => (await call.agent(space)).policy,
  sync: async (call, space) => (await call.space(space)).sync,
  audit: async (call, space) => (await call.agent(space)).audit,
};

/** Without opening it: where a space cannot be opened, its backups are what is looked for. */
async function spaceIdOf(call: HandlerContext, name: string): Promise<string> {
  const known = (await (await call.replica()).spaces()).filter((one) =>
    name === ONLY_SPACE ? one.isDefault : one.id === name || one.name === name,
  );
  return known.length === 1 && known[0] !== undefined ? known[0].id : (await call.space(name)).id;
}
