/**
 * What is said of a memory beside its text, as options of a verb.
 *
 * @module
 */
import type { NamedFields } from "../intent.js";

/** "occurredAt" is --occurred-at. */
export const fieldOptions = ({ tags = [], ...fields }: NamedFields): readonly string[] => [
  ...Object.entries(fields).flatMap(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(value),
  ]),
  ...tags.flatMap((tag) => ["--tag", tag]),
];
