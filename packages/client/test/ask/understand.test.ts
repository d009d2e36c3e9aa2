/** What sentences become, and that nothing else becomes anything. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXAMPLES } from "../../src/ask/examples.js";
import type { Request } from "../../src/ask/request.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND, REFUSED, UNDERSTOOD } from "./phrasings.js";

const requestOf = async (sentence: string): Promise<Request | undefined> => {
  const found = await understand(sentence, AROUND);
  return found.understood ? found.request : undefined;
};

describe("understanding", () => {
  test.each(UNDERSTOOD)("[AS1] %s", async (sentence, request) => {
    expect(await understand(sentence, AROUND)).toEqual({ understood: true, request });
  });

  test.each(REFUSED.map((sentence) => [sentence]))("[AS2] not understood: %s", async (sentence) => {
    expect(await understand(sentence, AROUND)).toMatchObject({ understood: false });
  });
});
