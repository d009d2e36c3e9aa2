/**
 * The methods of the library's objects that operations are calls of, each sent to the daemon as its definition says.
 *
 * @module
 */
import { inputOfCall, resultOf } from "../operations/arguments.js";
import type { Definition, LibraryCall, Target, Targets } from "../operations/definition.js";
import { DEFINITIONS } from "../operations/definitions/table.js";
import type { RemoteCaller } from "./remote-caller.js";

type Table = typeof DEFINITIONS;

/** The methods of an object that a table defines. What an interface has besides does not compile until it is added. */
export type RemoteMethods<T extends Target, Defined = Table> = Pick<
  Targets[T],
  {
    [Name in keyof Defined]: Defined[Name] extends {
      readonly calls: { readonly target: T; readonly method: infer Method extends keyof Targets[T] };
    }
      ? Method
      : never;
  }[keyof Defined]
>;

type Called = Definition & { readonly calls: LibraryCall };

const calledOf = (definition: Definition): readonly Called[] =>
  definition.calls === undefined ? [] : [{ ...definition, calls: definition.calls }];

const byTarget = Map.groupBy(Object.values(DEFINITIONS).flatMap(calledOf), ({ calls }) => calls.target);

/** @param fixed - fields that are the same in every call, whatever it says */
export const remoteMethods = <T extends Target>(
  target: T,
  caller: RemoteCaller,
  fixed: object = {},
): RemoteMethods<T> => methodsOf(byTarget.get(target) ?? [], caller, fixed) as RemoteMethods<T>;

/** The same for any definitions. */
export const methodsOf = (
  definitions: readonly Called[],
  caller: Pick<RemoteCaller, "request">,
  fixed: object = {},
): object =>
  Object.fromEntries(
    definitions.map((definition) => [
      definition.calls.method,
      async (...args: unknown[]): Promise<unknown> => {
        const { input, progress } = inputOfCall(definition.calls, definition.isLong === true, args);
        return resultOf(definition, await caller.request(definition, { ...input, ...fixed }, progress));
      },
    ]),
  );
