/**
 * A field that is added to the table of fields is there everywhere: nothing else names the fields of a memory.
 *
 * The table is replaced by one with a made-up field before anything is loaded; for the types, copies of the sources
 * are compiled with it.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openReplica } from "@cambium/client";
import { type FieldInput, parseFields } from "@cambium/core";
import { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { clearedFields, memoryFields, memoryOptions } from "../src/cli/memory-options.js";
import type { OptionTable } from "../src/cli/option-table.js";
import { historyText } from "../src/cli/render/history.js";
import { memoryInFull } from "../src/cli/render/memory.js";
import { memoryFields as modelFields } from "../src/mcp/schemas.js";
import { memoryBlock, shownMemory } from "../src/mcp/shown-memory.js";
import { openApiDocument } from "../src/operations/openapi/document.js";
import { plainStyle } from "./cli/fixtures.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TABLE = "packages/core/src/format/memory-fields.ts";

const ADDED = vi.hoisted(() => ({
  moods: {
    type: "labels",
    merge: "items",
    combine: "all",
    label: "mood",
    clearable: true,
    models: "write",
    option: { flags: "--its-mood <mood>", help: "how it felt" },
    description: "How it felt.",
  },
  weight: {
    type: "share",
    merge: "choose",
    combine: "greatest",
    label: "heft",
    clearable: true,
    models: "write",
    option: { flags: "--weight <n>", help: "0 to 1" },
    description: "How heavy it is.",
  },
}));

vi.mock("../../core/src/format/memory-fields.js", async (original) => {
  const table = await original<{ readonly MEMORY_FIELDS: object }>();
  return { ...table, MEMORY_FIELDS: { ...table.MEMORY_FIELDS, ...ADDED } };
});

describe("a field that was added to the table", () => {
  test("[CO95] is checked, and refused where its value does not fit", () => {
    expect(parseFields({ moods: ["b", "a", "a"], weight: 0.5 }).fields).toEqual({
      moods: ["a", "b"],
      weight: 0.5,
    });
    expect(() => parseFields({ weight: 2 })).toThrow("weight has to be a number from 0 to 1");
    expect(() => parseFields({ mood: 1 })).toThrow(/fields are content, .*, moods, weight/);
    expect(parseFields({ moods: null }).fields).toEqual({ moods: [] });
  });

  test("[CO95] is written, listed, compared, merged and shown", async () => {
    const dir = mkdtempSync(join(tmpdir(), "cambium-field-"));
    const replica = await openReplica({ dir });
    try {
      const space = await replica.createSpace({ name: "notes" });
      const agent = space.as({ agent: "ada", confirmed: true });
      const { id } = await agent.remember(
        input({ content: "The boat is red.", moods: ["calm"], weight: 0.2 }),
      );
      await space.branches.create("work");
      await agent.revise(id, input({ moods: ["calm", "glad"], weight: 0.4 }), { branch: "work" });
      await agent.revise(id, input({ moods: [], weight: 0.6 }));
      const open = await agent.merge({ from: "work", strategy: "manual" });
      expect(open.conflicts.flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(["weight"]);

      await agent.merge({ from: "work", strategy: "source" });
      const [memory] = (await space.list()).memories;
      if (memory === undefined) throw new Error("The memory is not listed.");
      expect(memory).toMatchObject({ moods: ["glad"], weight: 0.4 });
      const [first, second] = await space.history(id);
      expect(second?.change.summary).toMatch(
        /mood calm dropped; heft 0.2 → 0.6|mood glad added; heft 0.2 → 0.4/,
      );
      expect(first).toMatchObject({ moods: ["calm"], weight: 0.2 });

      const style = plainStyle;
      expect(memoryInFull(memory, {}, style)).toMatch(/moods +glad/);
      expect(historyText(await space.history(id), style)).toMatch(/weight +0\.2/);
      expect(memoryBlock(shownMemory(memory, 1_000))).toContain('moods="glad"');
    } finally {
      await replica.close();
      rmSync(dir, { recursive: true });
    }
  });

  test("[CO95] has an option of the command line, and can be cleared", () => {
    const command = new Command().exitOverride();
    memoryOptions(command as unknown as OptionTable);
    command.parse(["--its-mood", "calm", "--its-mood", "glad", "--weight", "0.5"], { from: "user" });
    expect(memoryFields(command.opts())).toEqual({ moods: ["calm", "glad"], weight: 0.5 });
    expect(clearedFields(["moods"], {})).toEqual({ moods: null });
    expect(command.helpInformation()).toContain("how it felt");
  });

  test("[CO95] stands in the schemas of HTTP and of the tools for models", () => {
    const document = JSON.stringify(openApiDocument({ version: "0", url: "http://localhost" }));
    expect(document).toContain('"description":"How it felt."');
    expect(document).toContain('"description":"How heavy it is.","minimum":0,"maximum":1');
    expect(z.strictObject(modelFields).parse({ moods: ["a"], weight: 1 })).toEqual({
      moods: ["a"],
      weight: 1,
    });
  });

  test("[CO95] is a part of the types, in the library, the command and the schemas", async () => {
    const dir = mkdtempSync(join(tmpdir(), "cambium-field-types-"));
    try {
      copySources(dir);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", dir],
        { encoding: "utf8" },
      ).catch((error: { stdout: string }) => error);
      expect(stdout.split("\n").slice(0, 5).join("\n")).toBe("");
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

/** The made-up fields are no fields for the compiler that reads this file. */
const input = <Input extends object>(fields: Input): Input & { readonly content: string } =>
  fields as FieldInput as Input & { readonly content: string };

