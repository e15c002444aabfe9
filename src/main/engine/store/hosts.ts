import type { Host, HostFacts, HostKey, HostSpec, TunnelSpec } from '../../../shared/model/host.ts';
import type { Connection } from './connection.ts';
import { guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, named, toJson } from './rows.ts';
import type { HostRows } from './store.ts';

const HOST = `SELECT id, spec, created_at, EXISTS (SELECT 1 FROM secret WHERE owner = 'host:' || host.id) AS has_secret FROM host`;
const QUERIES = {
  list: `${HOST} ORDER BY name <> 'this computer', name COLLATE NOCASE`,
  get: `${HOST} WHERE id = ?`,
  byName: `${HOST} WHERE name = ?`,
  insert: 'INSERT INTO host (name, spec, created_at) VALUES (?, ?, ?)',
  update: 'UPDATE host SET name = ?, spec = ? WHERE id = ?',
  remove: 'DELETE FROM host WHERE id = ?',
  removeSecret: 'DELETE FROM secret WHERE owner = ?',
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

interface Row {
  id: number;
  spec: string;
  created_at: number;
  has_secret: number;
}
const toHost = (row: Row): Host => ({
  id: row.id,
  spec: fromJson<HostSpec>(row.spec),
  hasSecret: row.has_secret === 1,
  createdAt: row.created_at,
});

export function hostRows(connection: Connection): HostRows {
  const { db, write } = connection;
  const list = db.prepare<[], Row>(QUERIES.list);
  const byId = db.prepare<[number], Row>(QUERIES.get);
  const byName = db.prepare<[string], Row>(QUERIES.byName);
  const insert = db.prepare<[string, string, number]>(QUERIES.insert);
  const update = db.prepare<[string, string, number]>(QUERIES.update);
  const remove = db.prepare<[number]>(QUERIES.remove);
  const removeSecret = db.prepare<[string]>(QUERIES.removeSecret);
  const facts = db.prepare<[number], { facts: string | null }>(QUERIES.facts);
  const setFacts = db.prepare<[string, number]>(QUERIES.setFacts);

  const existing = (id: number): Host => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('host', id);
    return toHost(row);
  };
  return guarded<HostRows>(connection, {
    list: () => list.all().map(toHost),
    get: (id) => {
      const row = byId.get(id);
      return row && toHost(row);
    },
    byName: (name) => {
      const row = byName.get(name);
      return row && toHost(row);
    },
    insert: (spec, at) =>
      write(() =>
        existing(Number(named('host', spec.name, () => insert.run(spec.name, toJson(spec), at)).lastInsertRowid)),
      ),
    update: (id, spec) =>
      write(() => {
        existing(id);
        named('host', spec.name, () => update.run(spec.name, toJson(spec), id));
        return existing(id);
      }),
    remove: (id) =>
      write(() => {
        existing(id);
        removeSecret.run(`host:${id}`);
        remove.run(id);
      }),
    facts: (id) => {
      const text = facts.get(id)?.facts;
      return typeof text === 'string' ? fromJson<HostFacts>(text) : undefined;
    },
    setFacts: (id, value) =>
      write(() => {
        existing(id);
        setFacts.run(toJson(value), id);
      }),
    ...keyRows(connection),
    ...tunnelRows(connection),
  });
}

function keyRows({ db, write }: Connection): Pick<HostRows, 'key' | 'setKey' | 'removeKey'> {
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

type TunnelRows = Pick<HostRows, 'tunnels' | 'insertTunnel' | 'updateTunnel' | 'removeTunnel'>;
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
