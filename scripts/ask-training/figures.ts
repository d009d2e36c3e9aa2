/**
 * How well acts are told, for writers that the model was not trained on.
 *
 * @module
 */
import { ACTS, type Act } from "../../packages/cambium/dist/ask/trained/acts.js";
import { shares } from "../../packages/cambium/dist/ask/trained/linear-model.js";
import type { Judged } from "./act-model.ts";

const GROUPS: readonly (readonly Act[])[] = [
  ACTS.slice(0, ACTS.indexOf("remember")),
  ["remember", "correct", "settle", "file", "checkpoint"],
  ["forget"],
  ["restore", "undo", "take-back", "rollback"],
  ["branch", "use-branch", "delete-branch"],
  ["merge"],
  ["none"],
];
const groupOf = (act: Act): number => GROUPS.findIndex((group) => group.includes(act));
/** What takes something away, or moves what is there. */
const TAKING: readonly Act[] = [
  "forget",
  "undo",
  "take-back",
  "rollback",
  "restore",
  "delete-branch",
  "merge",
];

interface Told {
  readonly sentence: string;
  readonly act: Act;
  readonly read: Act;
  readonly sureness: number;
}

export function actFigures(judged: readonly Judged[], temperature: number): readonly string[] {
  const told = judged.map(({ sentence, scores }): Told => {
    const probabilities = shares(scores, temperature);
    const sureness = Math.max(...probabilities);
    return {
      sentence: sentence.s,
      act: sentence.act,
      read: ACTS[probabilities.indexOf(sureness)] as Act,
      sureness,
    };
  });
  const [lines, taking] = [
    [0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95].map((least) => above(told, least)),
    takes(told),
  ];
  return [...lines, ...taking, ...ACTS.map((act) => ofAct(told, act))];
}

function above(told: readonly Told[], least: number): string {
  const sure = told.filter(({ sureness }) => sureness >= least);
  const right = sure.filter(({ act, read }) => act === read).length;
  const near = sure.filter(({ act, read }) => groupOf(act) === groupOf(read)).length;
  return `sure by ${least}: ${part(sure.length, told.length)} of all; act ${part(right, sure.length)}, group ${part(near, sure.length)}`;
}

function takes(told: readonly Told[]): readonly string[] {
  return [0, 0.5, 0.7, 0.9].map((least) => {
    const wrong = told.filter(
      ({ act, read, sureness }) => sureness >= least && act !== read && TAKING.includes(read),
    );
    const fromOthers = wrong.filter(({ act }) => !TAKING.includes(act)).length;
    return `wrongly takes something away, sure by ${least}: ${fromOthers} that ask for no such thing, ${wrong.length - fromOthers} that ask for another`;
  });
}

function ofAct(told: readonly Told[], act: Act): string {
  const meant = told.filter((one) => one.act === act);
  const read = told.filter((one) => one.read === act);
  const right = meant.filter((one) => one.read === act).length;
  return `${act}: found ${part(right, meant.length)} of ${meant.length}, right ${part(right, read.length)} of ${read.length}`;
}

const part = (some: number, all: number): string => `${((100 * some) / all).toFixed(1)} %`;
