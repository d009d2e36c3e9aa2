import { CambiumError } from "../errors.js";

export const malformedFrame = (what: string, cause?: unknown): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", `Not a frame of the log protocol: ${what}.`, { cause });
