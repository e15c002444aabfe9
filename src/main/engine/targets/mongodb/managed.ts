import { badManaged, fitsSocket, oneLine } from '../settings-format.ts';
import type { ManagedHost, ManagedSpec, ManagedType } from '../target.ts';
import { type MongoConfig, readUrl } from './connection.ts';

/** Options by their names in mongod's configuration file: `storage.wiredTiger.engineConfig.cacheSizeGB`. */
type Tree = Map<string, string | Tree>;

function place(tree: Tree, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    tree.set(name, value);
    return;
  }
  const below = tree.get(name);
  const next: Tree = below instanceof Map ? below : new Map();
  tree.set(name, next);
  place(next, rest, value);
}

/** YAML: strings double-quoted as in JSON, numbers and booleans plain. */
function yaml(tree: Tree, indent = ''): string {
  return [...tree]
    .map(([name, value]) => {
      if (value instanceof Map) return `${indent}${name}:\n${yaml(value, `${indent}  `)}`;
      return `${indent}${name}: ${/^(-?\d+(\.\d+)?|true|false)$/.test(value) ? value : JSON.stringify(value)}\n`;
    })
    .join('');
}

/** Path of a name in the tree. Names without dots are parameters. */
const pathOf = (name: string): string[] => {
  if (!/^[A-Za-z][A-Za-z0-9_.]*$/.test(name) || name.includes('..') || name.endsWith('.'))
    throw badManaged(`mongod has no setting “${name}”.`, 'Correct the settings of the target.');
  return name.includes('.') ? name.split('.') : ['setParameter', name];
};

function configuration({ config, settings }: ManagedSpec<MongoConfig>, { folder }: ManagedHost): string {
  const { seeds } = readUrl(config.url);
  const [seed] = seeds;
  if (config.user !== '' || seeds.length !== 1 || seed === undefined || seed.socket !== '') {
    throw badManaged(
      'A managed mongod is a single member with one address and no accounts.',
      'Give the URL one address with its port, and leave the user empty.',
    );
  }
  const tree: Tree = new Map();
  const set = (name: string, value: string): void => place(tree, pathOf(name), oneLine(`The setting ${name}`, value));
  set('storage.dbPath', `${folder}/data`);
  set('net.bindIp', seed.address);
  set('net.port', String(seed.port));
  const sockets = fitsSocket(`${folder}/mongodb-${seed.port}.sock`);
  set('net.unixDomainSocket.enabled', String(sockets));
  if (sockets) set('net.unixDomainSocket.pathPrefix', folder);
  for (const [name, value] of Object.entries(settings)) set(name, value);
  return yaml(tree);
}

/** mongod, according to its documentation: options in YAML, log on standard output. It requires no password. */
export const managedMongo: ManagedType<MongoConfig> = {
  programs: ['mongod'],
  folders: ['/usr/sbin', '/usr/local/sbin', '/opt/mongodb/bin', '/usr/local/mongodb/bin'],
  needsPassword: false,
  signals: () => ({ end: 'TERM' }),
  plan: (spec, host) => ({
    product: 'mongodb',
    files: [{ name: 'mongod.conf', content: configuration(spec, host) }],
    script: 'mkdir -p data || exit 1\nexec "$program" --config "$folder/mongod.conf"',
    accountsForRoot: [],
  }),
};
