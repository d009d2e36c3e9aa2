/**
 * The index of the decision records, made of their headers.
 *
 *   node scripts/decisions.ts            writes it
 *   node scripts/decisions.ts --check    fails when it says something else, or a header is not complete
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../docs/decisions/", import.meta.url));
const INDEX = `${FOLDER}README.md`;

/** Which line of another record answers a line of this one. */
const ANSWERS: Readonly<Record<string, string>> = {
  Replaces: "Replaced by",
  "Replaced by": "Replaces",
  Changes: "Changed by",
  "Changed by": "Changes",
};

const HEADER = `# Decisions

A decision record says what was decided, what else was considered, and what follows from it. It is
not changed when the decision is: a new record replaces it, or changes a part of it, and both name
each other.

A record is a file \`NNNN-title.md\` that begins like this. The lines after the date are optional.

\`\`\`text
# 0044: What was decided, as a sentence or a noun

- Status: accepted                    or: replaced
- Date: 2026-11-22
- Replaces: [0010](0010-who-may-import-the-relay.md)
- Replaced by, Changes, Changed by: in the same form
\`\`\`

\`node scripts/decisions.ts\` writes this index, and \`npm run check\` compares it.

| | decision | date | status |
|---|---|---|---|
`;

interface Decision {
  readonly file: string;
  readonly number: string;
  readonly title: string;
  readonly lines: ReadonlyMap<string, string>;
}

const decisions = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-.*\.md$/.test(file))
  .toSorted()
  .map((file): Decision => {
    const text = readFileSync(FOLDER + file, "utf8");
    const [, title = ""] = /^# \d{4}:? (.+)$/m.exec(text) ?? [];
    const [header = ""] = text.split("\n**");
    const lines = new Map(
      [...header.matchAll(/^- ([A-Z][a-z]+(?: by)?): ([^\n]+(?:\n {2}[^\n]+)*)/gm)].map(
        ([, name = "", value = ""]) => [name, value.replaceAll(/\s+/g, " ")],
      ),
    );
    return { file, number: file.slice(0, 4), title, lines };
  });
const byNumber = new Map(decisions.map((decision) => [decision.number, decision]));

const numbersIn = (line: string | undefined): readonly string[] =>
  [...(line ?? "").matchAll(/\[(\d{4})\]/g)].map(([, number = ""]) => number);

function problemsOf({ file, number, lines }: Decision): readonly string[] {
  const problems: string[] = [];
  const status = lines.get("Status");
  if (status !== "accepted" && status !== "replaced") problems.push('needs "- Status: accepted"');
  if ((status === "replaced") !== lines.has("Replaced by"))
    problems.push('"replaced" needs "- Replaced by:"');
  if (!/^\d{4}-\d\d-\d\d$/.test(lines.get("Date") ?? "")) problems.push('needs "- Date: YYYY-MM-DD"');
  for (const [name, answer] of Object.entries(ANSWERS)) {
    for (const other of numbersIn(lines.get(name))) {
      if (!numbersIn(byNumber.get(other)?.lines.get(answer)).includes(number))
        problems.push(`says "${name} ${other}", and ${other} does not say "${answer} ${number}"`);
    }
  }
  return problems.map((problem) => `docs/decisions/${file}: ${problem}`);
}

function statusOf({ lines }: Decision): string {
  const relation = ["Replaced by", "Changed by"].find((name) => lines.has(name));
  const status = lines.get("Status") ?? "";
  return relation === undefined ? status : `${status}; ${relation.toLowerCase()} ${lines.get(relation)}`;
}

const index =
  HEADER +
  decisions
    .map((decision) => {
      const { file, number, title, lines } = decision;
      return `| [${number}](${file}) | ${title} | ${lines.get("Date")} | ${statusOf(decision).replace("replaced; replaced", "replaced")} |\n`;
    })
    .join("");

const problems = decisions.flatMap(problemsOf);
if (!process.argv.includes("--check")) writeFileSync(INDEX, index);
else if (!existsSync(INDEX) || readFileSync(INDEX, "utf8") !== index)
  problems.push("docs/decisions/README.md is not what `node scripts/decisions.ts` writes.");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
