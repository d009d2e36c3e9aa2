/** A value that a reader found in a sentence, in the place of the one that a memory says. */
import { expect, test } from "vitest";
import { withNamedValue } from "../../src/ask/named-value.js";

test.each([
  ["Frau Brandt plays the organ for 180 euro.", "Frau Brandt", "180", "220 euro", "for 220 euro."],
  ["The yield of the second esterification was 61 percent.", "yield", "61", "58 percent", "was 58 percent."],
  ["Mrs Lofthouse gets four jars a year.", "Lofthouse", "4", "six jars", "gets six jars a year."],
  [
    "The spare tyre is in the shed, behind the mower.",
    "spare tyre",
    "in the shed",
    "it's in the loft",
    "is in the loft, behind the mower.",
  ],
  ["We use yarn for the web packages.", "", "yarn", "pnpm", "use pnpm for the web packages."],
  ["Nadia has 24 December off.", "Nadia", "the 24th", "it's the 26th", "has 26 December off."],
  ["Jonas wears shoe size 34.", "Jonas's shoes", undefined, "a 35", "shoe size 35."],
  ["The captain of the first team is Ana.", "captain", undefined, "Femi", "first team is Femi."],
])("[AS95] of “%s”, only the value changes", (memory, subject, insteadOf, now, end) => {
  const found = withNamedValue(memory, { subject, now, ...(insteadOf === undefined ? {} : { insteadOf }) });
  expect(found?.text).toMatch(new RegExp(`${end.replace(/[.?]/g, "\\$&")}$`));
});

test.each([
  // It does not say what is replaced.
  ["The hearing is at 10:30.", "hearing", "9:30", "10:15"],
  // Two may be meant.
  ["From 9 to 9 on Mondays.", "Mondays", "9", "10"],
  ["The pool costs 4 euro, and 4 euro for the locker.", "pool", "4 euro", "5 euro"],
  // It is not plain which words give way.
  ["Ella needs her inhaler before sports.", "inhaler", undefined, "the blue one"],
])("[AS95] of “%s”, what gives way is not plain", (memory, subject, insteadOf, now) => {
  expect(
    withNamedValue(memory, { subject, now, ...(insteadOf === undefined ? {} : { insteadOf }) }),
  ).toBeUndefined();
});
