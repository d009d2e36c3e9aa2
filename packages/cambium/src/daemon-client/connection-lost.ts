/**
 * What goes wrong on the way to the daemon and back. Never leaves this folder: the caller gets its answer
 * after all, or DAEMON_UNREACHABLE.
 *
 * @module
 */

/**
 * `absent`: nobody listens. `busy`: somebody does, but cannot take another caller now. `refused`: no daemon of
 * ours, or we may not. `dropped`: the connection broke, and nobody knows how far the call got.
 */
export type Loss = "absent" | "busy" | "refused" | "dropped";

export class ConnectionLost extends Error {
  readonly loss: Loss;

  constructor(loss: Loss, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "ConnectionLost";
    this.loss = loss;
  }
}

/** @param error - what Node said; only while connecting is it known that nothing was sent */
export function connectionLost(error: NodeJS.ErrnoException): ConnectionLost {
  return new ConnectionLost(lossOf(error), error);
}

function lossOf({ code, syscall }: NodeJS.ErrnoException): Loss {
  if (syscall !== "connect") return "dropped";
  switch (code) {
    case "ENOENT":
    case "ECONNREFUSED":
      return "absent";
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "EBUSY":
      return "busy";
    case "ECONNRESET":
    case "EPIPE":
      return "dropped";
    default:
      return "refused";
  }
}
