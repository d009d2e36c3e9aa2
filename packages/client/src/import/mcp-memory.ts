/**
 * Reads the JSONL file of the official MCP memory server (`@modelcontextprotocol/server-memory`). Which memories its
 * graph becomes is said in `graph-drafts.ts`.
 *
 * @see https://github.com/modelcontextprotocol/servers/tree/main/src/memory
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { GraphRelation } from "../api.js";
import {
  entityDraft,
  type GraphPlace,
  type NamedEntity,
  observationDraft,
  relationDraft,
} from "./graph-drafts.js";
import {
  contentProblem,
  type ImportDraft,
  type ImportReading,
  type SkippedPart,
  toSourceKey,
} from "./import-draft.js";

type JsonObject = Readonly<Record<string, unknown>>;

interface Entity {
  /** Usually one. A file written by two processes may name one entity twice, with different types. */
  readonly types: Set<string>;
  readonly observations: Set<string>;
}

interface Graph {
  readonly entityByName: Map<string, Entity>;
  readonly relationByKey: Map<string, GraphRelation>;
  readonly skipped: SkippedPart[];
  /** Fields the format does not have, with the line that first had each and how many lines did. */
  readonly unknownFields: Map<string, { readonly firstLine: number; count: number }>;
}

/**
 * Returns a draft per entity, observation and relation. Lines that cannot be read are skipped, with number and reason.
 * What is written twice gives one draft, as it does in the server.
 *
 * @param options.name - of the source; part of every key
 * @param options.file - what people call it (default: the name)
 * @throws {CambiumError} BAD_INPUT when no line is an entity or a relation
 */
export function readMcpMemory(
  text: string,
  options: { readonly name: string; readonly file?: string },
): ImportReading {
  const graph: Graph = {
    entityByName: new Map(),
    relationByKey: new Map(),
    skipped: [],
    unknownFields: new Map(),
  };
  withoutByteOrderMark(text)
    .split("\n")
    .forEach((line, index) => {
      if (line.trim() !== "") addLine(graph, line, index + 1);
    });
  if (graph.entityByName.size + graph.relationByKey.size === 0)
    throw noGoodLine(options.file ?? options.name, graph.skipped);

  const drafts: ImportDraft[] = [];
  const place = (): GraphPlace => ({ source: options.name, position: drafts.length });
  const keep = (draft: ImportDraft, where: string): void => {
    const problem = contentProblem(draft.content);
    if (problem === undefined) drafts.push(draft);
    else graph.skipped.push({ where, reason: problem });
  };
  for (const [name, entity] of graph.entityByName) {
    const named: NamedEntity = { name, types: [...entity.types] };
    keep(entityDraft(named, place()), `entity "${name}"`);
    for (const observation of entity.observations) {
      keep(observationDraft(named, observation, place()), `an observation of "${name}"`);
    }
  }
  const isKnown = (name: string): boolean => graph.entityByName.has(name);
  for (const relation of graph.relationByKey.values()) {
    keep(relationDraft(relation, place(), isKnown), `a relation of "${relation.from}"`);
  }
  return { drafts, skipped: [...graph.skipped, ...unknownFieldNotes(graph)] };
}

/** Says whether a line is an entity or a relation of the format, for telling formats apart. */
export function isMcpMemoryLine(line: string): boolean {
  const value = parseObject(line);
  return value !== undefined && (value.type === "entity" || value.type === "relation");
}

function addLine(graph: Graph, line: string, lineNumber: number): void {
  const skip = (reason: string): void => {
    graph.skipped.push({ where: `line ${lineNumber}`, reason });
  };
  const value = parseObject(line);
  if (value?.type === "entity") {
    noteUnknownFields(graph, value, lineNumber, ["type", "name", "entityType", "observations"]);
    addEntity(graph, value, skip);
  } else if (value?.type === "relation") {
    noteUnknownFields(graph, value, lineNumber, ["type", "from", "to", "relationType"]);
    addRelation(graph, value, skip);
  } else if (value === undefined) {
    skip("It is not a JSON object.");
  } else {
    skip('Its "type" is neither "entity" nor "relation".');
  }
}

/** Keeps whatever part of an entity can be read: a bad observation does not cost the good ones. */
function addEntity(graph: Graph, value: JsonObject, skip: (reason: string) => void): void {
  const { name, entityType, observations = [] } = value;
  if (!isName(name)) {
    skip('An entity needs a "name" that is a text and not empty.');
    return;
  }
  const entity = graph.entityByName.get(name) ?? { types: new Set(), observations: new Set() };
  graph.entityByName.set(name, entity);
  if (isName(entityType)) entity.types.add(entityType);
  else if (entityType !== undefined && entityType !== "") skip('Its "entityType" is not a text.');
  if (!Array.isArray(observations)) {
    skip('Its "observations" are not a list.');
    return;
  }
  for (const [index, observation] of observations.entries()) {
    if (isName(observation)) entity.observations.add(observation);
    else skip(`Observation ${index + 1} is empty, or not a text.`);
  }
}

function addRelation(graph: Graph, value: JsonObject, skip: (reason: string) => void): void {
  const { from, relationType, to } = value;
  if (isName(from) && isName(relationType) && isName(to)) {
    graph.relationByKey.set(toSourceKey(from, relationType, to), { from, relationType, to });
  } else {
    skip('A relation needs "from", "to" and "relationType", each a text and not empty.');
  }
}

const isName = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.isWellFormed();

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined; // not JSON: the caller says so, with the line number
  }
}

function noteUnknownFields(
  graph: Graph,
  value: JsonObject,
  lineNumber: number,
  known: readonly string[],
): void {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    const seen = graph.unknownFields.get(field);
    if (seen === undefined) graph.unknownFields.set(field, { firstLine: lineNumber, count: 1 });
    else seen.count += 1;
  }
}

/** One note per field and not per line: a server that adds a field adds it to every line. */
function unknownFieldNotes({ unknownFields }: Graph): SkippedPart[] {
  return [...unknownFields].map(([field, { firstLine, count }]) => ({
    where: count === 1 ? `line ${firstLine}` : `line ${firstLine} and ${count - 1} more`,
    reason: `The field "${field}" is not part of the format and was left out.`,
  }));
}

function noGoodLine(name: string, skipped: readonly SkippedPart[]): CambiumError {
  const [first] = skipped;
  const why = first === undefined ? "It is empty." : `First problem, ${first.where}: ${first.reason}`;
  return new CambiumError("BAD_INPUT", `No line of "${name}" is an entity or a relation. ${why}`, {
    hint: "Give the JSONL file that the MCP memory server writes (memory.jsonl).",
    details: { name, skipped: skipped.slice(0, 20) },
  });
}

const withoutByteOrderMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
