/**
 * What is concealed, for the owner.
 *
 * @module
 */
import type { ConcealedMemory } from "@cambium/client";
import { contentWithTitle, oneLine, shortIds } from "@cambium/core/text";
import { authorName } from "./author.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { relativeTime } from "./time.js";

/** What bytes stay where, so that nobody takes it for more than it is. */
const REACH = [
  "No branch, no state of the past, no log and no search shows it any more, on any device that syncs.",
  "The text is still in the files of this device, the relay and your other devices: `cambium erase` destroys it.",
];

/** A command for each; the list of what is concealed has the others. */
const SHOWN_RESTORES = 5;

export function concealedReply(memories: readonly ConcealedMemory[], style: Style): string {
  const { colors } = style;
  const short = shortIds(memories.map(({ id }) => id));
  const lines = memories.map(({ id }) => `Concealed ${colors.yellow(short(id))}`);
  const restores = memories.slice(0, SHOWN_RESTORES).map(({ id }) => `cambium restore ${short(id)}`);
  if (memories.length > SHOWN_RESTORES) restores.push("…");
  const which = memories.length === 1 ? "it" : "them";
  const back = `To show ${which} again: ${restores.join("; ")}. What is concealed: cambium list --concealed`;
  return [...lines, ...REACH.map(colors.dim), colors.dim(back)].join("\n");
}

export function concealedTable(memories: readonly ConcealedMemory[], style: Style): string {
  if (memories.length === 0) return "Nothing is concealed in this space.";
  const { colors } = style;
  const short = shortIds(memories.map(({ id }) => id));
  const columns: readonly Column<ConcealedMemory>[] = [
    { title: "id", text: ({ id }) => short(id), paint: colors.yellow },
    { title: "memory", text: textOf, flexible: true },
    { title: "by", text: ({ by }) => authorName(by), paint: colors.dim },
    { title: "concealed", text: ({ at }) => relativeTime(at, style.nowMs), paint: colors.dim },
  ];
  return table(memories, columns, style);
}

function textOf({ memory }: ConcealedMemory): string {
  if (memory === undefined) return "(has not arrived here)";
  return memory.erased === "whole" ? "(erased)" : oneLine(contentWithTitle(memory));
}
