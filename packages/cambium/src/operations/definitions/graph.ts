/**
 * The memories of named things, as a graph.
 *
 * @module
 */
import { agent, type Definitions, REST, read, SPACE, space, write } from "../definition.js";

export const graphOperations = {
  /** Its names may be many, none, or any text, which a query cannot say. */
  graph: {
    ...read(`${SPACE}/graph/read`),
    method: "POST",
    calls: space("graph", REST),
    summary: "Read the graph of named things",
    description:
      "All of it, unless `names` or `text` choose entities; then with the relations that have at least one end among those.",
    input: ({ atRef, texts, text }) => ({
      ...atRef,
      names: texts("Only entities of these names."),
      text: text("Only entities whose name, type or observations contain it, ignoring case."),
    }),
    output: ({ z, graphShape }) => z.strictObject(graphShape),
  },
  "graph.edit": {
    ...write("POST", `${SPACE}/graph`),
    calls: agent("editGraph", "edit", ["branch"]),
    summary: "Write to the graph of named things",
    description: "Answers with what was not there before.",
    input: ({ onBranch, graphEdit }) => ({ ...onBranch, edit: graphEdit() }),
    output: ({ z, described, graphShape, observations, memoryId }) =>
      z.strictObject({
        ...graphShape,
        additions: described(z.array(observations), "One for each addition, in the same order."),
        memories: described(z.array(memoryId), "All memories written or forgotten."),
      }),
  },
} as const satisfies Definitions;