const PROBE = `
import type { RememberInput, ReviseInput } from "../client/src/api/memories.js";
import type { Memory, StateField } from "./core.js";
import type { memoryOptions } from "../cambium/src/cli/memory-options.js";
import type { OptionsOf } from "../cambium/src/cli/option-table.js";
type MemoryOptions = OptionsOf<typeof memoryOptions>;
import type { ShownMemory } from "../cambium/src/mcp/shown-memory.js";
import { rememberShape } from "../cambium/src/operations/schemas/parts.js";
export const field: StateField = "moods";
export const written: RememberInput = { content: "", moods: ["a"], weight: 1 };
export const cleared: ReviseInput = { moods: null, weight: null };
// @ts-expect-error a share is a number
export const refused: RememberInput = { content: "", weight: "heavy" };
export const given: MemoryOptions = { itsMood: ["a"], weight: 1 };
export const moods = (memory: Memory): readonly string[] => memory.moods;
export const shown = (memory: ShownMemory): readonly string[] | undefined => memory.moods;
export const parsed: readonly string[] | undefined = rememberShape.moods.parse(undefined);
`;

/** As much of core as the probe needs. */
const CORE = `
export * from "../core/src/format/state-fields.js";
export type { MemoryId } from "../core/src/format/ids.js";
export type { Author } from "../core/src/format/record.js";
export type { Source } from "../core/src/format/source.js";
export type { LabelSelection, LabelValues } from "../core/src/memory/label-filter.js";
export type { Memory } from "../core/src/memory/memory.js";
export type { FieldConflict } from "../core/src/merge/resolve-memory.js";
`;

/**
 * Of the packages that name fields, with the made-up ones in the table and a file that uses them. What that file does
 * not lead to is left out: compiling all of the packages takes many times as long.
 */
function copySources(dir: string): void {
  for (const name of ["core", "client", "cambium"]) {
    const [from, to] = [join(ROOT, "packages", name), join(dir, name)];
    mkdirSync(to);
    cpSync(join(from, "src"), join(to, "src"), { recursive: true });
    symlinkSync(join(from, "node_modules"), join(to, "node_modules"));
  }
  const table = readFileSync(join(ROOT, TABLE), "utf8");
  const added = JSON.stringify(ADDED).slice(1, -1);
  const patched = table.replace("export const MEMORY_FIELDS = {", (begin) => `${begin} ${added},`);
  expect(patched).not.toBe(table);
  mkdirSync(join(dir, "probe"));
  const files = {
    [TABLE.replace("packages/", "")]: patched,
    "cambium/src/cli/context.ts": "export interface ContextOptions {}",
    "probe/probe.ts": PROBE,
    "probe/core.ts": CORE,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      extends: join(ROOT, "tsconfig.base.json"),
      compilerOptions: {
        ...{ noEmit: true, sourceMap: false, declarationMap: false },
        ...{ lib: ["es2024", "esnext.disposable", "esnext.collection", "dom"], types: ["node"] },
        typeRoots: [join(ROOT, "node_modules/@types")],
        paths: {
          "@cambium/client": ["./client/src/api/memories.ts"],
          "@cambium/core": ["./probe/core.ts"],
          "@cambium/core/state-fields": ["./core/src/format/state-fields.ts"],
          "@cambium/core/text": ["./core/src/text.ts"],
        },
      },
      files: ["probe/probe.ts"],
    }),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
}
