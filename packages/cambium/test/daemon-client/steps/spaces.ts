/** Spaces and devices. */
import type { Pairing, Space } from "@cambium/client";
import type { Step } from "./step.js";

/** Callers hand on the whole of what `pair` gave them. */
const PAIRING: Pairing = {
  ...{ code: "7K3M-9QXR-2B4T-WVZ8", link: "http://127.0.0.1:1/pair#7K3M", relay: "http://127.0.0.1:1" },
  ...{ role: "write", expiresAt: 1, invitation: "x", access: "y" },
};

export const SPACES: readonly Step[] = [
  ["spaces.list", ({ replica }) => replica.spaces()],
  [
    "spaces.create",
    async (world) => {
      world.space = await world.replica.createSpace({ name: "notes" });
      world.owner = world.space.as({ agent: "cli", role: "owner", trigger: "cli", confirmed: true });
      world.agent = world.space.as({ agent: "claude-code", session: "s 1", conversation: "ü/ö" });
      return described(world.space);
    },
  ],
  ["spaces.create", ({ replica }) => replica.createSpace({ name: "notes" }).then(described)],
  ["spaces.join", ({ replica }) => replica.joinSpace("no invitation").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace("notes").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace("nowhere/else").then(described)],
  ["spaces.list", ({ replica }) => replica.spaces()],
  [
    "device.rename",
    async ({ replica }) => {
      await replica.rename(" laptop ");
      return replica.name;
    },
  ],
  ["device.rename", ({ replica }) => replica.rename("a\nb")],
  ["members.list", ({ space }) => space.members.list()],
  ["members.invitations", ({ space }) => space.members.invitations()],
  ["members.revoke", ({ agent }) => agent.members.revoke("x")],
  ["members.revoke", ({ owner }) => owner.members.revoke("x")],
  ["members.changeRole", ({ agent }) => agent.members.changeRole("x", { role: "read" })],
  ["members.changeRole", ({ owner }) => owner.members.changeRole("x", { role: "read" })],
  ["members.recoveryKit", ({ agent }) => agent.members.recoveryKit()],
  [
    "members.recoveryKit",
    async ({ owner }) => {
      const { words, relay, device, space } = await owner.members.recoveryKit();
      return { words: words.split(" ").length, relay, device, name: space.name };
    },
  ],
  ["members.pair", ({ owner }) => owner.members.pair()],
  ["members.pair", ({ owner }) => owner.members.pair({ role: "read" })],
  ["members.paired", ({ owner }) => owner.members.paired(PAIRING)],
  ["members.endPairing", ({ owner }) => owner.members.endPairing(PAIRING)],
  ["spaces.pair", ({ replica }) => replica.pairSpace("no code").then(described)],
  ["spaces.pair", ({ replica }) => replica.pairSpace("0", { relay: "http://127.0.0.1:1" }).then(described)],
  ["spaces.recover", ({ replica }) => replica.recoverSpace("no words").then(described)],
  [
    "spaces.recover",
    ({ replica }) => replica.recoverSpace("zoo", { relay: "http://127.0.0.1:1" }).then(described),
  ],
  ["members.devices", ({ space }) => space.members.devices()],
  ["spaces.create", ({ replica }) => replica.createSpace({ name: "spare" }).then(described)],
  ["spaces.setDefault", ({ replica }) => replica.setDefaultSpace("spare")],
  ["spaces.setDefault", ({ replica }) => replica.setDefaultSpace("nowhere")],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.rename", ({ replica }) => replica.renameSpace("spare", "notes")],
  ["spaces.rename", ({ replica }) => replica.renameSpace("spare", "reserve")],
  ["spaces.get", ({ replica }) => replica.openSpace("reserve").then(described)],
  ["spaces.list", ({ replica }) => replica.spaces()],
  ["spaces.remove", ({ replica }) => replica.removeSpace("reserve")],
  ["spaces.get", ({ replica }) => replica.openSpace("reserve").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.invite", ({ owner }) => owner.invite({ role: "read" })],
  ["spaces.link", ({ owner }) => owner.link({ url: "http://127.0.0.1:1", token: "t" })],
  ["spaces.link", ({ agent }) => agent.link({ url: "http://127.0.0.1:1", token: "t" })],
];

const described = ({ id, name, replica, role }: Space): object => ({ id, name, replica, role });
