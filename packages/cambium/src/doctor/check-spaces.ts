/**
 * Each space: its store, its relay, and what waits or is wrong in it.
 *
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Replica, SpaceStatus } from "@cambium/client";
import { relayHttpUrl, relaySpaceOf, type SpaceConfig, SpaceConfigs } from "@cambium/client/host";
import { isCambiumError, type SpaceId } from "@cambium/core";
import { counted, isReassuring, messageOf, shellWord } from "@cambium/core/text";
import { restoreAdvice, withBackupNamed } from "../backup/damaged-space.js";
import { inWords } from "./check-machine.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, problem, problemFrom, warn } from "./finding.js";

const RELAY_TIMEOUT_MS = 5_000;
/** As far as the replica lets its own clock be off before it takes the relay's. */
const CLOCK_TOLERANCE_MS = 120_000;
/** Above that a look takes too long for a doctor's visit. */
const LARGEST_LOOK_BYTES = 512 * 1_048_576;

/** @returns those whose settings can be read, and a finding for each other one */
export function readSpaces({ home }: DoctorContext): {
  spaces: readonly SpaceConfig[];
  findings: readonly Finding[];
} {
  const configs = new SpaceConfigs(home);
  const findings = configs
    .damaged()
    .map(({ id, message, hint }) => problem("space", message, hint, id === null ? {} : { subject: id }));
  return { spaces: configs.readable(), findings };
}

/** Where several are here, a call that names none has to mean one. */
export function checkDefault(spaces: readonly SpaceConfig[], { home }: DoctorContext): readonly Finding[] {
  if (spaces.length < 2) return [];
  const { defaultId } = new SpaceConfigs(home);
  const usual = spaces.find(({ id }) => id === defaultId);
  if (usual !== undefined)
    return [
      ok("space", `Commands and agents that name no space use ${usual.name}.`, { subject: usual.name }),
    ];
  const hint = `Choose one: cambium spaces --default ${shellWord(spaces[0]?.name ?? "")}`;
  return [
    warn("space", "Several spaces are here, and none is the default: calls that name none fail.", hint),
  ];
}

/** Reads what SQLite says of the file; `verify` reads every record as well. */
export function checkStore({ id, name }: SpaceConfig, { home }: DoctorContext): Finding {
  const subject = { subject: name };
  const dir = new SpaceConfigs(home).directoryOf(id as SpaceId);
  const path = join(dir, "store.sqlite");
  if (!existsSync(path)) {
    return existsSync(join(dir, "store"))
      ? ok("store", `The store of ${name} is kept in files; \`cambium verify\` reads them all.`, subject)
      : ok("store", `The space ${name} has no store yet.`, subject);
  }
  // A log that was not taken in yet cannot be read without writing beside it; the next opening does that.
  const isUnfinished = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isUnfinished || statSync(path).size > LARGEST_LOOK_BYTES) {
    return ok(
      "store",
      `The store of ${name} was not looked into: \`cambium verify\` reads all of it.`,
      subject,
    );
  }
  const verify = `Run \`cambium verify --space ${shellWord(name)}\`: it names what is damaged; \`cambium sync\` fetches what a relay holds.`;
  try {
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1"); // else SQLite leaves a file beside it
    using database = new DatabaseSync(url, { readOnly: true });
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    if (row?.quick_check === "ok") {
      return ok("store", `The store of ${name} looks sound; \`cambium verify\` reads every byte.`, subject);
    }
    return problem("store", `The store of ${name} is damaged: ${String(row?.quick_check)}.`, verify, subject);
  } catch (error) {
    const reason = messageOf(error);
    const hint = restoreAdvice(home, id) ?? verify;
    return problem("store", `The store of ${name} cannot be read: ${reason}.`, hint, subject);
  }
}

export async function checkSpace(
  { id, name }: SpaceConfig,
  {
    replica,
    isRelayWell,
    home,
  }: { readonly replica: Replica; readonly isRelayWell: boolean; readonly home: string },
): Promise<readonly Finding[]> {
  try {
    await using space = await replica.openSpace(id, { connect: false });
    const status = await space.status();
    // Told once, and not by each space that is sound.
    const others = (await replica.damagedSpaces()).map(({ message }) => message);
    const notices = status.notices.filter((notice) => !others.some((other) => notice.endsWith(other)));
    const findings = findingsIn({ ...status, notices }, isRelayWell);
    return findings.length > 0
      ? findings
      : [ok("space", `The space ${name} has nothing open.`, { subject: name })];
  } catch (error) {
    return [problemFrom("space", withBackupNamed(error, home), { subject: name })];
  }
}

