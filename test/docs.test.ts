/**
 * Documents that could fall behind the code: the page of errors, links between pages, rules and the
 * tests that carry them.
 *
 * @module
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rulesIn } from "../scripts/claim-audit.ts";
import { errorsPage } from "./errors-page.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const files = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: (path) => /node_modules|\/dist\//.test(path) });

test("[DO3] docs/errors.md says what the code says", () => {
  expect(read("docs/errors.md")).toBe(errorsPage());
});

test("[DO4] every link from one page of the project to another file or heading leads somewhere", () => {
  const pages = files(
    "*.md",
    "docs/**/*.md",
    "packages/*/*.md",
    "examples/**/*.md",
    "bench/*.md",
    "test/**/*.md",
  );
  const broken = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)]
      .filter(([, target = ""]) => !/^[a-z]+:/.test(target))
      .filter(([, target = "", heading]) => {
        const path = target === "" ? page : join(dirname(page), target);
        if (!existsSync(join(root, path))) return true;
        return heading !== undefined && !headingsOf(path).has(heading);
      })
      .map(([link]) => `${page} → ${link}`),
  );
  expect(broken).toEqual([]);
});

const proseOf = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, "");

/** The anchors that GitHub makes of a page's headings. */
function headingsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("[DO14] the README of each package names its folders", () => {
  for (const path of files("packages/*/README.md")) {
    const sources = join(root, dirname(path), "src");
    const folders = readdirSync(sources, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const rows = read(path).match(/^\|.*/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`([\w-]+)\/`/g)].map(([, name = ""]) => name));
    expect(named.sort(), path).toEqual(folders.sort());
    for (const [, file = ""] of rows.join("\n").matchAll(/`([\w-]+\.ts)`/g))
      expect(existsSync(join(sources, file)), `${path}: ${file}`).toBe(true);
  }
});

test("[DO7] docs/dependencies.md says of each dependency which packages use it", () => {
  const said = new Map<string, string>();
  for (const [, names = "", users = ""] of read("docs/dependencies.md").matchAll(/^\| (`.*?) \| (.*?) \|/gm))
    for (const [, name = ""] of names.matchAll(/`([^`]+)`/g))
      said.set(name, `${said.get(name) ?? ""} ${users}`);
  const used = new Map<string, string[]>();
  for (const file of files("packages/*/package.json")) {
    const { dependencies, peerDependencies } = JSON.parse(read(file)) as Record<string, object | undefined>;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      if (!name.startsWith("@cambium/"))
        used.set(name, [...(used.get(name) ?? []), file.split("/")[1] ?? ""]);
  }
  const wordsOf = (users: string): string[] => users.match(/core|client|sync-server|cambium|web/g) ?? [];
  const packages = [...said].map(([name, users]) => [name, wordsOf(users).sort()] as const);
  expect(Object.fromEntries(packages.filter(([, users]) => users.length > 0))).toEqual(
    Object.fromEntries([...used].map(([name, users]) => [name, users.sort()])),
  );
});

test("[DO5] every rule has a test that carries its id, and every id a test carries is a rule", () => {
  const rules = files("docs/spec/*.md").flatMap((page) => rulesIn(read(page)));
  expect(rulesIn(read("docs/spec.md")), "rules are on the pages under docs/spec").toEqual([]);
  expect(new Set(rules).size).toBe(rules.length);
  const tests = files("packages/*/test/**/*.ts", "test/**/*.ts", "packages/*/src/**/*contract*.ts")
    .map(read)
    .join("\n");
  const carried = new Set(
    [...tests.matchAll(/[[,\s"]([A-Z]{2}\d+)(?=[\],\s"])/g)].map(([, id]) => id as string),
  );
  const known = new Set(rules);
  const prefixes = new Set(rules.map((id) => id.slice(0, 2)));
  expect({
    untested: rules.filter((id) => !carried.has(id)),
    unknown: [...carried].filter((id) => prefixes.has(id.slice(0, 2)) && !known.has(id)).sort(),
  }).toEqual({ untested: [], unknown: [] });
});
