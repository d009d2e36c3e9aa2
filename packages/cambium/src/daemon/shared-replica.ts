/**
 * The daemon's replica as its handlers and MCP see it: nobody closes what others use, and every space that is
 * opened is known to the daemon.
 *
 * @module
 */
import type { Replica, Space } from "@cambium/client";
import { ONLY_SPACE } from "../operations/routes.js";

export interface SharedReplicaOptions {
  readonly replica: Replica;
  readonly openSpace: (name: string) => Promise<Space>;
  /** Spaces have come, gone or changed: `~` and names may mean others than before. */
  readonly onChange: () => void;
}

export function sharedReplica({ replica, openSpace, onChange }: SharedReplicaOptions): Replica {
  const come = ({ id }: Pick<Space, "id">): Promise<Space> => {
    onChange();
    return openSpace(id);
  };
  const changing = async (change: Promise<void>): Promise<void> => {
    await change;
    onChange();
  };
  const close = async (): Promise<void> => undefined;
  return {
    id: replica.id,
    get name() {
      return replica.name;
    },
    dir: replica.dir,
    rename: (name) => replica.rename(name),
    spaces: () => replica.spaces(),
    damagedSpaces: () => replica.damagedSpaces(),
    createSpace: async (options) => await come(await replica.createSpace(options)),
    joinSpace: async (invitation) => await come(await replica.joinSpace(invitation)),
    recoverSpace: async (kit, options) => await come(await replica.recoverSpace(kit, options)),
    pairSpace: async (code, options) => await come(await replica.pairSpace(code, options)),
    setDefaultSpace: (space) => changing(replica.setDefaultSpace(space)),
    renameSpace: (space, name) => changing(replica.renameSpace(space, name)),
    removeSpace: (space, options) => changing(replica.removeSpace(space, options)),
    importArchive: async (path, options) => {
      const imported = await replica.importArchive(path, options);
      if (imported.status === "imported") await come({ id: imported.space.id });
      return imported;
    },
    openSpace: (name = ONLY_SPACE) => openSpace(name),
    close,
    [Symbol.asyncDispose]: close,
  };
}
