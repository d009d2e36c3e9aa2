import { randomBytes } from "node:crypto";

/** For calls that one undo is to revert together. */
export const operationId = (kind: "import" | "forget" | "restore" | "decay" | "consolidate"): string =>
  `${kind}:${randomBytes(8).toString("hex")}`;
