/**
 * How things may look on this output: colours, width, glyphs, and what "now" is.
 *
 * @module
 */
import picocolors from "picocolors";
import type { Io } from "../io.js";

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Style {
  readonly colors: Colors;
  /** Undefined: as wide as need be. */
  readonly columns: number | undefined;
  readonly nowMs: number;
  /** Whether lines may be drawn with box characters. */
  readonly unicode: boolean;
}

export function styleFor({ output, env, now }: Pick<Io, "output" | "env" | "now">): Style {
  const refused = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  return {
    colors: picocolors.createColors(output.isTerminal && !refused),
    columns: output.columns,
    nowMs: now(),
    unicode: env.TERM !== "dumb" && !/^(C|POSIX)$/.test(env.LC_ALL ?? ""),
  };
}
