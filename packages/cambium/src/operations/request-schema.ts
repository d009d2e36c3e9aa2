/**
 * The schema of what goes into each operation, made when it is first used: all of them at the start of a daemon would
 * be felt.
 *
 * @module
 */
import * as z from "zod";
import type { Definition } from "./definition.js";
import * as parts from "./schemas/inputs.js";

const known = new WeakMap<Definition, z.ZodObject>();

/** Of the flat input: path, query and body together. */
export function requestSchema(definition: Definition): z.ZodObject {
  const made = known.get(definition);
  if (made !== undefined) return made;
  const space = definition.path.includes("{space}") ? parts.inSpace : {};
  const schema = z.strictObject({ ...space, ...definition.input(parts) });
  known.set(definition, schema);
  return schema;
}
