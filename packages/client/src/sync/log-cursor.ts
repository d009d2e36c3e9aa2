/**
 * How far a replica has read a relay's log, as the store keeps it: a row among those of the documents, on disk with what
 * was read.
 *
 * @module
 */
import { bytesFromHex, bytesToHex } from "@cambium/core";
import { LOG_START, type LogPoint, samePoint, sparsePoints } from "@cambium/core/wire";
import type { DocumentRow } from "../storage/store.js";
import { CURSOR_ROW } from "./sync-tracker.js";

export class LogCursor {
  /** Newest first, ever sparser. */
  #points: readonly LogPoint[] = [];
  #isTaken = true;

  /** @param row - as `takeRow` made it; without one, nothing has been read */
  constructor(row?: DocumentRow) {
    this.#points = (row?.receiptedHeads ?? []).flatMap((text) => textToPoint(text) ?? []);
  }

  /** Up to where everything has been read. */
  get point(): LogPoint {
    return this.#points[0] ?? LOG_START;
  }

  /** What a relay is told, so that it finds the newest point that its log has. */
  get points(): readonly LogPoint[] {
    return this.#points;
  }

  advance(point: LogPoint): void {
    this.#points = sparsePoints([...this.#points, point]);
    this.#isTaken = false;
  }

  /** The relay's log goes another way after this point, or ends there. */
  rewindTo(common: LogPoint): void {
    if (samePoint(common, this.point)) return;
    const kept = this.#points.filter(({ position }) => position < common.position);
    this.#points = common.position === 0 ? [] : [common, ...kept];
    this.#isTaken = false;
  }

  /** What is to be stored, if it has changed since this was last asked. */
  takeRow(): Omit<DocumentRow, "localHeads"> | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    const { position } = this.point;
    return { documentId: CURSOR_ROW, receiptedHeads: this.#points.map(pointToText), receiptedAt: position };
  }
}

const pointToText = ({ position, mark }: LogPoint): string => `${position}:${bytesToHex(mark)}`;

function textToPoint(text: string): LogPoint | undefined {
  const [position, mark] = text.split(":");
  if (position === undefined || mark === undefined) return undefined;
  return { position: Number(position), mark: bytesFromHex(mark) };
}
