/**
 * The daemon, and the spaces of its replica.
 *
 * @module
 */
import type { DamagedSpace, RelayAccess, SpaceInfo } from "@cambium/client";
import { agent, type Definitions, REST, read, SPACE, types, write } from "../definition.js";
import type { DaemonStatus, Nothing, PageLink, SpaceDescription } from "../described.js";

export const replicaOperations = {
  "daemon.status": {
    ...read("/v1/daemon"),
    types: types<Nothing, DaemonStatus>(),
    summary: "Tell what is running",
    input: () => ({}),
    output: (parts) => parts.daemonStatus,
  },
  "daemon.stop": {
    ...write("POST", "/v1/daemon/stop"),
    types: types<{ readonly restart?: boolean | undefined }, Nothing>(),
    summary: "End the daemon",
    description: "When what is under way is done. The next call from a Cambium program starts another.",
    input: ({ flag }) => ({ restart: flag("The next one stays, and has the same port, if this one does.") }),
    output: (parts) => parts.nothing,
  },
  "page.open": {
    ...write("POST", "/v1/page/links"),
    types: types<Nothing, PageLink>(),
    summary: "Make a link that opens the web page once",
    description: "In a browser of this device, within two minutes. Whoever opens it has the owner's rights.",
    input: () => ({}),
    output: (parts) => parts.pageLink,
  },
  "page.close": {
    ...write("DELETE", "/v1/page/sessions"),
    types: types<Nothing, { readonly closed: number }>(),
    summary: "End every session of the web page",
    input: () => ({}),
    output: ({ z, described }) => z.strictObject({ closed: described(z.number(), "How many there were.") }),
  },
  "device.rename": {
    ...write("PUT", "/v1/device/name"),
    types: types<{ readonly name: string }, { readonly name: string }>(),
    summary: "Name this device",
    description: "Others read the name beside what was written here, after the next sync.",
    input: ({ needed }) => ({ name: needed("A name that people recognize.", "laptop") }),
    output: ({ z }) => z.strictObject({ name: z.string() }),
  },
  "spaces.list": {
    ...read("/v1/spaces"),
    types: types<
      Nothing,
      { readonly spaces: readonly SpaceInfo[]; readonly damaged: readonly DamagedSpace[] }
    >(),
    summary: "List spaces",
    input: () => ({}),
    output: (parts) => parts.spaceList,
  },
  "spaces.create": {
    ...write("POST", "/v1/spaces"),
    types: types<{ readonly name: string; readonly relay?: RelayAccess | undefined }, SpaceDescription>(),
    summary: "Make a space",
    input: ({ z, needed, described }) => ({
      name: needed("Its name.", "personal"),
      relay: described(
        z
          .strictObject({
            url: needed("Where it is.", "wss://relay.example.org"),
            token: needed("The relay's admin token, or a token of the space."),
          })
          .optional(),
        "To sync with other devices. Without one it stays on this device.",
      ),
    }),
    output: (parts) => parts.spaceDescription,
  },
  "spaces.join": {
    ...write("POST", "/v1/spaces/join"),
    types: types<{ readonly invitation: string }, SpaceDescription>(),
    summary: "Join a space that another device shares",
    input: ({ needed }) => ({ invitation: needed("As `spaces.invite` gave it on the other device.") }),
    output: (parts) => parts.spaceDescription,
  },
  "spaces.recover": {
    ...write("POST", "/v1/spaces/recover"),
    types: types<{ readonly kit: string; readonly relay?: string | undefined }, SpaceDescription>(),
    summary: "Come into a space with its recovery kit",
    description: "Only the owner may ask for it.",
    input: ({ z, needed, described }) => ({
      kit: needed("The fifteen words, or the page that they were printed on."),
      relay: described(z.string().optional(), "Where the space is. Default: as the page says."),
    }),
    output: (parts) => parts.spaceDescription,
  },
  "spaces.pair": {
    ...write("POST", "/v1/spaces/pair"),
    types: types<{ readonly code: string; readonly relay?: string | undefined }, SpaceDescription>(),
    summary: "Join a space by the code that another device shows",
    description: "Only the owner may ask for it.",
    input: ({ z, needed, described }) => ({
      code: needed("The code, or the link."),
      relay: described(z.string().optional(), "Where the space is. Default: as the link says."),
    }),
    output: (parts) => parts.spaceDescription,
  },
  "spaces.get": {
    ...read(SPACE),
    types: types<{ readonly space: string }, SpaceDescription>(),
    summary: "Show a space",
    input: () => ({}),
    output: (parts) => parts.spaceDescription,
  },
  "spaces.setDefault": {
    ...write("PUT", `${SPACE}/default`),
    types: types<{ readonly space: string }, Nothing>(),
    summary: "Make a space the default",
    description: "The space that `~` means, and every command and agent that names none.",
    input: () => ({}),
    output: (parts) => parts.nothing,
  },
  "spaces.rename": {
    ...write("PATCH", SPACE),
    types: types<{ readonly space: string; readonly name: string }, Nothing>(),
    summary: "Rename a space on this device",
    input: ({ needed }) => ({ name: needed("Its new name.", "personal") }),
    output: (parts) => parts.nothing,
  },
  "spaces.remove": {
    ...write("DELETE", SPACE),
    types: types<{ readonly space: string; readonly discardUnsent?: boolean | undefined }, Nothing>(),
    summary: "Remove this device's copy of a space",
    description: "The relay and other devices keep theirs.",
    input: ({ flag }) => ({ discardUnsent: flag("Also removes what no relay has confirmed.") }),
    output: (parts) => parts.nothing,
  },
  "spaces.invite": {
    ...write("POST", `${SPACE}/invitations`),
    calls: agent("invite", REST),
    answer: "invitation",
    summary: "Invite another device or person",
    description: "The invitation contains the space's key: anyone who has it can read everything.",
    input: ({ z, role, described }) => ({
      role,
      expiresAt: described(
        z.number().nullable().optional(),
        "Until when it can be used, in milliseconds since 1970; null: for ever. Default: seven days.",
      ),
      accessUntil: described(z.number().optional(), "When the access of those who join with it ends."),
      uses: described(z.number().optional(), "How many devices may join with it. Default: 100."),
    }),
    output: ({ z }) => z.strictObject({ invitation: z.string() }),
  },
  "spaces.link": {
    ...write("PUT", `${SPACE}/relay`),
    calls: agent("link", REST),
    summary: "Give a space a relay, or another one",
    description:
      "Also publishes it again on a relay that has lost it. Other devices join again with a new invitation.",
    input: ({ needed }) => ({
      url: needed("Where the relay is.", "https://relay.example.org"),
      token: needed("The relay's admin token, or a token of the space."),
    }),
    output: (parts) => parts.linkedRelay,
  },
} as const satisfies Definitions;
