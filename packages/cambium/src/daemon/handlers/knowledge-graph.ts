/**
 * Reading and writing the knowledge graph.
 *
 * @module
 */
import type { Handlers } from "../call.js";

export const graphHandlers: Handlers<"graph" | "graph.edit"> = {
  graph: async (call, { space, ...query }) => (await call.space(space)).graph(query),
  "graph.edit": async (call, { space, branch, edit }) =>
    (await call.agent(space)).editGraph(edit, { branch }),
};
