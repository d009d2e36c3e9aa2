/**
 * What must hold when everyone has everything.
 *
 * @module
 */
import type { Facts, Finding, NotedState, Observation } from "./protocol.ts";

/** Enough to see what it is about. */
const MAX_SHOWN = 300;
const MAX_FINDINGS = 5;

/** Replicas with the same changes and records answer the same. */
export function checkConvergence(observations: ReadonlyMap<string, Observation>): Finding[] {
  const [[firstName, first] = ["", undefined], ...others] = [...observations];
  if (first === undefined) return [];
  return others.flatMap(([name, { facts }]) =>
    differencesBetween(first.facts, facts)
      .slice(0, MAX_FINDINGS)
      .map((difference) => ({
        checker: "convergence",
        message: `${firstName} and ${name} differ in ${difference}`,
      })),
  );
}

/** What a store that was set back says of what it had: that is there again, or gone with the copies of it. */
const NAMED_LOSS = /missing from the store|holds less than was stored/;

/** Nothing is on its way, nothing is damaged. */
export function checkAtRest(name: string, observation: Observation, mayLack: boolean): Finding[] {
  // A branch may be listed, and be nowhere: whoever made it was set back before it had sent the branch itself.
  const missing = observation.missing - (mayLack ? observation.branchesNotHere : 0);
  const damaged = observation.damaged.filter((text) => !(mayLack && NAMED_LOSS.test(text)));
  const findings: Finding[] = [];
  if (missing > 0)
    findings.push({ checker: "missing", message: `${name} lacks ${missing} records or heads` });
  if (damaged.length > 0) findings.push({ checker: "verify", message: `${name}: ${damaged.join("; ")}` });
  return findings;
}

/** A rebuilt index answers as the kept one did. */
export function checkRebuilt(name: string, kept: Observation, rebuilt: Observation): Finding[] {
  return differencesBetween(kept.facts, rebuilt.facts)
    .slice(0, MAX_FINDINGS)
    .map((difference) => ({
      checker: "kept index",
      message: `${name}, before and after a new index, differs in ${difference}`,
    }));
}

/** A state at fixed heads is answered as it was. */
export function checkState(name: string, noted: NotedState, facts: Facts): Finding[] {
  return differencesBetween(noted.facts, facts).map((difference) => ({
    checker: "fixed heads",
    message: `${name} answers otherwise about ${noted.branch}@heads:${noted.heads.join(",")}: ${difference}`,
  }));
}

function differencesBetween(one: Facts, other: Facts): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) =>
    one[key] === other[key] ? [] : [`${key}: ${shown(one[key], other[key])}`],
  );
}

/** From a little before the place where the two part. */
function shown(one = "nothing", other = "nothing"): string {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const from = Math.max(0, place - 60);
  return `…${one.slice(from, from + MAX_SHOWN)}… against …${other.slice(from, from + MAX_SHOWN)}…`;
}
