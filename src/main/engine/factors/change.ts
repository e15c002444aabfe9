import type { ChangeCost } from '../../../shared/model/factor.ts';
import type { Finding, LiftableFinding } from '../../../shared/model/finding.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Server } from '../servers/server.ts';
import type { TargetSession } from '../targets/target.ts';

/** A host by its name, or a server by the name of its target. */
export interface ChangePlace {
  readonly kind: 'host' | 'server';
  readonly name: string;
}

/** What only its changer needs to find a thing again: a device, a path, commands of a person. Kept in the journal with the value. */
export type How = Readonly<Record<string, string>>;

/** One thing of a host or server that has to have a value while a cell is measured. */
export interface DesiredSetting {
  /** Name of the changer. */
  readonly changer: string;
  /** `host-of-server`: the host that the server of this target lives on. */
  readonly place: ChangePlace | { readonly kind: 'host-of-server'; readonly name: string };
  /** What it is, in the place's own words; one value there: "innodb_buffer_pool_size", "read-ahead of /dev/sda". */
  readonly what: string;
  /** As a person wrote it: "8G". */
  readonly value: string;
  readonly how?: How;
}

/** A thing as it was found. */
export interface Found {
  /** Null: it is not set, or does not exist, and undoing means to take it away again. */
  readonly value: string | null;
  /** What putting it back needs beside the value, e.g. the file that it was set in. */
  readonly how?: How;
}

/** A desired setting, and what was there before Kneepoint changed anything. */
export interface Change {
  readonly setting: DesiredSetting;
  readonly first: Found;
}

/** A thing to put back as it was. */
export interface PutBack {
  readonly what: string;
  readonly how?: How | undefined;
  readonly first: Found;
}

/** What stands beside a change and may be moved by it: a neighbour of a kernel parameter, another setting of the server. */
export interface Beside {
  readonly what: string;
  readonly value: string;
  /** As that of a desired setting. */
  readonly how?: How;
  /** What putting it back needs, as that of what was found. */
  readonly undo?: How;
  /** Why it could not be put back, a sentence. */
  readonly stuck?: string;
}

/** What it would take to set it, found out before anything is touched. */
export interface Examined {
  readonly found: Found;
  readonly cost: ChangeCost;
  /** What stands against it (`block`: no privilege, no such setting, a value that is not taken), and what a person should know. */
  readonly findings: readonly LiftableFinding[];
}

/** The ways to one place. All of them throw the errors of machines and targets. */
export interface At {
  readonly place: ChangePlace;
  /** The host, or the host that the server lives on. Throws `bad-request` for a target without a place. */
  machine(): Machine;
  /** The server: throws `bad-request` for a host. */
  server(): Server;
  target(): TargetSpec;
  /** A connection of the app's own to the server, for the time of `use`. */
  connected<T>(use: (session: TargetSession) => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
}

/**
 * Knows how to read, change and put back one kind of thing. It keeps no state: what was there first is in the journal, written before
 * `apply`. Every method may be called again after it was cut off at any point. All settings of a call are for one place.
 * Errors: `change-refused` (the place said no, with its own words), `change-not-possible` (privilege, place or setting missing),
 * `server-not-back` (a server did not come up with the change), and those of machines and targets.
 */
export interface Changer {
  readonly name: string;
  /** What it changes is data: it has to be there first, and the preflight cannot ask for it. */
  readonly needsData?: true;
  /** What stands against any change of the place; what the preflight asks where `examine` needs data. */
  against?(at: At): Promise<readonly Finding[]>;
  /** What is there, and what making it so would take. One answer per setting, in order. Changes nothing. */
  examine(at: At, settings: readonly DesiredSetting[]): Promise<readonly Examined[]>;
  /** What is there now. One answer per setting, in order. */
  read(at: At, settings: readonly DesiredSetting[]): Promise<readonly Found[]>;
  /** Whether a value that was read is the desired one: 134217728 is 128M. */
  isSo(setting: DesiredSetting, value: string | null): boolean;
  /**
   * Settings that tables of a database keep from when they were made: distinct values by `what`; none where no table shows them.
   * Absent: tables keep nothing of it.
   */
  ofTables?(
    at: At,
    settings: readonly DesiredSetting[],
    tables: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Everything that a change of these may move and that can be set, as it is now. Absent: nothing else moves. */
  beside?(at: At, settings: readonly DesiredSetting[]): Promise<readonly Beside[]>;
  /** Whether it takes a restart: all that is changed for the same time is applied with it then. Absent: none does. */
  isJoint?(change: Change): boolean;
  /**
   * Makes all of them so at once, with at most one restart. `soAlready`: what else is desired at the same time and was set before; a restart
   * takes none of it away. What is true after an error is not known: read it.
   */
  apply(at: At, changes: readonly Change[], soAlready?: readonly Change[]): Promise<void>;
  /** Puts all of them back at once, whatever one of them moves when it is set. */
  restore(at: At, things: readonly PutBack[]): Promise<void>;
}
