/**
 * Lines of JSON-RPC, without those that are none: the SDK drops them without a word, and whoever sent one would wait
 * for ever for an answer.
 *
 * @module
 */
import { Transform } from "node:stream";

const NEW_LINE = 0x0a;
/** The SDK refuses a longer line; it is left to that. */
const LONGEST_LINE = 10 * 1024 * 1024;
/** As the SDK bounds it over HTTP. */
const MOST_IN_BATCH = 100;

/** What is answered in place of the SDK. */
export interface RefusedLine {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export interface LineHandlers {
  readonly onRefused: (answer: RefusedLine) => void;
  /** The requests of a batch: their answers go out together, as one list. */
  readonly onBatch: (requests: readonly (string | number)[], refused: readonly RefusedLine[]) => void;
}

/** Passes whole messages on, those of a batch one by one. */
export function jsonLines(handlers: LineHandlers): Transform {
  let begun: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE)) {
        const line = Buffer.concat([...begun, rest.subarray(0, end + 1)]);
        [begun, size, rest] = [[], 0, rest.subarray(end + 1)];
        for (const message of messagesIn(line, handlers)) this.push(message);
      }
      if (rest.length > 0) begun.push(rest);
      size += rest.length;
      if (size > LONGEST_LINE) {
        this.push(Buffer.concat(begun));
        [begun, size] = [[], 0];
      }
      done();
    },
  });
}

function messagesIn(line: Buffer, { onRefused, onBatch }: LineHandlers): readonly (Buffer | string)[] {
  const text = line.toString("utf8");
  if (text.trim() === "") return [];
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    onRefused(refusal(null, PARSE_ERROR, "Parse error"));
    return [];
  }
  if (!Array.isArray(message)) {
    const refused = refusalOf(message);
    if (refused === undefined) return [line];
    onRefused(refused);
    return [];
  }
  if (message.length === 0 || message.length > MOST_IN_BATCH) {
    const why = message.length === 0 ? "an empty batch" : `a batch of more than ${MOST_IN_BATCH} messages`;
    onRefused(refusal(null, INVALID_REQUEST, `Invalid Request: ${why}`));
    return [];
  }
  const refused = message.flatMap((one) => refusalOf(one) ?? []);
  const taken = message.filter((one) => refusalOf(one) === undefined);
  onBatch(taken.flatMap(requestId), refused);
  return taken.map((one) => `${JSON.stringify(one)}\n`);
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

const refusal = (id: RefusedLine["id"], code: number, message: string): RefusedLine => ({
  ...{ jsonrpc: "2.0", id },
  error: { code, message },
});

interface Fields {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
}

/** @returns undefined for what the SDK takes for a message */
function refusalOf(message: unknown): RefusedLine | undefined {
  const isObject = typeof message === "object" && message !== null && !Array.isArray(message);
  if (!isObject) return refusal(null, INVALID_REQUEST, "Invalid Request: a message is an object");
  const { jsonrpc, id, method } = message as Fields;
  const named = typeof id === "string" || (typeof id === "number" && Number.isInteger(id)) ? id : null;
  const invalid = (why: string) => refusal(named, INVALID_REQUEST, `Invalid Request: ${why}`);
  if (jsonrpc !== "2.0") return invalid('`jsonrpc` has to be "2.0"');
  if (method !== undefined) {
    if (typeof method !== "string") return invalid("`method` has to be text");
    if (id !== undefined && named === null) return invalid("`id` has to be text or a whole number");
    return undefined;
  }
  if ("result" in message || "error" in message) return undefined;
  return invalid("`method` is missing");
}

/** Notifications and answers get none. */
function requestId(message: unknown): readonly (string | number)[] {
  const { id, method } = message as Fields;
  return method === undefined || id === undefined ? [] : [id as string | number];
}
