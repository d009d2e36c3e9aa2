/**
 * The schema of what comes out of each operation. Loaded by who describes the interface, and by tests: what the daemon
 * says is not checked again while it runs.
 *
 * @module
 */
import type * as z from "zod";
import type { Definition } from "./definition.js";
import * as parts from "./schemas/outputs.js";

const known = new WeakMap<Definition, z.ZodType>();

export function responseSchema(definition: Definition): z.ZodType {
  const made = known.get(definition) ?? definition.output(parts);
  known.set(definition, made);
  return made;
}
