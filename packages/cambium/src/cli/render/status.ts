/**
 * Where one is and what is pending, for people.
 *
 * @module
 */
import type { SpaceStatus, SyncStatus } from "@cambium/client";
import { counted, isReassuring, oneLine } from "@cambium/core/text";
import type { Binding } from "../../workspace/binding.js";
import { pinnedBy } from "../../workspace/bound-by.js";
import { labelled } from "./field-value.js";
import { indexText, vectorsText } from "./index-status.js";
import type { Style } from "./style.js";
import { relativeTime } from "./time.js";

/** @param binding - why it is this space and this branch */
export function statusText(status: SpaceStatus, style: Style, binding?: Binding): string {
  const { colors } = style;
  const { space, branch, replica, conflicts, requests, missing, notices, index } = status;
  const others = status.peers.filter(({ self }) => !self).map(({ name }) => oneLine(name));
  const memories =
    branch.memories === undefined
      ? colors.yellow("not here yet")
      : counted(branch.memories, "memory", "memories");
  const late = missing.filter(({ code }) => code === undefined);
  const tooNew = missing.length - late.length;
  const line = (label: string, text: string): string => labelled(label, text, style, 0);
  return [
    line("space", `${colors.bold(oneLine(space.name))} ${colors.dim(`${space.id}, ${roleText(status)}`)}`),
    ...pinLine(binding?.space, style),
    line("branch", `${colors.green(oneLine(branch.name))}, ${memories}`),
    ...pinLine(binding?.branch, style),
    line("device", `${oneLine(replica.name)} ${colors.dim(replica.id)}`),
    ...othersLine(status, others, style),
    line("relay", relayText(status.relay, style)),
    ...(status.relay.state === "refused"
      ? [line("", colors.dim("`cambium doctor` says how to get in again"))]
      : []),
    ...pendingDocuments(status).map((text) => line("", text)),
    ...(late.length === 0 ? [] : [line("missing", colors.yellow(missingText(late)))]),
    ...(tooNew === 0 ? [] : [line("too new", colors.yellow(tooNewText(tooNew)))]),
    ...(conflicts === 0
      ? []
      : [line("conflicts", colors.red(`${conflicts} open: see \`cambium conflicts\``))]),
    ...(requests === 0 ? [] : [line("requests", colors.yellow(requestsText(requests)))]),
    ...(status.key.epoch === 0 ? [] : [line("key", keyText(status.key, style))]),
    line("index", indexText(index, style)),
    ...(index.vectors === undefined ? [] : [line("vectors", vectorsText(index.vectors, style))]),
    ...notices.map((notice) =>
      line("note", isReassuring(notice) ? colors.dim(oneLine(notice)) : colors.yellow(oneLine(notice))),
    ),
  ].join("\n");
}

/** Devices that lack it are among the notes. */
function keyText({ epoch, since, waiting }: SpaceStatus["key"], { colors, nowMs }: Style): string {
  const began = since === undefined ? "" : colors.dim(`, since ${relativeTime(since, nowMs)}`);
  const names = waiting.map(oneLine).join(", ");
  return `${epoch}${began}${names === "" ? "" : colors.dim(`; not taken up yet by ${names}`)}`;
}

/** Whoever only reads cannot say so in the space: of those, the relay alone knows. */
function othersLine(
  { space, relay }: SpaceStatus,
  others: readonly string[],
  style: Style,
): readonly string[] {
  const isShared = space.role === "admin" && relay.url !== null;
  if (others.length === 0 && !isShared) return [];
  const names = others.length === 0 ? "none that writes" : others.join(", ");
  const more = isShared ? style.colors.dim(" (`cambium members` lists those that only read, too)") : "";
  return [labelled("others", `${names}${more}`, style, 0)];
}

/** What the device was allowed is of no use to it any more; what the relay was not asked about may have changed. */
function roleText({ space, relay }: SpaceStatus): string {
  if (relay.hasEnded) return `access revoked or ended (was ${space.role})`;
  return `role ${space.role}${isUnasked(relay) ? ", as last heard" : ""}`;
}

/** Whether nothing has come of a connection yet: neither that it stands, nor that it failed. */
export const isUnasked = ({ url, state, reason, lastFailure }: SyncStatus["relay"]): boolean =>
  url !== null && state === "offline" && reason === undefined && lastFailure === undefined;

const pinLine = (binding: Binding["space"] | Binding["branch"], style: Style): readonly string[] =>
  binding === undefined
    ? []
    : [labelled("", style.colors.dim(`pinned by ${oneLine(pinnedBy(binding))}`), style, 0)];

const requestsText = (count: number): string =>
  `${count} ${count === 1 ? "waits" : "wait"} for approval: see \`cambium approve\``;

export function relayText(relay: SyncStatus["relay"], { colors, nowMs }: Style): string {
  if (relay.url === null)
    return colors.dim("none: this space is on this device only (cambium link <url> gives it one)");
  const counts = [
    relay.pending > 0 ? `${relay.pending} to send` : "nothing to send",
    relay.missing > 0 ? `${relay.missing} to fetch` : "",
    relay.lastReceiptAt === null ? "" : `last confirmed ${relativeTime(relay.lastReceiptAt, nowMs)}`,
  ].filter((part) => part !== "");
  const paint = { synced: colors.green, pending: colors.yellow, offline: colors.yellow, refused: colors.red };
  // Most verbs never connect: without a reason, nothing is wrong with the relay.
  const reason = relay.reason ?? relay.lastFailure;
  const isIdle = isUnasked(relay);
  const word = isIdle ? "not connected" : relay.state;
  const state = relay.state === "none" ? word : paint[relay.state](word);
  const why = reason === undefined ? "" : ` (${asClause(reason)})`;
  return `${oneLine(relay.url)} ${state}${colors.dim(`${why}, ${counts.join(", ")}`)}`;
}

/** A sentence, to stand within another. */
const asClause = (sentence: string): string => oneLine(sentence).replace(/^The /, "the ").replace(/\.$/, "");

function pendingDocuments({ relay, documents }: SpaceStatus): readonly string[] {
  if (relay.url === null) return [];
  return documents
    .filter(({ kind, pending, behind }) => kind === "branch" && pending + behind > 0)
    .map(({ name, pending, behind }) => `${oneLine(name)}: ${pending} to send, ${behind} to fetch`);
}

const tooNewText = (count: number): string =>
  `${counted(count, "record")} a newer Cambium wrote: update this one to read them`;

function missingText(missing: SpaceStatus["missing"]): string {
  const writers = [
    ...new Set(missing.flatMap(({ writer }) => (writer === undefined ? [] : [oneLine(writer)]))),
  ];
  const from = writers.length === 0 ? "" : ` by ${writers.join(", ")}`;
  return missing.length === 1
    ? `1 record${from} has not arrived`
    : `${missing.length} records${from} have not arrived`;
}
