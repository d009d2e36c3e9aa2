/**
 * Positions in few bytes: each as its distance from the one before, seven bits in a byte.
 *
 * @module
 */

/** @param positions - ascending */
export function positionsToBytes(positions: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const position of positions) {
    let rest = position - before;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
    before = position;
  }
  return Uint8Array.from(bytes);
}

export function bytesToPositions(bytes: Uint8Array): readonly number[] {
  const positions: number[] = [];
  let before = 0;
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    before += value;
    positions.push(before);
    value = 0;
    factor = 1;
  }
  return positions;
}
