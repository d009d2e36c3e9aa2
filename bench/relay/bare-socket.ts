/**
 * A WebSocket with as little behind it as there can be, so that many of them in one process cost that process little:
 * whole binary messages over plain TCP.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

const OPCODES = { binary: 2, close: 8, ping: 9, pong: 10 } as const;
const FINAL = 0x80;
const MASKED = 0x80;
const HEAD_END = "\r\n\r\n";

export interface SocketOptions {
  readonly url: string;
  readonly token?: string;
  readonly protocol?: string;
}

export class BareSocket {
  onMessage: (bytes: Uint8Array) => void = () => {};
  onClose: () => void = () => {};
  readonly #socket: Socket;
  #pieces: Buffer[] = [];
  #length = 0;
  /** So many bytes make the next message, as far as is known. */
  #needed = 2;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => {}); // `close` follows
    socket.on("close", () => this.onClose());
  }

  static async open({ url, token, protocol }: SocketOptions): Promise<BareSocket> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const head = [
      `GET ${pathname} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    ];
    socket.write(head.join("\r\n") + HEAD_END);
    const opened = new BareSocket(socket);
    const rest = await upgraded(socket);
    socket.on("data", (bytes) => opened.#take(bytes));
    // Whoever awaits this sets `onMessage` first.
    if (rest.length > 0) setImmediate(() => opened.#take(rest));
    return opened;
  }

  send(bytes: Uint8Array): void {
    this.#sendFrame(OPCODES.binary, bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Masked with zeros: the bytes stay as they are. */
  #sendFrame(opcode: number, bytes: Uint8Array): void {
    const { length } = bytes;
    const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
    const frame = Buffer.alloc(2 + extra + 4 + length);
    frame[0] = FINAL | opcode;
    frame[1] = MASKED | (extra === 0 ? length : extra === 2 ? 126 : 127);
    if (extra === 2) frame.writeUInt16BE(length, 2);
    if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
    frame.set(bytes, 2 + extra + 4);
    this.#socket.write(frame);
  }

  #take(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#length < this.#needed) return;
    let rest = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces);
    for (;;) {
      const { head, body } = sizes(rest);
      this.#needed = head + body;
      if (rest.length < this.#needed) break;
      this.#message(rest[0] as number, rest.subarray(head, head + body));
      rest = rest.subarray(head + body);
    }
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
  }

  #message(first: number, body: Buffer): void {
    const opcode = first & 0x0f;
    if (opcode === OPCODES.ping) this.#sendFrame(OPCODES.pong, body);
    if (opcode === OPCODES.close) this.#socket.end();
    if (opcode !== OPCODES.binary) return;
    if ((first & FINAL) === 0) throw new Error("A message came in several frames.");
    this.onMessage(body);
  }
}

/** Of the next frame, as far as its head is there. */
function sizes(bytes: Buffer): { readonly head: number; readonly body: number } {
  const short = (bytes[1] ?? 0) & 0x7f;
  if (bytes.length < 2 || short < 126) return { head: 2, body: short };
  const head = short === 126 ? 4 : 10;
  if (bytes.length < head) return { head, body: 0 };
  return { head, body: short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)) };
}

/** @returns what came behind the answer */
function upgraded(socket: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let heard = Buffer.alloc(0);
  const take = (bytes: Buffer): void => {
    heard = Buffer.concat([heard, bytes]);
    const end = heard.indexOf(HEAD_END);
    if (end < 0) return;
    socket.off("data", take);
    const head = heard.subarray(0, end).toString();
    if (head.startsWith("HTTP/1.1 101")) resolve(heard.subarray(end + HEAD_END.length));
    else reject(new Error(`The server said ${head.split("\r\n")[0]}.`));
  };
  socket.on("data", take);
  socket.once("close", () => reject(new Error("The server closed the connection.")));
  return promise;
}
