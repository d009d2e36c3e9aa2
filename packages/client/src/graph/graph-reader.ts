/**
 * Reading the knowledge graph of a state.
 *
 * @module
 */
import type { GraphQuery, KnowledgeGraph } from "../api.js";
import { type GraphRole, wordOf } from "../index-store/graph-words.js";
import type { SpaceServices } from "../space/space-services.js";
import { around, graphOf, isPresent, partsOf, speaksAbout } from "./graph-parts.js";

const EVERY_ROLE: readonly GraphRole[] = ["entity", "observation", "from", "to"];

export class GraphReader {
  readonly #services: Pick<SpaceServices, "finder" | "index">;

  constructor(services: Pick<SpaceServices, "finder" | "index">) {
    this.#services = services;
  }

  async graph({ branch, at, names, text }: GraphQuery = {}): Promise<KnowledgeGraph> {
    const { finder, index } = this.#services;
    const { state } = await finder.find({ branch, at });
    const memories =
      names === undefined ? index.graph.all(state) : index.graph.about(state, names.map(wordOf), EVERY_ROLE);
    const graph = graphOf(partsOf(memories).filter(isPresent));
    const wanted = names === undefined ? undefined : new Set(names);
    if (wanted === undefined && text === undefined) return graph;
    const speaks = text === undefined ? () => true : speaksAbout(text);
    return around(graph, (entity) => wanted?.has(entity.name) !== false && speaks(entity));
  }
}
