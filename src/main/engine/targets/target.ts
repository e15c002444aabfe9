import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type {
  ConnectionFacts,
  TargetDescription,
  TargetKind,
  TargetKindInfo,
  TargetPart,
  WithoutTarget,
} from '../../../shared/model/target.ts';
import type { DataSizes, LiveSession, ServerSetting } from '../../../shared/model/target-details.ts';
import { isLoopback } from '../../../shared/util/loopback.ts';

/**
 * The ways from the host that the app goes through (through its SSH connection) or from this computer. None of them opens a
 * port. Errors are those of the machine, as KneepointError, or those of a socket.
 */
export interface Reach {
  /** The host whose SSH connection everything goes through; absent: none, it starts on this computer. */
  readonly through?: string;
  dial(address: string, port: number): Promise<Duplex>;
  /** To a Unix socket of that host. */
  dialSocket(path: string): Promise<Duplex>;
  /** Runs a POSIX sh script there, to its end. */
  exec(script: string, signal?: AbortSignal): Promise<{ code?: number; stdout: string; stderr: string }>;
}

/** Whether the way to a server leaves no machine in the clear: by a Unix socket, or through SSH to its own host. */
export const endsOnServerHost = (reach: Reach, { address, socket }: { address: string; socket: string }): boolean =>
  socket !== '' || (reach.through !== undefined && isLoopback(address));

export interface TargetSession {
  /** Milliseconds of one empty round trip. */
  ping(): Promise<number>;
  describe(): Promise<TargetDescription>;
  /** The server's counters by its own names, numbers only. */
  counters(): Promise<Record<string, number>>;
  /** Rows of a table; undefined if there is no such table. */
  countRows(table: string): Promise<number | undefined>;
  /**
   * Runs one statement of a person as it is written. The first value of its first row; null: it has none. Absent for kinds that take no
   * statements. Throws `change-refused`, in the server's words, when the server does not take it.
   */
  run?(statement: string): Promise<string | null>;
  /** Every setting, by name. Absent for kinds that have none beside those of `describe`. */
  settings?(): Promise<ServerSetting[]>;
  sizes?(): Promise<DataSizes>;
  /** Who is connected at this moment, as far as the account may see. */
  sessions?(): Promise<LiveSession[]>;
  close(): Promise<void>;
}

/**
 * A kind of system under test. A new one is a folder and a line in `targets/index.ts`.
 * Errors are KneepointError: target-unreachable, target-auth-failed, database-missing, with the server's own words.
 */
export interface TargetType<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: TargetKind;
  readonly title: string;
  /** One word for all that tools drive alike, as a sentence says it: “a target of the MySQL family”. */
  readonly family: string;
  /** A name for the form to show, and a configuration for commands that are shown before a target is chosen. */
  readonly example: { readonly name: string; readonly config: z.input<Schema> };
  /** What a workload drives when no target of the kind is chosen. Absent: one has to be chosen. */
  readonly withoutTarget?: WithoutTarget;
  readonly config: Schema;
  readonly takesSecret: boolean;
  /** What `via` of a target means; `none` if absent. */
  readonly via?: TargetKindInfo['via'];
  /** What its sessions tell beyond the description; none if absent. */
  readonly tells?: readonly TargetPart[];
  /** Pure: what tools need, the address as seen from the generator. */
  facts(config: z.output<Schema>, secret: string | undefined): ConnectionFacts;
  /** Absent for kinds without a server (host). */
  open?(
    config: z.output<Schema>,
    secret: string | undefined,
    reach: Reach,
    signal?: AbortSignal,
  ): Promise<TargetSession>;
}

export const defineTarget = <Schema extends z.ZodObject>(target: TargetType<Schema>): TargetType<Schema> => target;
