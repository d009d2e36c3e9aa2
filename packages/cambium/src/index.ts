/**
 * The public door of `cambium`, beside its command: a home that its daemon owns, from a program.
 *
 * @module
 */
export { type ConnectReplicaOptions, connectReplica } from "./daemon-client/connect-replica.js";
