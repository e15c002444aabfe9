/** The parts of a MongoDB URL that are ours to use; accounts and TLS have fields of their own. */
export interface MongoUrl {
  /** In the order given; a Unix socket has a path in place of address and port. */
  seeds: readonly { address: string; port: number; socket: string }[];
  /** Empty: none named. */
  database: string;
  options: ReadonlyMap<string, string>;
}

const PORT = 27_017;
const URL = /^mongodb:\/\/([^/?#@\s]+)(?:\/([^/?#\s]*))?(?:\?([^#\s]*))?$/;
const SEED = /^(?:\[([A-Fa-f0-9:.%]+)\]|([A-Za-z0-9_][A-Za-z0-9._-]*))(?::(\d{1,5}))?$/;
/** What must not come in by the back door: it would weaken TLS or carry a secret. */
const ELSEWHERE = /^(tls|ssl|auth|proxy|username|password|srv)/i;

/** What is wrong with a URL, as a sentence; undefined: nothing. */
export function urlProblem(text: string): string | undefined {
  if (/^mongodb\+srv:/i.test(text))
    return 'Name the members themselves: mongodb+srv is looked up by each program for itself.';
  if (text.includes('@')) return 'User and password have separate fields.';
  const match = URL.exec(text);
  if (!match) return 'A URL such as mongodb://db1:27017,db2:27017/?replicaSet=rs0.';
  for (const seed of (match[1] ?? '').split(',')) {
    const port = Number(SEED.exec(seed)?.[3] ?? PORT);
    const known = isSocket(seed) || (SEED.test(seed) && port >= 1 && port <= 65_535);
    if (!known) return `“${seed}” is no address with a port.`;
  }
  const other = [...new URLSearchParams(match[3]).keys()].find((name) => ELSEWHERE.test(name));
  return other === undefined ? undefined : `${other} has a separate field, or is not used here.`;
}

const isSocket = (seed: string): boolean => /^%2F.*\.sock$/i.test(seed);

/** Of a URL that has no problem. */
export function readUrl(text: string): MongoUrl {
  const [, seeds = '', database = '', options] = URL.exec(text) ?? [];
  return {
    seeds: seeds.split(',').map(seedOf),
    database: decodeURIComponent(database),
    options: new Map(new URLSearchParams(options)),
  };
}

/** `db1:27017`, as URLs and servers write it. */
export function seedOf(seed: string): MongoUrl['seeds'][number] {
  if (isSocket(seed)) return { address: 'localhost', port: PORT, socket: decodeURIComponent(seed) };
  const [, inBrackets, plain, port] = SEED.exec(seed) ?? [];
  return { address: inBrackets ?? plain ?? seed, port: Number(port ?? PORT), socket: '' };
}
