/**
 * Who wrote what of a memory, for people: each phrase on a line of its own, then the fields.
 *
 * @module
 */
import type { Blame } from "@cambium/client";
import { oneLine, shortHash } from "@cambium/core/text";
import { authorName } from "./author.js";
import { fieldText } from "./field-value.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { relativeTime } from "./time.js";

type SetBy = Blame["content"][number]["setBy"];

interface Line {
  readonly what: string;
  readonly setBy: SetBy;
  readonly value: string;
}

/** A full stop that outlived its sentence is nobody's phrase. */
const HAS_CONTENT = /[\p{L}\p{N}\p{S}]/u;

export function blameText({ id, content, fields }: Blame, style: Style): string {
  const lines: readonly Line[] = [
    ...content
      .filter(({ text }) => HAS_CONTENT.test(text))
      .map(({ text, setBy }) => ({ what: "content", setBy, value: text })),
    ...fields
      .filter(({ field }) => field !== "content")
      .flatMap(({ field, value, setBy }) =>
        setBy.map((by) => ({ what: field, setBy: by, value: fieldText(field, value) || "(none)" })),
      ),
  ];
  const { colors, nowMs } = style;
  const columns: readonly Column<Line>[] = [
    {
      title: "version",
      text: ({ setBy }) => `v${setBy.version} ${shortHash(setBy.record)}`,
      paint: colors.yellow,
    },
    { title: "by", text: ({ setBy }) => authorName(setBy.by), paint: colors.cyan },
    { title: "when", text: ({ setBy }) => relativeTime(setBy.at, nowMs), paint: colors.dim },
    { title: "field", text: ({ what }) => what, paint: colors.dim },
    { title: "says", text: ({ value }) => oneLine(value), flexible: true },
  ];
  return `${colors.yellow(id)}\n\n${table(lines, columns, style)}`;
}
