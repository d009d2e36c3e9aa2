/**
 * Under which keys a space is sealed, for people.
 *
 * @module
 */
import type { RekeyResult } from "@cambium/client";
import { counted } from "@cambium/core/text";

/** What no key of ours reaches. */
const LIMIT = [
  "Whoever was removed keeps what they have: what their device holds, and what they copied before.",
  "Archives, backups of a relay's disk and exports stay as they are.",
];

export function rekeyText(result: RekeyResult): string {
  const { status, epoch, records, earlier, waiting, bytes, resealed, relay } = result;
  if (status === "one-key")
    return "The space has had one key only. Removing a device begins another: cambium invites revoke <device>";
  const all = `${countOf(records)}, key ${epoch}`;
  if (status === "preview") {
    const left = earlier + waiting;
    return [
      left === 0
        ? `All of ${all}: nothing is under an earlier key here.`
        : `Of ${all}: ${earlier} are under an earlier key only, ${waiting} wait for the relay (${sizeText(bytes)}).`,
      ...(left === 0 ? [relayLine(relay)] : ["To seal them anew: cambium rekey"]),
    ].join("\n");
  }
  if (status === "nothing") return [`All of ${all} already.`, relayLine(relay)].join("\n");
  const done = resealed === 0 ? [] : [`Sealed ${countOf(resealed)} anew under key ${epoch}.`];
  if (status === "waiting")
    return [
      ...done,
      `The relay has not confirmed it yet, so the old bytes of ${waiting} are still there. Run \`cambium rekey\` again once it can be reached.`,
    ].join("\n");
  const lines =
    earlier + waiting > 0 ? [`${earlier + waiting} have come since under an earlier key: run it again.`] : [];
  return [...done, relayLine(relay), ...lines, ...LIMIT].join("\n");
}

const relayLine = (relay: RekeyResult["relay"]): string =>
  ({
    destroyed: "The relay has destroyed the old bytes. Other devices do when they sync.",
    pending: "The relay has not destroyed the old bytes yet: it does with the next `cambium sync`.",
    none: "The old bytes are destroyed here.",
  })[relay];

const countOf = (count: number): string => counted(count, "version");

const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1_000_000).toFixed(1)} MB`;
