import type { ChangeCost } from '../../../shared/model/factor.ts';
import type { Finding, LiftableFinding } from '../../../shared/model/finding.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Server } from '../servers/server.ts';
import type { TargetSession } from '../targets/target.ts';

/** A host by its name, or a server by its target's name. */
export interface ChangePlace {
  readonly kind: 'host' | 'server';
  readonly name: string;
}

/** Whatever the changer needs to find a setting again: a device, a path, custom commands. Stored in the journal with the value. */
export type How = Readonly<Record<string, string>>;

/** A setting of a host or server, and the value it needs while a cell is measured. */
export interface DesiredSetting {
  /** Name of the changer. */
  readonly changer: string;
  /** `host-of-server`: the host on which this target's server runs. */
  readonly place: ChangePlace | { readonly kind: 'host-of-server'; readonly name: string };
  /** The setting's name on the host or server, unique there: "innodb_buffer_pool_size", "read-ahead of /dev/sda". */
  readonly what: string;
  /** As written in the document: "8G". */
  readonly value: string;
  readonly how?: How;
}

/** The state of a setting as it was found. */
export interface Found {
  /** Null if it is not set or does not exist; undoing then removes it. */
  readonly value: string | null;
  /** Whatever is needed to restore it besides the value, e.g. the file that it was set in. */
  readonly how?: How;
}

/** A desired setting, and the state before Kneepoint changed anything. */
export interface Change {
  readonly setting: DesiredSetting;
  readonly first: Found;
}

/** A setting to restore. */
export interface SettingToRestore {
  readonly what: string;
  readonly how?: How | undefined;
  readonly first: Found;
}

/** Another setting that a change may move: a related kernel parameter, another setting of the server. */
export interface AffectedSetting {
  readonly what: string;
  readonly value: string;
  /** Like that of a desired setting. */
  readonly how?: How;
  /** Whatever is needed to restore it, like `how` of `Found`. */
  readonly undo?: How;
  /** Why it could not be restored, a sentence. */
  readonly stuck?: string;
}

/** Cost and obstacles of a change, determined before anything is changed. */
export interface Examined {
  readonly found: Found;
  readonly cost: ChangeCost;
  /** Obstacles (`block`: no privilege, no such setting, a value that is not accepted), and caveats for the user. */
  readonly findings: readonly LiftableFinding[];
}

/** Access to one host or server. All methods throw the errors of machines and targets. */
export interface At {
  readonly place: ChangePlace;
  /** The host, or the server's host. Throws `bad-request` for a target without a place. */
  machine(): Machine;
  /** Throws `bad-request` for a host. */
  server(): Server;
  target(): TargetSpec;
  /** Opens Kneepoint's own connection to the server for the duration of `use`. */
  connected<T>(use: (session: TargetSession) => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
}

/**
 * Reads, changes and restores one kind of setting. Stateless: the original values are in the journal, written before `apply`. Every method
 * may be called again after it was interrupted at any point. All settings of a call are of one place. Errors: `change-refused` (the place
 * refused, with its own words), `change-not-possible` (privilege, place or setting missing), `server-not-back` (a server did not start with
 * the change), and those of machines and targets.
 */
export interface Changer {
  readonly name: string;
  /** It changes data, which has to exist first, so the preflight cannot use `examine`. */
  readonly needsData?: true;
  /** Obstacles to any change of the place. The preflight calls this if `examine` needs data. */
  against?(at: At): Promise<readonly Finding[]>;
  /** Returns the current state and the cost of each change, in order. Changes nothing. */
  examine(at: At, settings: readonly DesiredSetting[]): Promise<readonly Examined[]>;
  /** Returns the current state of each setting, in order. */
  read(at: At, settings: readonly DesiredSetting[]): Promise<readonly Found[]>;
  /** Whether a value that was read equals the desired one: 134217728 is 128M. */
  matches(setting: DesiredSetting, value: string | null): boolean;
  /**
   * Settings that database tables store when they are created: distinct values by `what`, empty if no table shows them. Undefined if tables
   * store none.
   */
  ofTables?(
    at: At,
    settings: readonly DesiredSetting[],
    tables: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Current values of everything that these changes may move and that can be set. Undefined if nothing else moves. */
  affected?(at: At, settings: readonly DesiredSetting[]): Promise<readonly AffectedSetting[]>;
  /** Whether the change takes a restart. All changes for the same time are then applied with it. Undefined if none does. */
  isJoint?(change: Change): boolean;
  /**
   * Applies all changes at once, with at most one restart. `alreadySet`: other settings desired at the same time and set before; a restart
   * keeps them. After an error the state is unknown and has to be read.
   */
  apply(at: At, changes: readonly Change[], alreadySet?: readonly Change[]): Promise<void>;
  /** Restores all of them at once, even if setting one moves another. */
  restore(at: At, things: readonly SettingToRestore[]): Promise<void>;
}
