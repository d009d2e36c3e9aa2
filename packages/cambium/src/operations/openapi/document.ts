/**
 * The HTTP interface as an OpenAPI document, made of the definitions. Made when somebody asks for it:
 * the daemon does not need it.
 *
 * @module
 */
import type { Definitions } from "../definition.js";
import { AREAS } from "../definitions/table.js";
import { ERROR_RESPONSES, ERROR_SCHEMAS } from "./errors.js";
import { eventSchemas } from "./events.js";
import { HEADERS } from "./headers.js";
import { JsonSchemas } from "./json-schemas.js";
import { pathsOf } from "./paths.js";

export interface DocumentOptions {
  /** Other operations than the daemon's, for tests: by the tag they are listed under. */
  readonly areas?: Readonly<Record<string, Definitions>> | undefined;
  /** Of Cambium. */
  readonly version: string;
  /** Where the daemon is; without one, the document leaves the port open. */
  readonly url?: string | undefined;
}

const DESCRIPTION = `Version-controlled memory for AI agents, on this device.

The daemon answers on a private Unix socket in \`CAMBIUM_HOME\`, where it needs no token, and on a port of 127.0.0.1, where it does: \`daemon.json\` says which, and \`daemon.token\` holds the token. Requests and answers are JSON. Keys that are not known are refused in requests; answers may gain keys in later versions.

\`docs/http.md\` is a tour.`;

const TAGS: Readonly<Record<keyof typeof AREAS, string>> = {
  Daemon: "The daemon, and the spaces of its replica.",
  Memories: "Writing, reading and looking after memories.",
  Graph: "The memories of named things, as a graph.",
  Overview: "A space at a glance: what happened when, and what there is.",
  Versions: "The past: versions of memories, changes of branches, how things evolved.",
  Branches: "Branches and merges.",
  "Going back": "Undo and rollback.",
  Erasing: "Destroying for good what should never have been kept.",
  Checkpoints: "States with a name.",
  Governance: "Requests for approval, the policy, and the audit log.",
  Members: "The devices of a space, and who may reach it.",
  Sync: "Who is connected and what is pending.",
  Archives: "All of a space in one file, and back.",
  Upkeep: "How a space is, imports, and looking after what is stored.",
};

/** The same for the same version, key by key. */
export function openApiDocument({
  version,
  url,
  areas = AREAS,
}: DocumentOptions): Readonly<Record<string, unknown>> {
  const schemas = new JsonSchemas();
  const paths = pathsOf(areas, schemas);
  const events = eventSchemas(schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "Cambium",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [serverAt(url)],
    security: [{ token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The content of `daemon.token` in `CAMBIUM_HOME`. Not needed on the Unix socket.",
        },
      },
      parameters: HEADERS,
      responses: ERROR_RESPONSES,
      schemas: { ...schemas.components, ...events, ...ERROR_SCHEMAS },
    },
  };
}

function serverAt(url: string | undefined): object {
  if (url !== undefined) return { url };
  return {
    url: "http://127.0.0.1:{port}",
    variables: { port: { default: "0", description: "As in `daemon.json`." } },
  };
}
