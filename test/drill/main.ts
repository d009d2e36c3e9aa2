/**
 * `node test/drill/main.ts [--only name,name] [--max-seeds 1000] [--jobs 1] [--list]`
 *
 * Plants one fault after the other in a copy of the built packages, and lets the simulator look for it. Keeps the
 * results in results.json and writes the table of docs/reliability.md. Exits with 1 when a fault was not found.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { FAULTS } from "./faults.ts";
import { keepResults } from "./report.ts";
import { type Outcome, tryFault } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "max-seeds": { type: "string", default: "1000" },
    jobs: { type: "string", default: "1" },
    list: { type: "boolean", default: false },
  },
});

const maxSeeds = Number(values["max-seeds"]);
const jobs = Number(values.jobs);
const names = values.only?.split(",");
const unknown = names?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
const chosen = FAULTS.filter(({ name }) => names?.includes(name) ?? true);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function tell({ name, found, seeds, seconds, checker, message }: Outcome): void {
  if (!found) say(`✗ ${name}: not found by ${seeds} seeds, ${seconds} s`);
  else say(`✓ ${name}: ${checker}, ${seeds} seeds, ${seconds} s\n    ${message}`);
}

async function drill(): Promise<readonly Outcome[]> {
  const queue = [...chosen];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const { name } = fault;
      const onSeed = (seeds: number): void => {
        if (seeds % 50 === 0) say(`  ${name}: ${seeds} seeds`);
      };
      const outcome = await tryFault(fault, { maxSeeds, onSeed });
      outcomes.push(outcome);
      tell(outcome);
      keepResults([outcome], maxSeeds, new Date().toISOString().slice(0, 10));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return outcomes;
}

if (values.list) for (const { name, rule, description } of FAULTS) say(`${name} (${rule}): ${description}`);
else if (unknown.length > 0 || !(maxSeeds >= 1) || !(jobs >= 1)) {
  say(`There is no fault named ${unknown.join(", ") || "so, or a number is none"}; --list names them all.`);
  process.exitCode = 2;
} else {
  const outcomes = await drill();
  const found = outcomes.filter((outcome) => outcome.found).length;
  say(`${found} of ${outcomes.length} faults found`);
  process.exitCode = found === outcomes.length ? 0 : 1;
}
