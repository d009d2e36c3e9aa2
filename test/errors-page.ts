/**
 * The page of error codes, made from the table that every edge reads.
 *
 * @module
 */
import { ERROR_CODES } from "@cambium/core";
import { wrapProse } from "../scripts/prose.ts";

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { exit, http, meaning }]) => `| \`${code}\` | ${exit} | ${http} | ${meaning} |`);
  return wrapProse(`# Errors

\`{ code, message, hint?, details? }\`, the same codes in the library, the command line and over HTTP. This page is made from [errors.ts](../packages/core/src/errors.ts) by \`node scripts/errors-doc.ts\`.

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 conflict open, 5 refused, 6 stored data damaged.

| code | exit | HTTP | meaning |
|---|---|---|---|
${rows.join("\n")}
`);
}
