import fc from "fast-check";
import { type ParseError, parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { clientNamed } from "../../src/setup/clients.js";
import { parseServers, putServer, takeServer } from "../../src/setup/jsonc-servers.js";
import { type ClientRequest, planClient } from "../../src/setup/plan-client.js";
import { doStep } from "../../src/setup/step.js";
import { makeMachine } from "./machines.js";

const KEY = "mcpServers";
const ENTRY = { command: "cambium", args: ["mcp"], env: { CAMBIUM_SPACE: "team" } };

/** Settings of some shape, written with comments, trailing commas and white space of all kinds. */
const jsonc = fc
  .record({
    others: fc.dictionary(name(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    servers: fc.option(fc.dictionary(name(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })),
    isFirst: fc.boolean(),
    eol: fc.constantFrom("\n", "\r\n"),
    indent: fc.constantFrom("", "  ", "    ", "\t"),
    trivia: fc.array(
      fc.constantFrom("", "", " ", "EOL", "EOL", "/* note */", '// note, with "marks" {}EOL', ""),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    bom: fc.constantFrom("", "", "\uFEFF"),
    trailing: fc.constantFrom("", ","),
  })
  .map(({ others, servers, isFirst, bom, ...rest }) => {
    const own = servers === null ? {} : { [KEY]: servers };
    const value = isFirst ? { ...own, ...others } : { ...others, ...own };
    const text = bom + print(value, { ...rest, at: 0 });
    return { text, value: read(text) as object }; // as it is read: -0 and __proto__ are lost already
  });

function name() {
  return fc.string({ maxLength: 8 }).filter((text) => ![KEY, "cambium", "__proto__"].includes(text));
}

interface Printer {
  readonly eol: string;
  readonly indent: string;
  readonly trivia: readonly string[];
  readonly trailing: string;
  at: number;
}

function gap(printer: Printer): string {
  printer.at += 1;
  const picked = printer.trivia[printer.at % printer.trivia.length] ?? "";
  return (picked === "" ? " " : picked).replaceAll("EOL", printer.eol);
}

function print(value: unknown, printer: Printer, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const inner = printer.eol + printer.indent.repeat(depth + 1);
  const items = Object.entries(value).map(
    ([key, item]) =>
      (isArray ? "" : `${JSON.stringify(key)}${gap(printer)}:${gap(printer)}`) +
      print(item, printer, depth + 1),
  );
  const body = items.map((item) => inner + item + gap(printer)).join(",");
  const comma = items.length === 0 ? "" : printer.trailing;
  return `${isArray ? "[" : "{"}${body}${comma}${gap(printer)}${isArray ? "]" : "}"}`;
}

function read(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error(`Not understood: ${text}`);
  return value;
}

const comments = (text: string): number => text.split("note").length;

test("[SU3] putting a server in adds it and changes no other value, comment or line end", () => {
  fc.assert(
    fc.property(jsonc, ({ text, value }) => {
      const put = putServer(text, KEY, "cambium", ENTRY);
      expect(read(put)).toEqual({ ...value, [KEY]: { ...servers(value), cambium: ENTRY } });
      expect(comments(put)).toBe(comments(text));
      expect(putServer(put, KEY, "cambium", ENTRY)).toBe(put);
      // Everything that was there is there, in its order.
      expect(isSubsequence(text, put)).toBe(true);
      if (!text.includes("\r\n")) expect(put).not.toContain("\r");
      else expect(put.replaceAll("\r\n", "")).not.toContain("\n");
    }),
    { numRuns: 200 },
  );
});

test("[SU5] taking it out leaves every other value and comment, wherever it stands", () => {
  fc.assert(
    fc.property(jsonc, fc.boolean(), ({ text, value }, isFollowed) => {
      const put = putServer(text, KEY, "cambium", ENTRY);
      const full = isFollowed ? putServer(put, KEY, "later", { command: "x" }) : put;
      const taken = takeServer(full, KEY, "cambium");
      const rest = isFollowed ? { later: { command: "x" } } : {};
      expect(read(taken)).toEqual({ ...value, [KEY]: { ...servers(value), ...rest } });
      expect(comments(taken)).toBe(comments(text));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['{ "mcpServers": { "cambium": {}, } }', '{ "mcpServers": { } }'],
  [
    '{ "mcpServers": {\n  "cambium": {}, // ours\n  "b": {}\n} }',
    '{ "mcpServers": {\n // ours\n  "b": {}\n} }',
  ],
  [
    '{ "mcpServers": {\n  "a": {}, // a\n  "cambium": {},\n  "b": {}\n} }',
    '{ "mcpServers": {\n  "a": {}, // a\n  "b": {}\n} }',
  ],
])("[SU5] %s reads %s without it", (text, left) => {
  expect(takeServer(text, KEY, "cambium")).toBe(left);
});

test("[SU3] set up and taken out, any settings are the same byte for byte", async () => {
  const user: ClientRequest = { scope: "user", remove: false, entry: { space: "notes" } };
  const cursor = clientNamed("cursor");
  await using machine = await makeMachine();
  await fc.assert(
    fc.asyncProperty(jsonc, async ({ text }) => {
      const file = await machine.write("home/.cursor/mcp.json", text);
      expect(await doStep(planClient(cursor, user, machine), machine)).toMatchObject({ status: "set-up" });
      expect(await machine.read(file)).not.toBe(text);
      await doStep(planClient(cursor, { ...user, remove: true }, machine), machine);
      expect(Object.values(await machine.snapshot())).toEqual([Buffer.from(text).toString("latin1")]);
    }),
    { numRuns: 50 },
  );
});

test("[SU6] any text is either understood or refused with a sentence", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    ":",
    "//",
    "/*",
    "*/",
    "\n",
    KEY,
    '"a"',
    "1",
    "\uFEFF",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      const parsed = parseServers(text, KEY);
      if (!parsed.ok) expect(parsed.problem).toMatch(/\S/);
      else expect(parseServers(putServer(text, KEY, "cambium", ENTRY), KEY).ok).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

const servers = (value: object): object => (value as Record<string, object>)[KEY] ?? {};

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at >= part.length;
}
