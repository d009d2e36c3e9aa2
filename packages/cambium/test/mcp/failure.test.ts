/** What a model reads of an error. */
import { CambiumError, ERROR_CODES } from "@cambium/core";
import type { ErrorCode } from "@cambium/core/errors";
import { expect, test } from "vitest";
import { failureText } from "../../src/mcp/failure.js";

test("[MC19] every error says what to do next; a wrong number is not said to be a write of others", () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[])
    expect(failureText(new CambiumError(code, "No."))).toMatch(/^[A-Z_]+: No\.\nNext: \S/);
  const hint = "Confirm the number that it says.";
  const stale = new CambiumError("STALE_EXPECTATION", "4, not 3.", { hint, details: { confirmed: 3 } });
  expect(failureText(stale)).toContain(`Next: ${hint}`);
  expect(failureText(new CambiumError("STALE_EXPECTATION", "Moved."))).toContain("written meanwhile");
});
