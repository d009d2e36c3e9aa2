/**
 * What calls of an agent take, checked against what is there.
 *
 * @module
 */
import {
  CambiumError,
  type FieldInput,
  findVersion,
  isOperationId,
  type Memory,
  type MemoryFields,
  type MemoryReading,
  memoryOf,
  type OperationId,
  operationKind,
  STATE_FIELDS,
  type StateField,
  sameField,
  type Version,
  versionsOf,
} from "@cambium/core";

export function checkedOperation(text: string): OperationId {
  if (isOperationId(text)) return text;
  throw new CambiumError(
    "BAD_INPUT",
    `operation is no id of an operation: ${JSON.stringify(text.slice(0, 60))}.`,
    {
      hint: "Write it like forget:0f3a5b7c9d1e2f30: what is done, and 16 hexadecimal digits.",
      details: { field: "operation" },
    },
  );
}

export function importOperation(text: string): OperationId {
  const operation = checkedOperation(text);
  if (operationKind(operation) === "import") return operation;
  throw new CambiumError("BAD_INPUT", "The operation of an import begins with import:", {
    details: { field: "operation" },
  });
}

export const fieldsOf = (input: object): FieldInput => input as FieldInput;

export function checkExpectation({ id, resolved }: MemoryReading, expect: string | undefined): void {
  if (expect === undefined || (expect.length >= 8 && resolved.shown.startsWith(expect))) return;
  throw new CambiumError("STALE_EXPECTATION", `The memory ${id} has moved on since it was read.`, {
    hint: "Read it again and decide based on its current value.",
    details: { id, expected: expect, record: resolved.shown },
  });
}

/** Without a version: what the hidden memory says, under the newest version that said it in view. */
export function versionToRestore(
  reading: MemoryReading,
  version: number | string | undefined,
): Memory | Version {
  if (version !== undefined) return findVersion(reading.id, versionsOf(reading), version);
  const now = memoryOf(reading);
  const target = { ...now, deleted: false };
  const inView = versionsOf(reading).filter(({ deleted }) => !deleted);
  const same = (fields: readonly StateField[]) =>
    inView.findLast((each) => fields.every((field) => sameField(each, target, field)));
  // What an undo or a merge put together may be no one's version; its text is.
  const source = same(STATE_FIELDS) ?? same(["content"]);
  return { ...target, record: source?.record ?? now.record };
}

/** @throws {CambiumError} CONTENT_PRUNED */
export function refusePruned({ erased, record, summary }: Memory | Version): void {
  if (erased !== "pruned") return;
  throw new CambiumError("CONTENT_PRUNED", "The text of this version is not kept any more.", {
    hint: summary === undefined ? "Write it anew: cambium revise <id> <text>" : `Its summary: ${summary}`,
    details: { record },
  });
}

export const pickFields = (memory: Memory | Version): MemoryFields =>
  Object.fromEntries(STATE_FIELDS.map((field) => [field, memory[field]])) as unknown as MemoryFields;
