import type { z } from 'zod';
import type { ReadyCapture } from '../../../shared/model/capture.ts';
import type { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, TargetDescription, TargetKind } from '../../../shared/model/target.ts';
import type { DataSizes, LiveSession, ServerSetting } from '../../../shared/model/target-details.ts';
import { refusedStatement, type Whereto } from './failure.ts';
import { figuresOf } from './sampling.ts';
import {
  type AnswerTable,
  defineTarget,
  type HostSampling,
  type ManagedType,
  type MonitoringOf,
  type Reach,
  type Room,
  type ServerSample,
  type SettingsControl,
  type SettingsFormat,
  type SettingsReference,
  type Stored,
  type TableHow,
  type TargetSession,
  type TargetType,
} from './target.ts';

/** A connection. `downgraded`: why TLS was not used although preferred, e.g. "the server offers no TLS". */
export interface Connected<Connection> {
  connection: Connection;
  downgraded: string | undefined;
}

/** Requests to a connected server. */
interface Questions<Config, Connection> {
  /** One empty round trip. */
  ping(connection: Connection): Promise<unknown>;
  describe(connected: Connected<Connection>, config: Config): Promise<TargetDescription>;
  /** Undefined if the server reports nothing unique to it. */
  identity?(connection: Connection): Promise<Readonly<Record<string, string>>>;
  counters(connection: Connection): Promise<Record<string, number>>;
  countRows(connection: Connection, table: string): Promise<number | undefined>;
  /** Returns the first value of a statement's result. Undefined if the kind takes no statements. */
  run?(connection: Connection, statement: string): Promise<unknown>;
  settings(connection: Connection): Promise<ServerSetting[]>;
  sizes(connection: Connection): Promise<DataSizes>;
  /** Undefined if only the server host can report this. */
  room?(connection: Connection): Promise<Room | undefined>;
  stored(connection: Connection): Promise<Stored>;
  firstRows(connection: Connection, table: string, most: number): Promise<readonly string[]>;
  sessions(connection: Connection): Promise<LiveSession[]>;
  settingsControl?(connection: Connection): Promise<SettingsControl>;
  /** Called once per connection; it keeps its findings about the server. */
  sampler?(connection: Connection): () => Promise<ServerSample>;
  samplesOnHost?(connection: Connection, config: Config, secret: string | undefined): Promise<HostSampling | undefined>;
  statementsOnHost?(
    connection: Connection,
    config: Config,
    secret: string | undefined,
    statements: readonly string[],
  ): Promise<HostSampling | undefined>;
  /** Returns the result of a user's statement. Undefined if the kind takes no statements. */
  table?(connection: Connection, statement: string, how?: TableHow): Promise<AnswerTable>;
}

/** The differences between database servers. */
interface ServerType<Schema extends z.ZodObject, Connection extends { close(): Promise<void> }> {
  kind: TargetKind;
  title: string;
  family: string;
  example: TargetType<Schema>['example'];
  config: Schema;
  settings?: SettingsReference;
  ownSettings?: RegExp;
  settingsFormat?: SettingsFormat;
  cacheBytes?: TargetType['cacheBytes'];
  client?: TargetType['client'];
  cachesResults?: TargetType['cachesResults'];
  managed?: ManagedType<z.output<Schema>>;
  monitoring?: MonitoringOf;
  captures: readonly ReadyCapture[];
  facts(config: z.output<Schema>, secret: string | undefined): ConnectionFacts;
  where(config: z.output<Schema>): Whereto;
  connect(
    config: z.output<Schema>,
    secret: string | undefined,
    reach: Reach,
    signal: AbortSignal | undefined,
  ): Promise<Connected<Connection>>;
  /** Converts an error of the driver into a problem. */
  problem(error: unknown, where: Whereto, config: z.output<Schema>): KneepointError;
  /** Whether the server rejected a statement. False for an error that only reports a lost, closed or denied connection. */
  isRefusal(error: unknown): boolean;
  ask: Questions<z.output<Schema>, Connection>;
}

/** Defines a kind of database server. Every failure to connect or ask is thrown as a problem in the server's words. */
export function defineServer<Schema extends z.ZodObject, Connection extends { close(): Promise<void> }>(
  server: ServerType<Schema, Connection>,
): TargetType<Schema> {
  const {
    kind,
    title,
    family,
    example,
    config: schema,
    settings,
    ownSettings,
    settingsFormat,
    cacheBytes,
    client,
    cachesResults,
    managed,
    monitoring,
    captures,
    facts,
    ask,
  } = server;
  return defineTarget({
    kind,
    title,
    family,
    example,
    config: schema,
    ...(settingsFormat && { settingsFormat }),
    ...(cacheBytes && { cacheBytes }),
    ...(client && { client }),
    ...(cachesResults && { cachesResults }),
    ...(managed && { managed }),
    ...(monitoring && { monitoring }),
    captures,
    ...(ask.table && { takesStatements: true as const }),
    takesSecret: true,
    via: 'connection',
    describes: ['settings', 'sizes', 'sessions', 'counters'],
    ...(settings && { settings }),
    ...(ownSettings && { ownSettings }),
    facts,
    open: (config, secret, reach, signal) => openSession(server, { config, secret, reach }, signal),
  });
}

