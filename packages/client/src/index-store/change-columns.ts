/**
 * How a change and its writes are kept in their rows: short, because there is one for each version of a memory.
 *
 * @module
 */
import type { ActorId, ChangeStatement, MemoryId } from "@cambium/core";

/** Of these, more is asked than whom they wrote; the database looks into their JSON. */
const KEPT_AS_JSON: readonly ChangeStatement["type"][] = ["merge", "undo"];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** What the column of types holds. */
export const mergeOrUndo = (statement: ChangeStatement | undefined): string | undefined =>
  statement !== undefined && KEPT_AS_JSON.includes(statement.type) ? statement.type : undefined;

/** A type and the memories, a third as long as JSON; or JSON, where there is anything else to say. */
export function statementText(statement: ChangeStatement): string {
  const { type, memories, ...more } = statement;
  const isPlain =
    !KEPT_AS_JSON.includes(type) &&
    Object.keys(more).length === 0 &&
    typeof memories !== "number" &&
    memories.every((id) => UUID.test(id));
  return isPlain ? [type, ...memories.map(shortId)].join(" ") : JSON.stringify(statement);
}

export function statementFromText(text: string): ChangeStatement {
  if (text.startsWith("{")) return JSON.parse(text) as ChangeStatement;
  const [type, ...memories] = text.split(" ");
  return { type: type as ChangeStatement["type"], memories: memories.map(longId) };
}

/** The operations that a write replaces; those of its own writer by their numbers alone. */
export const replacesText = (replaces: readonly string[], actor: ActorId): string =>
  replaces.map((id) => (id.endsWith(`@${actor}`) ? id.slice(0, -actor.length - 1) : id)).join();

/** @param actor - who wrote the change */
export const replacesFromText = (text: string, actor: string): readonly string[] =>
  text === "" ? [] : text.split(",").map((id) => (id.includes("@") ? id : `${id}@${actor}`));

const shortId = (id: MemoryId): string => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");

const longId = (short: string): MemoryId =>
  Buffer.from(short, "base64url").toString("hex").replace(UUID_PARTS, "$1-$2-$3-$4-$5") as MemoryId;
