import type { Document } from 'mongodb';
import { refused } from '../failure.ts';
import type { Obstacle, SettingsControl, SharedUse, VariedSetting } from '../target.ts';
import type { MongoConnection } from './connection.ts';
import { CODES, isRefusal, mongoCode } from './failure.ts';
import { mongoProduct, responseTo, wordsOfValue } from './settings.ts';

const NO_RIGHTS = 'Grant the account of the target the role clusterManager or hostManager.';

async function execute(connection: MongoConnection, name: string, value: unknown): Promise<void> {
  try {
    await connection.command('admin', { setParameter: 1, [name]: value });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refused([name], error, mongoCode(error) === CODES.unauthorized ? NO_RIGHTS : undefined);
  }
}

/** Converts a value to the type of the current parameter: “4” for a number is 4. */
function asPresent(value: string, present: unknown): unknown {
  if (typeof present === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  if (typeof present === 'boolean') return /^(?:true|on|yes|1)$/i.test(value);
  if (typeof present !== 'object' || present === null) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function parameters(connection: MongoConnection): Promise<ReadonlyMap<string, Document>> {
  const detailed = await responseTo(connection, { getParameter: { showDetails: true, allParameters: true } });
  return new Map(
    Object.entries(detailed ?? {}).filter(
      (entry): entry is [string, Document] => isDocument(entry[1]) && 'value' in entry[1],
    ),
  );
}

const atStart = (name: string): Obstacle => ({
  message: `“${name}” takes effect only at server start, and MongoDB has no settings file that Kneepoint could write.`,
  next: 'Start the server with each value, and vary the target.',
});

const withoutParameters = (product: string): Obstacle => ({
  message: `${product} has no setParameter: none of its settings can be changed while it runs.`,
  next: 'Start the server with each value, and vary the target.',
});

const unknown = (name: string, obstacle: Obstacle): VariedSetting => ({
  name,
  value: '',
  effect: 'live',
  keptIn: 'memory',
  obstacle,
  undo: {},
  against: () => undefined,
});

async function look(
  connection: MongoConnection,
  names: readonly string[],
): Promise<readonly (VariedSetting | undefined)[]> {
  const { product } = mongoProduct(await connection.command('admin', { buildInfo: 1 }));
  if (product === 'FerretDB') return names.map((name) => unknown(name, withoutParameters(product)));
  const found = await parameters(connection);
  return names.map((name): VariedSetting | undefined => {
    const about = found.get(name);
    if (!about) return undefined;
    const atOnce = about.settableAtRuntime === true;
    return {
      ...unknown(name, atStart(name)),
      value: wordsOfValue(about.value),
      effect: atOnce ? 'live' : about.settableAtStartup === true ? 'restart' : 'fixed',
      obstacle: atOnce ? undefined : atStart(name),
    };
  });
}

async function set(connection: MongoConnection, values: ReadonlyMap<string, string>): Promise<void> {
  const found = await parameters(connection);
  for (const [name, value] of values) await execute(connection, name, asPresent(value, found.get(name)?.value));
}

async function shared(connection: MongoConnection): Promise<SharedUse> {
  const { hosts, me } = connection.hello;
  const others = Array.isArray(hosts) ? hosts.filter((host) => host !== me) : [];
  const up: unknown = (await responseTo(connection, { serverStatus: 1 }))?.uptime;
  return {
    clients: [],
    replicas: others.map((host) => `the member ${String(host)} of its replica set`),
    upSeconds: typeof up === 'number' ? up : undefined,
  };
}

export const mongoControl = (connection: MongoConnection): Promise<SettingsControl> =>
  Promise.resolve({
    look: (names) => look(connection, names),
    set: (values) => set(connection, values),
    restore: (first) => set(connection, new Map(first.map(({ name, value }) => [name, value]))),
    changeable: async () => {
      const found = await parameters(connection);
      const names = [...found].flatMap(([name, about]) => (about.settableAtRuntime === true ? [name] : []));
      return (await look(connection, names)).filter((setting) => setting !== undefined);
    },
    // The server does not report which parameters were set since its start.
    inMemory: () => Promise.resolve(new Map()),
    ofTables: () => Promise.resolve(new Map()),
    shared: () => shared(connection),
  });
