/**
 * WebSocket messages as a server sends them, put together here and not by the library: one that goes to many clients is
 * made once, and what one client is sent in one moment is one piece.
 *
 * @module
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
const FINAL_BINARY = 0x82;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** Messages of frames that several clients are sent. */
const prepared = new WeakMap<Uint8Array, Uint8Array>();

/** The frame goes to several clients, and is not changed any more. */
export function prepare(frame: Uint8Array): void {
  prepared.set(frame, together([frame]));
}

/** @returns a message for each frame, one behind the other */
export function messagesOf(frames: readonly Uint8Array[]): Uint8Array {
  const [only] = frames;
  return (frames.length === 1 && only && prepared.get(only)) || together(frames);
}

/** The message of a frame, without a copy of it: in one piece if it was prepared, else what comes before it, and it. */
export function piecesOf(frame: Uint8Array): readonly Uint8Array[] {
  const message = prepared.get(frame);
  if (message !== undefined) return [message];
  const head = Buffer.allocUnsafe(headBytes(frame.length));
  writeHead(head, 0, frame.length);
  return [head, frame];
}

function together(frames: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const frame of frames) length += headBytes(frame.length) + frame.length;
  const message = Buffer.allocUnsafe(length);
  let at = 0;
  for (const frame of frames) {
    at = writeHead(message, at, frame.length);
    message.set(frame, at);
    at += frame.length;
  }
  return message;
}

const headBytes = (length: number): number => (length < TWO_BYTES ? 2 : length < 65_536 ? 4 : 10);

function writeHead(into: Buffer, at: number, length: number): number {
  into[at] = FINAL_BINARY;
  const bytes = headBytes(length);
  into[at + 1] = bytes === 2 ? length : bytes === 4 ? TWO_BYTES : EIGHT_BYTES;
  if (bytes === 4) into.writeUInt16BE(length, at + 2);
  if (bytes === 10) into.writeBigUInt64BE(BigInt(length), at + 2);
  return at + bytes;
}
