import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { ConnectionFacts, TargetDescription, TargetKind } from '../../../shared/model/target.ts';

/** How a target kind reaches its server: through a host's SSH connection or directly; no listening port either way. */
export type Dial = (address: string, port: number) => Promise<Duplex>;

export interface TargetSession {
  /** Milliseconds of one empty round trip. */
  ping(): Promise<number>;
  describe(): Promise<TargetDescription>;
  /** The server's counters by its own names, numbers only. */
  counters(): Promise<Record<string, number>>;
  /** Rows of a table; undefined if there is no such table. */
  countRows(table: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * A kind of system under test. A new one is a folder and a line in `targets/index.ts`.
 * Errors are KneepointError: target-unreachable, target-auth-failed, database-missing, with the server's own words.
 */
export interface TargetType<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: TargetKind;
  readonly title: string;
  readonly config: Schema;
  readonly takesSecret: boolean;
  /** Pure: what tools need, the address as seen from the generator. */
  facts(config: z.output<Schema>, secret: string | undefined): ConnectionFacts;
  /** Absent for kinds without a server (host). */
  open?(config: z.output<Schema>, secret: string | undefined, dial: Dial, signal?: AbortSignal): Promise<TargetSession>;
}

export const defineTarget = <Schema extends z.ZodObject>(target: TargetType<Schema>): TargetType<Schema> => target;
