/**
 * What the daemon says of itself and of its spaces.
 *
 * @module
 */
import type { ExportFormat, Role } from "@cambium/client";
import type { ReplicaId, SpaceId } from "@cambium/core";

/** The daemon itself, for those who ask what is running. */
export interface DaemonStatus {
  readonly pid: number;
  /** With the time of its build: `1.2.0+20260801T140312`. */
  readonly version: string;
  /** Another one at every start. */
  readonly instance: string;
  readonly replica: { readonly id: ReplicaId; readonly name: string; readonly dir: string };
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where browsers and other languages reach it: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Stays until it is stopped; else it ends when nothing was asked for a while and nothing is pending. */
  readonly stays: boolean;
  readonly spaces: readonly string[];
}

/** A way into the web page, good once. */
export interface PageLink {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What the web page asks for as a file. */
export interface DownloadRequest {
  readonly what: "export" | "archive";
  readonly branch?: string | undefined;
  readonly at?: string | undefined;
  readonly format?: ExportFormat | undefined;
  readonly passphrase?: string | undefined;
  readonly clear?: boolean | undefined;
}

/** A file that a browser may fetch once. */
export interface Download {
  readonly url: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Of an export. */
  readonly memories?: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The file that a memory names as its source, as far as it can be shown. */
export interface SourceFile {
  /**
   * `none`: the memory has no source. `partial`: the source does not say where its file is. `missing`: it is not on this
   * device. `private`: it is one of Cambium's own. `secret`: it seems to hold keys or
   * passwords, or only another user may read it. `large`: longer than 2 MiB.
   */
  readonly status:
    | "shown"
    | "none"
    | "partial"
    | "missing"
    | "link"
    | "folder"
    | "large"
    | "binary"
    | "private"
    | "secret"
    | "unreadable";
  /** Absolute. */
  readonly path?: string;
  /** What the device is called on which the source was written, where that is another one. */
  readonly device?: string;
  /** When the file was last changed, in milliseconds since 1970, if that was after the source was written. */
  readonly changedAt?: number;
  readonly sizeBytes?: number;
  /** Counted from 1, like `first`: which line is meant. */
  readonly line?: number;
  /** Of `lines`. */
  readonly first?: number;
  /** How many lines the file has. */
  readonly total?: number;
  /** Some around `line`. */
  readonly lines?: readonly string[];
}

/** How the backups of a space are, on this device. */
export interface ShownBackups {
  readonly state: "off" | "fine" | "late" | "failed";
  /** Absent while they are off. */
  readonly plan?: {
    readonly dir: string;
    readonly everyMs: number;
    readonly keep: number;
    readonly isSealed: boolean;
    /** When the next is due, in milliseconds since 1970; the daemon makes it while it runs. */
    readonly nextAt: number;
  };
  /** Newest first. */
  readonly backups: readonly { readonly path: string; readonly at: number }[];
  readonly failure?: { readonly at: number; readonly message: string };
}

/** How backups are to be made. What is left out stays as it is set. */
export interface BackupRequest {
  readonly dir?: string | undefined;
  readonly every?: "hour" | "day" | "week" | undefined;
  readonly keep?: number | undefined;
  readonly passphrase?: string | undefined;
  readonly clear?: boolean | undefined;
}

export interface SpaceDescription {
  readonly id: SpaceId;
  readonly name: string;
  readonly replica: ReplicaId;
  readonly role: Role;
}

/** An object without fields. */
export type Nothing = Record<string, never>;
