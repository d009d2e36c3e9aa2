/**
 * What a step changes in a file, line by line, to be shown before it is done.
 *
 * @module
 */

/** Returns lines that go, with "-", and lines that come, with "+"; what stays at both ends is left out. */
export function changedLines(before: string | undefined, after: string | undefined): readonly string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end))
    end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ];
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}
