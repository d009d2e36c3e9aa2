/**
 * What is there already, to be made one or to be filed elsewhere: "combine the two notes about Ada", "put the note
 * about Leo into category people". The memories are shown, with the command that does it.
 *
 * @module
 */

import { oneLine } from "@cambium/core/text";
import type { Surroundings } from "../intent.js";
import { countOf, type Reading, type Rule, type Slots, unquoted } from "../patterns.js";
import { isBranchName } from "./branching.js";
import { frameAt } from "./frame.js";

const NOTES = "(notes|memories|facts|entries|things)";
const NOTE = "(note|memory|fact|entry|one|thing)";

async function readFiling({ topic = "", labels = "" }: Slots, around: Surroundings): Promise<Reading> {
  // "The boiler to the category house": where the topic ends, the first part of a frame that takes the rest tells.
  const words = `${topic} ${labels}`.split(" ");
  for (let at = topic.split(" ").length; at < words.length; at += 1) {
    const rest = words.slice(at).join(" ");
    const framed = await frameAt(rest, around);
    if (framed === undefined || framed.length < rest.length) continue;
    if (framed.frame.branch !== undefined) return undefined;
    return {
      operation: "file",
      topic: unquoted(
        words
          .slice(0, at)
          .join(" ")
          .replace(/^(?:the|my|our) (?=\S)/i, ""),
      ),
      fields: framed.frame.fields,
    };
  }
  return undefined;
}

export const FILING: readonly Rule[] = [
  {
    patterns: [
      `(combine|merge|join|unite|fold|consolidate|put together) [the |my |our |all |both |these ][the |my ][<count> ]${NOTES} (about|on|of) <topic>[ into one| together| into a single one]`,
      "(combine|consolidate|join|unite) (what|everything|all) you know about <topic>[ into one| together]",
    ],
    read: ({ topic = "", count }, around) =>
      /\bbranch\b/i.test(topic) || isBranchName(topic, around)
        ? undefined
        : {
            ...{ operation: "combine", topic: unquoted(topic) },
            ...(count === undefined ? {} : { count: countOf(count) }),
          },
  },
  {
    patterns: [
      `(are there|do you have|do we have|do I have|have we got|is there) [any |some ](duplicates|doubles|duplicate ${NOTES}|double ${NOTES}|repeated ${NOTES})`,
      `(find|show|show me|list|combine|merge|clean up|remove|delete) [me ][all ][the |my |any ](duplicates|doubles|duplicate ${NOTES}|double ${NOTES})`,
      "(is|are) (anything|any memories|any notes|some memories) [stored |saved |there ](twice|double)",
      "(tidy|clean|sort|neaten|straighten) (up|out)[ (my|the|your|our) (memory|memories|notes)| things| everything| here][ a bit| a little]",
    ],
    read: () => ({ operation: "combine" }),
  },
  {
    patterns: [
      `(are there|do you have|do we have|do I have|find|show|show me) [any |some |all ][the |my ](duplicates|doubles|duplicate ${NOTES}|double ${NOTES}) (about|on|of) <topic>`,
    ],
    read: ({ topic = "" }) => ({ operation: "combine", topic: unquoted(topic) }),
  },
  {
    patterns: [
      `(put|move|file|add|sort|set|assign|change) [the |my |our |that ]${NOTE} (about|on|of) <topic> <labels>`,
      `(put|move|file|add|sort|set|assign|mark|label) [all ][of ][the |my |our |that ]${NOTES} (about|on|of) <topic> <labels>`,
      `(put|move|file|add|sort|set|assign|mark|label) [all ][of ][the |my |our |that |those |these ]<topic> (${NOTE}|${NOTES}|stuff) <labels>`,
      `(mark|flag|label) [the |my |our |that ]${NOTE} (about|on|of) <topic> <labels>`,
    ],
    read: readFiling,
  },
  {
    patterns: [
      `(move|put|file) [all ][of ][the |my |our ]<topic> (${NOTES}|${NOTE}|stuff) [from [the |my ][category ]<old> ](to|into|under) [the |my ][category ]<label>[ category]`,
    ],
    read: ({ topic = "", old, label = "" }) =>
      old === undefined
        ? { operation: "file", topic: unquoted(topic), fields: { category: unquoted(label) } }
        : {
            why: `Understood: file "${oneLine(topic)}" in category ${oneLine(label)}. Not understood: "from ${oneLine(old)}".`,
            near: [{ operation: "file", example: `move all ${topic} notes to category ${label}` }],
            isFinal: true,
          },
  },
  {
    patterns: [
      `(tag|label) [the |my |our |that ]${NOTE} (about|on|of) <topic> (with|as) <labels>`,
      `(tag|label) [the |my |our |that ]<topic> ${NOTE} (with|as) <labels>`,
      `add [the |a ]tag [called |named ]<labels> to [the |my |our |that ]${NOTE} (about|on|of) <topic>`,
      `add [the |a ]tag [called |named ]<labels> to [the |my |our |that ]<topic> ${NOTE}`,
      `(put|add|set|stick|attach|give|use|apply) [the |a ](tag|label) [called |named ]<labels> (on|to|onto|for) [the |my |our |that ]${NOTE} (about|on|of|with) <topic>`,
      `(put|add|set|stick|attach|give|use|apply) [the |a ](tag|label) [called |named ]<labels> (on|to|onto|for) [the |my |our |that ]<topic> ${NOTE}`,
      `(give|tag|label) [the |my |our |that ]${NOTE} (about|on|of|with) <topic> [with |as ](the|a) (tag|label) [called |named ]<labels>`,
      `(give|tag|label) [the |my |our |that ]<topic> ${NOTE} [with |as ](the|a) (tag|label) [called |named ]<labels>`,
    ],
    read: ({ topic = "", labels = "" }, around) => readFiling({ topic, labels: `tagged ${labels}` }, around),
  },
];
