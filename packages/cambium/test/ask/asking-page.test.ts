/** docs/asking.md says what the code understands: its table is made here, and its examples are tried. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLES } from "../../src/ask/examples.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND } from "./phrasings.js";

const page = readFileSync(new URL("../../../../docs/asking.md", import.meta.url), "utf8");

function table(): string {
  const groups = [...new Set(EXAMPLES.map(({ group }) => group))];
  return groups
    .map((name) =>
      [
        `### ${name}`,
        "",
        "| say, for instance | what it does | asks | the verb |",
        "|---|---|---|---|",
        ...EXAMPLES.filter(({ group }) => group === name).map(
          ({ does, says, verb, asks }) =>
            `| ${says.map((said) => `“${said}”`).join("<br>")} | ${does} | ${asks} | \`${verb}\` |`,
        ),
      ].join("\n"),
    )
    .join("\n\n");
}

test("[AS21] the page's table is the one of the code", () => {
  const [, told] = /<!-- examples -->\n\n([\s\S]*?)\n\n<!-- end of examples -->/.exec(page) ?? [];
  expect(told).toBe(table());
});

test("[AS21] what the page asks in its commands is understood", async () => {
  const asked = [...page.matchAll(/^cambium ask "([^"]+)"/gm)].map(([, said = ""]) => said);
  expect(asked.length).toBeGreaterThan(5);
  for (const said of asked)
    expect({ said, ...(await understand(said, AROUND)) }).toMatchObject({ said, understood: true });
});
