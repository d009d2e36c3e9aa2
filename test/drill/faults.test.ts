/** The planted faults still fit the sources; how they are found is the drill's to show. */
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rulesIn } from "../../scripts/claim-audit.ts";
import { applyEdit, type Edit } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import { readResults, withTable } from "./report.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test.each(FAULTS)("[CH3] $name applies to the sources, once at each place", ({ edits }) => {
  const sources = new Map<string, string>();
  for (const edit of edits)
    sources.set(edit.file, applyEdit(sources.get(edit.file) ?? read(edit.file), edit));
  for (const [file, source] of sources) {
    expect(source).not.toBe(read(file));
    expect(() => stripTypeScriptTypes(source)).not.toThrow();
  }
});

test("[CH3] each fault has a name of its own, and breaks a rule that there is", () => {
  const pages = globSync("docs/spec/*.md", { cwd: ROOT });
  const rules = new Set(pages.flatMap((page) => rulesIn(read(page))));
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  expect(FAULTS.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

test("[CH3] a fault that does not fit any more is refused, and says where", () => {
  const edit: Edit = { file: "a.ts", find: "x", replace: "y" };
  expect(applyEdit("a x b", edit)).toBe("a y b");
  expect(() => applyEdit("x x", edit)).toThrow("2 times in a.ts");
  expect(() => applyEdit("", edit)).toThrow("0 times in a.ts");
});

test("[CH4] the page about reliability has the results that were kept, of faults that there are", () => {
  const [page, results] = [read("docs/reliability.md"), readResults()];
  expect(withTable(page, results)).toBe(page);
  const names = FAULTS.map(({ name }) => name);
  expect(results.outcomes.filter(({ name }) => !names.includes(name))).toEqual([]);
});
