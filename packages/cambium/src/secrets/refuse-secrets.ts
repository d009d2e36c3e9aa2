/**
 * Refuses what should not be remembered: a secret in a memory is on every device, in every backup, and in every
 * answer that quotes it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core/errors";
import { findSecret } from "./find-secret.js";

/**
 * @param fields - of a memory to be written; every text in them is looked through
 * @throws {CambiumError} SECRET_REFUSED naming kind and place, never the secret
 */
export function refuseSecrets(
  fields: object,
  { allow }: { readonly allow?: boolean | undefined } = {},
): void {
  if (allow === true) return;
  for (const [field, text] of textsIn(fields)) {
    const found = findSecret(text);
    if (found === undefined) continue;
    const { kind, line } = found;
    const place = text.includes("\n") ? `${field}, line ${line}` : field;
    throw new CambiumError("SECRET_REFUSED", `The ${place} seems to hold ${kind}, and was not kept.`, {
      hint: "Leave it out and note where it is kept instead, or pass allowSecret (--allow-secret) to store it.",
      details: { kind, field, line },
    });
  }
}

function* textsIn(value: unknown, name = ""): Generator<readonly [field: string, text: string]> {
  if (typeof value === "string") yield [name, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) {
      const isItem = Array.isArray(value);
      yield* textsIn(one, isItem || name !== "" ? name || key : key);
    }
}