/** Connects and returns the session of the kind. Failures are thrown as problems. */
async function openSession<Schema extends z.ZodObject, Connection extends { close(): Promise<void> }>(
  server: ServerType<Schema, Connection>,
  { config, secret, reach }: { config: z.output<Schema>; secret: string | undefined; reach: Reach },
  signal: AbortSignal | undefined,
): Promise<TargetSession> {
  const { ask } = server;
  const withProblem = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      const where = server.where(config);
      throw server.problem(error, reach.through === undefined ? where : { ...where, through: reach.through }, config);
    }
  };
  const connected = await withProblem(() => server.connect(config, secret, reach, signal));
  const { connection } = connected;
  const {
    run,
    table,
    identity,
    room,
    sampler: samplerOf,
    samplesOnHost,
    statementsOnHost,
    settingsControl: control,
  } = ask;
  let sample: (() => Promise<ServerSample>) | undefined;
  /** A server that still responds afterwards refused the statement; otherwise the connection failed. */
  const refused = async (error: unknown): Promise<never> => {
    await withProblem(async () => {
      if (!server.isRefusal(error)) throw error;
      await ask.ping(connection).catch(() => Promise.reject(error));
    });
    throw refusedStatement(error, server.where(config));
  };
  const session: TargetSession = {
    ping: () =>
      withProblem(async () => {
        const start = performance.now();
        await ask.ping(connection);
        return performance.now() - start;
      }),
    describe: () => withProblem(() => ask.describe(connected, config)),
    ...(identity && { identity: () => withProblem(() => identity(connection)) }),
    counters: () => withProblem(() => ask.counters(connection)),
    countRows: (table) => withProblem(() => ask.countRows(connection, table)),
    ...(run && { run: (statement) => run(connection, statement).then(plainValue, refused) }),
    ...(samplerOf && {
      sample: () =>
        withProblem(() => {
          sample ??= samplerOf(connection);
          return sample();
        }),
    }),
    ...(samplesOnHost && { samplesOnHost: () => withProblem(() => samplesOnHost(connection, config, secret)) }),
    ...(statementsOnHost && {
      statementsOnHost: (statements) => withProblem(() => statementsOnHost(connection, config, secret, statements)),
    }),
    ...(table && {
      sampleStatement: (statement) => table(connection, statement).then(figuresOf, refused),
      readTable: (statement, { first, writes = false } = {}) =>
        table(connection, statement, { first, writes }).catch(refused),
    }),
    settings: () => withProblem(() => ask.settings(connection)),
    sizes: () => withProblem(() => ask.sizes(connection)),
    ...(room && { room: () => withProblem(() => room(connection)) }),
    stored: () => withProblem(() => ask.stored(connection)),
    firstRows: (table, most) => withProblem(() => ask.firstRows(connection, table, most)),
    sessions: () => withProblem(() => ask.sessions(connection)),
    ...(control && {
      settingsControl: () => withProblem(async () => controlWithProblems(withProblem, await control(connection))),
    }),
    close: () => connection.close(),
  };
  return session;
}

type WithProblem = <Value>(work: () => Promise<Value>) => Promise<Value>;

const controlWithProblems = (withProblem: WithProblem, control: SettingsControl): SettingsControl => ({
  look: (names) => withProblem(() => control.look(names)),
  set: (values) => withProblem(() => control.set(values)),
  restore: (first) => withProblem(() => control.restore(first)),
  changeable: () => withProblem(() => control.changeable()),
  inMemory: () => withProblem(() => control.inMemory()),
  ofTables: (settings, tables) => withProblem(() => control.ofTables(settings, tables)),
  shared: () => withProblem(() => control.shared()),
});

const plainValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : Buffer.isBuffer(value) ? value.toString() : String(value);

/**
 * Connects with the TLS that the mode requires. Only `preferred` may continue without TLS, and only if it is not available. `impossible` returns the
 * reason from the error of an attempt, and undefined for every other error.
 */
export async function connectWithTls<Connection, Encryption>(
  mode: 'disabled' | 'preferred' | 'required' | 'verify',
  encryption: Encryption | undefined,
  impossible: (error: unknown) => string | undefined,
  attempt: (encryption: Encryption | undefined) => Promise<Connection>,
): Promise<Connected<Connection>> {
  try {
    return { connection: await attempt(encryption), downgraded: undefined };
  } catch (error) {
    const why = mode === 'preferred' ? impossible(error) : undefined;
    if (why === undefined) throw error;
    return { connection: await attempt(undefined), downgraded: why };
  }
}
