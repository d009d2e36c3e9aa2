/**
 * An MCP server over a replica, embedded or through the daemon. It holds no state of its own: every call names
 * its branch, and what a client may ask later stands in the answer before.
 *
 * @module
 */
import { McpServer } from "@modelcontextprotocol/server";
import { version } from "../operations/version.js";
import { registerPrompts } from "./prompts.js";
import { registerResources } from "./resources.js";
import { Serving, type ServingOptions } from "./serving.js";
import type { ProtocolEra } from "./settings.js";
import { tellOfChanges } from "./subscriptions.js";
import { type ToolInstaller, toolInstaller } from "./tool-sets.js";

const INSTRUCTIONS = `Versioned long-term memory. At the start call brief; recall before answering from memory; remember what will matter later; revise what changed instead of adding a second memory. Try risky or speculative changes on a branch and merge it when they hold.`;

/** What does not change while a server runs need not be asked for again soon. */
const FIXED = { ttlMs: 300_000 };

const identity = () => ({ name: "cambium", title: "Cambium memory", version: version() });

export interface Connection {
  readonly era: ProtocolEra;
  /** Whether the server is there as long as its client is, or for one request. */
  readonly lasts: boolean;
}

/** Makes servers that share one replica: one for each connection, or for each request over HTTP. */
export class MemoryServers {
  readonly serving: Serving;
  readonly #install: ToolInstaller;

  private constructor(serving: Serving, install: ToolInstaller) {
    this.serving = serving;
    this.#install = install;
  }

  static async prepare(options: ServingOptions): Promise<MemoryServers> {
    const install = await toolInstaller(options.settings.tools ?? "lean");
    return new MemoryServers(new Serving(options), install);
  }

  create({ era, lasts }: Connection): McpServer {
    if (this.serving.settings.tools === "official") return this.#bare(lasts ? era : undefined);
    // Before 2026-07-28 only a server that lasts can tell of changes; since then its host does.
    const tells = lasts || era === "modern";
    const resources = { subscribe: tells, listChanged: tells };
    const server = new McpServer(identity(), {
      instructions: INSTRUCTIONS,
      cacheHints: { "tools/list": FIXED, "prompts/list": FIXED, "resources/templates/list": FIXED },
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, resources },
    });
    this.#install(server, this.serving);
    registerResources(server, this.serving);
    registerPrompts(server, this.serving);
    if (lasts) tellOfChanges(server, this.serving, era);
    return server;
  }

  /** As the official one, which has none of the tools that our instructions speak of. */
  #bare(era: ProtocolEra | undefined): McpServer {
    const server = new McpServer(identity());
    this.#install(server, this.serving, era);
    return server;
  }
}
