/** A replica whose one space does what a test wants of it. */
import type { Replica, Space } from "@cambium/client";
import type { Overrides } from "./daemon.js";

export function fakeReplica(
  space: Partial<Space> & { readonly agent?: object },
  onClose?: () => void,
): Replica {
  const { agent = {}, ...reading } = space;
  const opened = {
    ...{ id: "space-1", name: "notes", as: () => agent, subscribe: () => () => undefined },
    ...{
      requestOf: async () => undefined,
      sync: { status: async () => ({ relay: { state: "none", pending: 0 } }) },
    },
    ...reading,
  } as unknown as Space;
  const replica: Partial<Replica> = {
    ...{ id: "replica-1" as Replica["id"], name: "device", dir: "/nowhere" },
    spaces: async () => [],
    damagedSpaces: async () => [],
    openSpace: async () => opened,
    close: async () => onClose?.(),
  };
  return replica as Replica;
}

/** A daemon for which the stand-in is the home. */
export const withSpace = (space: Parameters<typeof fakeReplica>[0]): Overrides => ({
  openHome: async () => fakeReplica(space),
  checkResponse: undefined,
});
