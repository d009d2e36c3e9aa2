/**
 * Fitting a brief into its bytes. Every part begins with one line that says how many there are and how to see
 * them; then the parts get lines in turn, each the more the greater its weight, and what one does not need is the
 * others'. So no part is left out because another is long.
 *
 * Pure.
 *
 * @module
 */
import { clip, utf8Bytes } from "./clip.js";

export interface BriefSection {
  readonly title: string;
  readonly total: number;
  /** As many of them as might find room, the foremost first. */
  readonly lines: readonly string[];
  /** How to see the rest, such as "`conflicts`". */
  readonly how: string;
  /** Share of the room, against that of others. */
  readonly weight: number;
}

export interface FittedBrief {
  readonly text: string;
  /** How many lines of each section found room. */
  readonly shown: readonly number[];
}

/** @param sections - in the order of the text; where not even their first lines fit, the last ones go first */
export function fitBrief(header: string, sections: readonly BriefSection[], maxBytes: number): FittedBrief {
  const shown = sections.map(() => 0);
  const own = sections.map((section) => frameBytes(section, 0));
  let size = utf8Bytes(header) + own.reduce((sum, bytes) => sum + bytes, 0);
  let kept = sections.length;
  while (size > maxBytes && kept > 0) {
    kept -= 1;
    size -= own[kept] as number;
  }
  const kinds = [...sections.keys()];
  const open = new Set(kinds.filter((index) => index < kept && hasNext(sections, shown, index)));
  while (open.size > 0) {
    const next = leastServed(sections, own, open);
    const section = sections[next] as BriefSection;
    const count = shown[next] as number;
    const framed = frameBytes(section, count + 1) - frameBytes(section, count);
    const longer = (own[next] as number) + framed + lineBytes(section, count);
    const grown = size - (own[next] as number) + longer;
    if (grown > maxBytes) {
      open.delete(next); // a shorter line further on would be out of its turn
      continue;
    }
    size = grown;
    own[next] = longer;
    shown[next] = count + 1;
    if (!hasNext(sections, shown, next)) open.delete(next);
  }
  const parts = sections.slice(0, kept).map((section, index) => sectionText(section, shown[index] as number));
  return { text: clip([header, ...parts].join(""), maxBytes), shown };
}

const hasNext = (sections: readonly BriefSection[], shown: readonly number[], index: number): boolean =>
  (shown[index] as number) < (sections[index] as BriefSection).lines.length;

/** The first of those that have the least for their weight. */
function leastServed(
  sections: readonly BriefSection[],
  own: readonly number[],
  open: ReadonlySet<number>,
): number {
  let least = -1;
  let leastServed = Number.POSITIVE_INFINITY;
  for (const index of open) {
    const served = (own[index] as number) / (sections[index] as BriefSection).weight;
    if (served < leastServed) [least, leastServed] = [index, served];
  }
  return least;
}

function sectionText({ title, total, lines, how }: BriefSection, shown: number): string {
  if (total === 0) return "";
  if (shown === 0) return `\n\n${title}: ${total}; see ${how}.`;
  const left = total - shown;
  const more = left > 0 ? [`- ${left} more: ${how}`] : [];
  const listed = lines.slice(0, shown).map((line) => `- ${line}`);
  return ["", "", `${title} (${total}):`, ...listed, ...more].join("\n");
}

/** Of what stands around the lines; the text itself is made once. */
const frameBytes = (section: BriefSection, shown: number): number =>
  utf8Bytes(sectionText({ ...section, lines: [] }, shown));

const lineBytes = ({ lines }: BriefSection, index: number): number => utf8Bytes(`\n- ${lines[index] ?? ""}`);
