/**
 * The doctor's findings, a line each.
 *
 * @module
 */
import { counted, oneLine } from "@cambium/core/text";
import type { Finding } from "../../doctor/finding.js";
import type { Style } from "./style.js";

export function doctorText(findings: readonly Finding[], style: Style): string {
  const { colors } = style;
  const problems = findings.filter(({ state }) => state === "problem").length;
  const warnings = findings.filter(({ state }) => state === "warn").length;
  const end =
    problems > 0
      ? colors.red(`${counted(problems, "problem")}, ${counted(warnings, "warning")}.`)
      : warnings > 0
        ? colors.yellow(`No problem, ${counted(warnings, "warning")}.`)
        : colors.green("Nothing is wrong.");
  return [...findings.map((finding) => findingText(finding, style)), end].join("\n");
}

function findingText({ state, check, message, hint }: Finding, { colors }: Style): string {
  const mark = {
    ok: colors.green("ok     "),
    warn: colors.yellow("warning"),
    problem: colors.red("problem"),
  }[state];
  const head = `${mark} ${colors.dim(check.padEnd(7))} ${oneLine(message)}`;
  return hint === undefined ? head : `${head}\n${" ".repeat(16)}${colors.dim(oneLine(hint))}`;
}
