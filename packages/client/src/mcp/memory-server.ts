/**
 * An MCP server over a replica, embedded or through the daemon. It holds no state of its own: every call names
 * its branch, and what a client may ask later stands in the answer before.
 *
 * @module
 */
import { McpServer } from "@modelcontextprotocol/server";
import { version } from "../cli/version.js";
import { Serving, type ServingOptions } from "./serving.js";
import { type ToolInstaller, toolInstaller } from "./tool-sets.js";

const INSTRUCTIONS = `Versioned long-term memory. At the start call brief; recall before answering from memory; remember what will matter later; revise what changed instead of adding a second memory. Try risky or speculative changes on a branch and merge it when they hold.`;

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

  create(): McpServer {
    const isOfficial = this.serving.settings.tools === "official"; // which has none of the tools they speak of
    const server = new McpServer(
      { name: "cambium", title: "Cambium memory", version: version() },
      isOfficial ? {} : { instructions: INSTRUCTIONS },
    );
    this.#install(server, this.serving);
    return server;
  }
}
