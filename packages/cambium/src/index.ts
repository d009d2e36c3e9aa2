/**
 * The entry point of `cambium`, beside its command: a home that its daemon owns, from a program.
 *
 * @module
 */
import "@cambium/core/supported-node";

export { type ConnectReplicaOptions, connectReplica } from "./daemon-client/connect-replica.js";
