import type { Member, Pairing, Role, Space, SpaceInfo } from "@cambium/client";
import { omitUndefined, oneLine, shellWord } from "@cambium/core/text";
import { Option } from "commander";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import { Interrupted } from "../failure.js";
import type { OptionsOf, OptionTable, ReadOption } from "../option-table.js";
import { DEVICE_OPTION, spaceOption } from "../options.js";
import { spaceReply } from "../render/space.js";
import { firstSync, firstSyncText } from "../sync-wait.js";
import { UsageError } from "../usage-error.js";

const ASK_EVERY_MS = 1_500;
/** Four by the standard; the edge of a terminal is dark and even, so two are enough. */
const QUIET_ZONE = 2;

const options = (command: OptionTable) =>
  spaceOption(command)
    .addOption(
      new Option("--role <role>", "what the new device may do")
        .choices(["read", "write", "admin"])
        .default("write") as ReadOption<{ readonly role: Role }>,
    )
    .option("--no-wait", "show the code and end; the code stays good for its ten minutes")
    .option("--relay <url>", "with a code: where the space is (default: as the link says)")
    .option("--device <name>", DEVICE_OPTION);

type Options = OptionsOf<typeof options>;

export const pair: CommandDefinition<typeof options, [code: string | undefined]> = {
  about:
    "Bring a space to a new device by a short code. Without a code: show one, and wait for the other device. With one: join. A code is good for ten minutes and for one device",
  examples: [
    "cambium pair",
    "cambium pair --role admin",
    "cambium pair 'https://relay.example/pair#7K3M-9QXR-2B4T-WVZ8'",
    "cambium pair 7K3M-9QXR-2B4T-WVZ8 --relay https://relay.example",
  ],
  options,
  act: async (context, [code], asked) =>
    code === undefined ? await offer(asked, context) : await join(code, asked, context),
};

async function offer({ role, relay, device, wait }: Options, context: Context): Promise<Answer> {
  if (relay !== undefined || device !== undefined)
    throw new UsageError("--relay and --device belong to the new device, which has the code.");
  await context.refuseAgents("pair a device");
  return await context.withSpace(async (opened) => {
    const pairing = await opened.agent.members.pair({ role });
    await sendToRelay(pairing, opened, context);
    const shown = await codeText(pairing, opened, context);
    if (context.json || wait === false) return await context.answer(pairing, () => shown);
    context.io.output.write(`${shown}\n\nWaiting for the other device. Ctrl-C ends it.\n`);
    const came = await arrival(pairing, opened, context);
    const { signal } = context.io;
    if (signal.aborted) throw new Interrupted(signal.reason, { lines: ["The code has ended."] });
    return await context.answer({ ...pairing, device: came }, () =>
      came === undefined
        ? "Nobody came within ten minutes. The code is good for nothing any more."
        : `Paired with ${oneLine(came.name)}, role ${role}. Others it may meet: \`cambium members${context.spaceWords}\``,
    );
  });
}

/** What the new device is to find has to be at the relay, with who invited it. No code stays that nobody has seen. */
async function sendToRelay(pairing: Pairing, { space, agent }: SpaceUse, context: Context): Promise<void> {
  const { signal } = context.io;
  try {
    await firstSync(space, context);
    signal.throwIfAborted();
  } catch (error) {
    await agent.members.endPairing(pairing);
    throw signal.aborted
      ? new Interrupted(signal.reason, { lines: ["Stopped before a code was shown. None is open."] })
      : error;
  }
}

async function codeText(
  { code, link, relay, role }: Pairing,
  { space }: SpaceUse,
  { io, style }: Context,
): Promise<string> {
  const { colors } = style;
  const picture = io.output.isTerminal ? [await pictureOf(link)] : [];
  return [
    `A new device joins ${colors.bold(oneLine(space.name))}, role ${role}, within ten minutes. Type there:`,
    "",
    `  cambium pair ${shellWord(link)}`,
    "",
    ...picture,
    `Or the code alone, with the relay's address: ${colors.bold(code)} --relay ${oneLine(relay)}`,
    ...(isLocal(relay)
      ? [
          "This address of the relay works on this machine only. From elsewhere, use another one: --relay <url>",
        ]
      : []),
  ].join("\n");
}

/** Two modules to a character, the light ones in the colour of the text: for a terminal with a dark background. */
async function pictureOf(link: string): Promise<string> {
  const { default: encodeQR } = await import("qr");
  return encodeQR(link, "ascii", { ecc: "low", border: QUIET_ZONE });
}

const isLocal = (relay: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(relay).hostname);

/** @returns undefined when nobody came in time */
async function arrival(pairing: Pairing, { agent }: SpaceUse, { io }: Context): Promise<Member | undefined> {
  try {
    while (io.now() < pairing.expiresAt && !io.signal.aborted) {
      const came = await agent.members.paired(pairing);
      if (came !== undefined) return came;
      await pause(io);
    }
    return undefined;
  } finally {
    await agent.members.endPairing(pairing);
  }
}

function pause({ timers, signal }: Context["io"]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(ASK_EVERY_MS, resolve);
  const stop = (): void => {
    cancel();
    resolve();
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", stop));
}

async function join(
  typed: string,
  { role, relay, device, wait }: Options,
  context: Context,
): Promise<Answer> {
  if (role !== "write" || wait === false)
    throw new UsageError("--role and --no-wait belong to the device that shows the code.");
  await context.refuseAgents("pair this device");
  return await context.withSpaces(async (replica) => {
    if (device !== undefined) await replica.rename(device);
    const before = await replica.spaces();
    const at = relay ?? (typed.includes("#") ? undefined : onlyRelay(before));
    await using space = await replica.pairSpace(typed, at === undefined ? {} : { relay: at });
    const { id, name } = space;
    const synced = await firstSync(space, context);
    const all = await replica.spaces();
    const found = all.find((one) => one.id === id);
    const info: SpaceInfo = found ?? { id, name, relay: null, role: space.role, isDefault: true };
    const usual = all.find(({ isDefault }) => isDefault)?.name;
    const { isInSync, status } = synced;
    const other = await inviterOf(space);
    const document = { ...info, ...omitUndefined({ pairedWith: other }), isInSync, sync: status.relay };
    return await context.answer(document, () => {
      const done = before.some((one) => one.id === id) ? "Here already" : "Joined";
      const access = other === undefined ? undefined : `Paired with ${oneLine(other)}, role ${info.role}.`;
      const reply = { usual, access, synced: { isInSync, text: firstSyncText(synced, context) } };
      return spaceReply(done, info, reply, context.style);
    });
  });
}

/** By name, once the space is here so far. */
async function inviterOf(space: Space): Promise<string | undefined> {
  const members = await space.members.list();
  const by = members.find(({ isThis }) => isThis)?.invitedBy?.replica;
  return members.find(({ replica }) => by !== undefined && replica === by)?.name;
}

/** A second space is most often where the first one is. */
function onlyRelay(spaces: readonly SpaceInfo[]): string | undefined {
  const [relay, second] = new Set(spaces.flatMap((space) => space.relay ?? []));
  return second === undefined ? relay : undefined;
}
