import {
  type HostFacts,
  type HostKey,
  type HostSpec,
  LOCAL_HOST_NAME,
  type TunnelSpec,
} from '../../../../shared/model/host.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { type NamedThings, namedThings } from './named-things.ts';
import { fromJson, named, toJson } from './rows.ts';

/** `list` starts with this computer (created by the first migration). */
export interface HostRows extends NamedThings<HostSpec>, HostKeyRows, TunnelRows {
  facts(id: number): HostFacts | undefined;
  setFacts(id: number, facts: HostFacts): void;
}

/** Known host keys by address and port. */
interface HostKeyRows {
  key(address: string, port: number): HostKey | undefined;
  setKey(key: HostKey, at: number): void;
  removeKey(address: string, port: number): void;
}

interface TunnelRows {
  tunnels(): { id: number; spec: TunnelSpec }[];
  insertTunnel(spec: TunnelSpec): number;
  updateTunnel(id: number, spec: TunnelSpec): void;
  removeTunnel(id: number): void;
}

const QUERIES = {
  facts: 'SELECT facts FROM host WHERE id = ?',
  setFacts: 'UPDATE host SET facts = ? WHERE id = ?',
  key: 'SELECT key FROM host_key WHERE address = ? AND port = ?',
  setKey: 'INSERT OR REPLACE INTO host_key (address, port, key, set_at) VALUES (?, ?, ?, ?)',
  removeKey: 'DELETE FROM host_key WHERE address = ? AND port = ?',
  tunnels: 'SELECT id, spec FROM tunnel ORDER BY id',
  insertTunnel: 'INSERT INTO tunnel (name, spec) VALUES (?, ?)',
  updateTunnel: 'UPDATE tunnel SET name = ?, spec = ? WHERE id = ?',
  removeTunnel: 'DELETE FROM tunnel WHERE id = ?',
};

const isOther = ({ name }: HostSpec): boolean => name !== LOCAL_HOST_NAME;

export function hostRows(connection: Connection): HostRows {
  const { db, write } = connection;
  const hosts = namedThings<HostSpec>(connection, 'host');
  const facts = db.prepare<[number], { facts: string | null }>(QUERIES.facts);
  const setFacts = db.prepare<[string, number]>(QUERIES.setFacts);

  return guarded<HostRows>(connection, {
    ...hosts,
    list: () => hosts.list().toSorted((one, other) => Number(isOther(one.spec)) - Number(isOther(other.spec))),
    facts: (id) => {
      const text = facts.get(id)?.facts;
      return typeof text === 'string' ? fromJson<HostFacts>(text) : undefined;
    },
    setFacts: (id, value) =>
      write(() => {
        if (setFacts.run(toJson(value), id).changes === 0) throw notFound('host', id);
      }),
    ...keyRows(connection),
    ...tunnelRows(connection),
  });
}

function keyRows({ db, write }: Connection): HostKeyRows {
  const get = db.prepare<[string, number], { key: string }>(QUERIES.key);
  const set = db.prepare<[string, number, string, number]>(QUERIES.setKey);
  const remove = db.prepare<[string, number]>(QUERIES.removeKey);
  return {
    key: (address, port) => {
      const row = get.get(address, port);
      return row && fromJson<HostKey>(row.key);
    },
    setKey: (key, at) => {
      write(() => set.run(key.address, key.port, toJson(key), at));
    },
    removeKey: (address, port) => {
      write(() => remove.run(address, port));
    },
  };
}

function tunnelRows({ db, write }: Connection): TunnelRows {
  const list = db.prepare<[], { id: number; spec: string }>(QUERIES.tunnels);
  const insert = db.prepare<[string, string]>(QUERIES.insertTunnel);
  const update = db.prepare<[string, string, number]>(QUERIES.updateTunnel);
  const remove = db.prepare<[number]>(QUERIES.removeTunnel);
  return {
    tunnels: () => list.all().map((row) => ({ id: row.id, spec: fromJson<TunnelSpec>(row.spec) })),
    insertTunnel: (spec) =>
      write(() => Number(named('tunnel', spec.name, () => insert.run(spec.name, toJson(spec))).lastInsertRowid)),
    updateTunnel: (id, spec) => {
      const { changes } = write(() => named('tunnel', spec.name, () => update.run(spec.name, toJson(spec), id)));
      if (changes === 0) throw notFound('tunnel', id);
    },
    removeTunnel: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound('tunnel', id);
    },
  };
}
