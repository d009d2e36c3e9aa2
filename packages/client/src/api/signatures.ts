/**
 * All signatures, by what they are of. The signatures themselves stand beside their interfaces.
 *
 * @module
 */
import type { Shape } from "../arguments/shapes.js";
import type { GuardedMethod, Signature } from "../arguments/signature.js";
import agent from "./agent.js";
import branches from "./branches.js";
import checkpoints from "./checkpoints.js";
import governance from "./governance.js";
import members from "./members.js";
import reader from "./reader.js";
import replica from "./replica.js";
import space from "./space.js";
import sync from "./sync.js";

/** The methods of an object that writes, by name. */
type Guarded = Readonly<Record<string, GuardedMethod>>;
/** The methods of an object that reads, by name. */
type Signatures = Readonly<Record<string, Signature>>;

/** Of objects that write, with what the policy asks of each method. */
export const METHODS: { readonly [Name in "agent" | "branches" | "checkpoints"]: Guarded } = {
  ...{ agent, branches: branches.branches, checkpoints },
};

/** Of all other objects. */
export const SIGNATURES: {
  readonly [Name in
    | keyof typeof governance
    | "members"
    | "reader"
    | "replica"
    | "space"
    | "sync"]: Signatures;
} = { ...governance, members, reader, replica: replica.replica, space, sync };

/** What `openReplica` and `connectReplica` take. */
export const OPTIONS: { readonly [Name in "opening" | "connecting"]: Shape } = replica;