function findingsIn(status: SpaceStatus, isRelayWell: boolean): readonly Finding[] {
  const { space, conflicts, missing, notices, requests, relay, index } = status;
  const { name } = space;
  const subject = { subject: name };
  const describe = (isSo: boolean, message: string, hint: string): readonly Finding[] =>
    isSo ? [warn("space", `${name}: ${message}`, hint, subject)] : [];
  const late = missing.filter(({ code }) => code === undefined).length;
  const tooNew = missing.length - late;
  return [
    ...describe(
      conflicts > 0,
      `${counted(conflicts, "conflict")} on main ${conflicts === 1 ? "is" : "are"} open.`,
      "See `cambium conflicts`.",
    ),
    ...describe(
      late > 0,
      `${counted(late, "record")} of others ${late === 1 ? "has" : "have"} not arrived.`,
      "Run `cambium sync`, also on the device that wrote them.",
    ),
    ...describe(
      tooNew > 0,
      `${counted(tooNew, "record")} ${tooNew === 1 ? "was" : "were"} written by a newer Cambium.`,
      "Update this one to read them.",
    ),
    ...describe(
      relay.pending > 0 && isRelayWell,
      `${counted(relay.pending, "change")} ${relay.pending === 1 ? "has" : "have"} not reached the relay.`,
      "Run `cambium sync`.",
    ),
    ...describe(
      requests > 0,
      `${counted(requests, "request")} ${requests === 1 ? "waits" : "wait"} for your approval.`,
      "See `cambium approve`.",
    ),
    ...describe(
      index.vectors?.problem !== undefined,
      `vectors are not made: ${index.vectors?.problem}`,
      "See docs/recall.md.",
    ),
    ...notices.map((notice) =>
      isReassuring(notice)
        ? ok("space", `${name}: ${notice}`, subject)
        : warn("space", `${name}: ${notice}`, "See `cambium status`.", subject),
    ),
  ];
}

/** Whether the relay answers, takes the token, and has the same time. */
export async function checkRelay(
  { id, name, relay }: SpaceConfig,
  context: DoctorContext,
): Promise<readonly Finding[]> {
  const subject = { subject: name };
  if (relay === null) {
    const hint = `To sync it: cambium link <url of a relay> --space ${shellWord(name)} --token <its admin token>`;
    return [ok("relay", `The space ${name} is on this device only.`, { ...subject, hint })];
  }
  try {
    const call = { ...relay, timeoutMs: RELAY_TIMEOUT_MS, signal: context.signal };
    const found = await relaySpaceOf(call);
    if (found.space !== id) {
      const message = `The token of ${name} is for another space.`;
      return [problem("relay", message, relinkHint(name, relay.url), subject)];
    }
    const answers = ok(
      "relay",
      `The relay of ${name} answers and takes the token, role ${found.role}.`,
      subject,
    );
    return [answers, ...(await checkRelayClock(relay.url, context, subject))];
  } catch (error) {
    return [relayProblem({ name, url: relay.url }, error, subject)];
  }
}

/** To be offline is no illness; to be refused is. */
function relayProblem(
  { name, url }: { readonly name: string; readonly url: string },
  error: unknown,
  subject: { readonly subject: string },
): Finding {
  if (isCambiumError(error, "RELAY_UNREACHABLE")) {
    const hint =
      "Work goes on without it. A running daemon sends what waits when it is back; without one: cambium sync";
    return warn("relay", `${name}: ${error.message}`, hint, subject);
  }
  if (isCambiumError(error, "TOKEN_REFUSED")) {
    return problem("relay", `${name}: ${error.message}`, relinkHint(name, url), subject);
  }
  return problemFrom("relay", error, subject);
}

const relinkHint = (name: string, url: string): string =>
  `Join again with a new invitation: cambium join <invitation>. If the relay has lost the space, publish it again: cambium link ${shellWord(url)} --space ${shellWord(name)} --token <admin token of the relay>`;

async function checkRelayClock(
  url: string,
  { now, signal }: DoctorContext,
  subject: { readonly subject: string },
): Promise<readonly Finding[]> {
  const signals = AbortSignal.any([signal, AbortSignal.timeout(RELAY_TIMEOUT_MS)]);
  const asked = await fetch(relayHttpUrl(url, ["healthz"]), { redirect: "error", signal: signals }).catch(
    () => undefined, // it answered a moment ago; that it tells no time is no illness
  );
  const relayTime = Date.parse(asked?.headers.get("date") ?? "");
  const offMs = now() - relayTime;
  if (Number.isNaN(offMs) || Math.abs(offMs) <= CLOCK_TOLERANCE_MS) return [];
  const side = offMs > 0 ? "ahead of" : "behind";
  return [
    warn(
      "clock",
      `This device's clock is ${inWords(offMs)} ${side} the relay's.`,
      "Set it right; until then Cambium goes by the relay's.",
      subject,
    ),
  ];
}
