/**
 * A failure that the daemon reported, as the error that the same call would throw in this process.
 *
 * @module
 */
import { CambiumError, ERROR_CODES, type ErrorCode } from "@cambium/core/errors";

/** Said by Node itself, before the daemon sees the request. */
const HEADERS_TOO_LARGE = 431;

/** @param body - what was answered: `{ error: { code, message, hint?, details? } }` */
export function answeredError(body: unknown, status: number): CambiumError {
  const summary = field(body, "error");
  const [code, message, hint, details] = ["code", "message", "hint", "details"].map((name) =>
    field(summary, name),
  );
  if (status === HEADERS_TOO_LARGE)
    return new CambiumError("BAD_INPUT", "The question is too long to be asked.");
  if (typeof code !== "string" || typeof message !== "string")
    return new CambiumError("INTERNAL", `The daemon answered ${status} with something that cannot be read.`, {
      hint: "See daemon.log in CAMBIUM_HOME.",
    });
  // A newer daemon may know codes that this program does not.
  const isKnown = Object.hasOwn(ERROR_CODES, code);
  const plain =
    typeof details === "object" && details !== null ? (details as Record<string, unknown>) : undefined;
  return new CambiumError(isKnown ? (code as ErrorCode) : "INTERNAL", message, {
    hint: typeof hint === "string" ? hint : undefined,
    details: isKnown ? plain : { ...plain, code },
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
