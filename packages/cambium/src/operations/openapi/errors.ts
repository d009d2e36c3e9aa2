/**
 * Failures as OpenAPI tells them: one shape, and for each status the codes it stands for.
 *
 * @module
 */
import { ERROR_CODES, type ErrorCode } from "@cambium/core";
import type { JsonSchema } from "./json-schemas.js";

const CODES = (Object.keys(ERROR_CODES) as ErrorCode[]).sort();

/** Nobody is there any more to read an answer to a call that was given up. */
const UNREAD = 499;

const STATUSES = [...new Set(CODES.map((code) => ERROR_CODES[code].http))]
  .filter((status) => status !== UNREAD)
  .sort((a, b) => a - b);

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    description: "Why something could not be done.",
    type: "object",
    properties: {
      error: {
        type: "object",
        properties: {
          code: { $ref: "#/components/schemas/ErrorCode" },
          message: { type: "string", description: "A sentence for people." },
          hint: { type: "string", description: "What to do next." },
          details: { type: "object", description: "Plain data for programs: fields, ids, counts." },
        },
        required: ["code", "message"],
      },
    },
    required: ["error"],
  },
  ErrorCode: {
    description: `The same in the library, on the command line and in MCP; later versions may have more.\n\n${CODES.map(
      (code) => `- \`${code}\` (${ERROR_CODES[code].http}): ${ERROR_CODES[code].meaning}`,
    ).join("\n")}`,
    type: "string",
    examples: ["MEMORY_NOT_FOUND"],
  },
};

const nameOf = (status: number): string => `Failed${status}`;

export const ERROR_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries([
  ...STATUSES.map((status) => {
    const codes = CODES.filter((code) => ERROR_CODES[code].http === status);
    const lines = codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`);
    return [nameOf(status), responseOf(lines.join("\n\n"), codes)];
  }),
  ["Failed", responseOf("Another failure.", [])],
]);

function responseOf(description: string, codes: readonly ErrorCode[]): object {
  const [code] = codes;
  const example =
    code === undefined ? {} : { example: { error: { code, message: ERROR_CODES[code].meaning } } };
  return {
    description,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, ...example } },
  };
}

interface Concerned {
  readonly isWrite: boolean;
  readonly hasSpace: boolean;
  readonly takesBody: boolean;
}

/** What may go wrong with a call, as far as its kind tells. */
export function failuresOf({ isWrite, hasSpace, takesBody }: Concerned): Readonly<Record<string, object>> {
  const isPossible = (status: number): boolean => {
    if (status === 413) return takesBody;
    if (status === 422) return isWrite;
    return status === 404 ? hasSpace : true;
  };
  return Object.fromEntries([
    ...STATUSES.filter(isPossible).map((status) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(status)}` },
    ]),
    ["default", { $ref: "#/components/responses/Failed" }],
  ]);
}
