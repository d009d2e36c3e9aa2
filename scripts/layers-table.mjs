/**
 * The tables of layers in docs/architecture.md, from the list that the rules are made of.
 *
 *   node scripts/layers-table.mjs            writes them
 *   node scripts/layers-table.mjs --check    fails when they say something else
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import layers from "./layers.cjs";

const PAGE = fileURLToPath(new URL("../docs/architecture.md", import.meta.url));

const tableOf = (name) =>
  [
    "| layer | folder | holds |",
    "|---|---|---|",
    ...layers.LAYERS[name].flatMap((layer, at) =>
      Object.entries(layer).map(
        ([folder, holds], index) => `| ${index === 0 ? at : ""} | ${linkTo(name, folder)} | ${holds} |`,
      ),
    ),
  ].join("\n");

function linkTo(name, folder) {
  const source = `packages/${name}/src/${folder}`;
  const isFolder = existsSync(fileURLToPath(new URL(`../${source}`, import.meta.url)));
  return isFolder ? `[\`${folder}/\`](../${source})` : `[\`${folder}.ts\`](../${source}.ts)`;
}

const found = readFileSync(PAGE, "utf8");
const written = found.replace(
  /(<!-- layers of ([\w-]+) -->\n)[\s\S]*?(<!-- end of layers -->)/g,
  (_, start, name, end) => `${start}${tableOf(name)}\n${end}`,
);
if (!process.argv.includes("--check")) writeFileSync(PAGE, written);
else if (written !== found) {
  console.error("The tables of layers in docs/architecture.md are not those of scripts/layers.cjs.");
  process.exitCode = 1;
}
