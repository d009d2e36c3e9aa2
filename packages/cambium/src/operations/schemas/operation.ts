/**
 * What is said of an operation besides its route: what it does, what goes in and what comes out.
 *
 * @module
 */
import type * as z from "zod";

export interface RequestSpec {
  /** A few words, in the imperative. */
  readonly summary: string;
  /** Sentences that a person needs to use it. */
  readonly description?: string;
  /** Of the flat input: path, query and body together. Unknown keys are refused. */
  readonly request: z.ZodObject;
}

export interface Operation extends RequestSpec {
  /** The room it stands in. */
  readonly tag: string;
  readonly response: z.ZodType;
}

interface LazySpec<Request extends z.ZodObject> extends Omit<RequestSpec, "request"> {
  readonly request: () => Request;
}

/** Builds the schema when it is first used: all of them at the start of a daemon would be felt. */
export function lazily<Request extends z.ZodObject>({
  request,
  ...spec
}: LazySpec<Request>): Omit<RequestSpec, "request"> & { readonly request: Request } {
  let built: Request | undefined;
  return {
    ...spec,
    get request() {
      built ??= request();
      return built;
    },
  };
}
