import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  fetchMySql,
  freePort,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { startSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import type { TargetSpec } from '../../../../shared/model/target.ts';
import { byDay, NIGHT } from '../../../../shared/util/testing/depth.ts';
import { createTestLibrary, problemFrom, specOf } from '../../hosts/testing/library.ts';
import { createShellMachine } from '../../jobs/testing/shell-machine.ts';
import { createServersBed, type ServersBed, settingOf } from '../testing/bed.ts';

const signal = new AbortController().signal;
const MYSQL = fileURLToPath(new URL('../../../../../.cache/testbed/mysql-8.0.12-programs/bin/mysqld', import.meta.url));
const ACCOUNT = { user: 'bench', password: 'it\'s \\a "pass" word', database: 'bench-db' };

interface Product {
  readonly name: string;
  readonly kind: string;
  readonly program: string;
  readonly settings: Readonly<Record<string, string | number>>;
  /** A setting, its first value and another, as reported by the server. */
  readonly varied: { name: string; first: string; other: string };
  /** A setting that prevents the start, and a word in its log then. */
  readonly bad: { settings: Readonly<Record<string, string>>; word: string };
}

const SMALL = { innodb_buffer_pool_size: '64M', innodb_log_file_size: '16M', performance_schema: 'OFF' };
const PRODUCTS: readonly Product[] = [
  {
    name: 'MariaDB',
    kind: 'mysql',
    program: 'mariadbd',
    settings: { ...SMALL, innodb_page_size: '8k' },
    varied: { name: 'max_connections', first: '40', other: '41' },
    bad: { settings: { no_such_setting: '1' }, word: 'no_such_setting' },
  },
  {
    name: 'MySQL 8.0',
    kind: 'mysql',
    program: MYSQL,
    settings: { ...SMALL, mysqlx: 'OFF' },
    varied: { name: 'max_connections', first: '40', other: '41' },
    bad: { settings: { no_such_setting: '1' }, word: 'no_such_setting' },
  },
  {
    name: 'PostgreSQL',
    kind: 'postgres',
    program: 'postgres',
    settings: { fsync: 'off' },
    varied: { name: 'max_connections', first: '40', other: '41' },
    bad: { settings: { shared_buffers: 'plenty' }, word: 'shared_buffers' },
  },
  {
    name: 'PgBouncer',
    kind: 'postgres',
    program: 'pgbouncer',
    settings: { pool_mode: 'transaction' },
    varied: { name: 'default_pool_size', first: '7', other: '9' },
    bad: { settings: { pool_mode: 'sometimes' }, word: 'sometimes' },
  },
];

/** Managed servers of other products are in watched-events.test.ts, durability.test.ts and pooler.test.ts. */
const products = byDay(PRODUCTS, ({ name }) => name === 'PostgreSQL');

describe('managed servers', () => {
  /** Server behind the pooler. */
  let upstream: DatabaseServer | undefined;
  let root: string;
  const machine = () =>
    createShellMachine('db1', '/bin/sh', { PATH: '/usr/bin:/bin', HOME: root, XDG_STATE_HOME: join(root, 'state') });

  beforeAll(async () => {
    if (NIGHT) await fetchMySql();
    if (products.some(({ name }) => name === 'PgBouncer')) upstream = await startPostgres();
    root = mkdtempSync(join(tmpdir(), 'kneepoint-managed-'));
    chmodSync(root, 0o755);
    mkdirSync(join(root, 'state'), { mode: 0o755 });
  });
  afterAll(async () => {
    await upstream?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** A library with the target, and with the upstream that a pooler needs. */
  async function library(
    product: Product,
    port: number,
    settings: Record<string, string | number> = {},
  ): Promise<ServersBed> {
    const bed = createServersBed({ db1: machine() });
    const behind = product.name === 'PgBouncer' ? upstream : undefined;
    if (behind) {
      const { address, port: own, user, database, password } = behind;
      bed.save({ name: 'up', kind: 'postgres', config: { address, port: own, user, database } }, password, {
        host: 'db1',
      });
    }
    const account = behind ?? ACCOUNT;
    const spec: Omit<TargetSpec, 'via' | 'server'> = {
      name: `bench ${product.name}`,
      kind: product.kind,
      config: { address: '127.0.0.1', port, user: account.user, database: account.database },
      ...(behind && { behind: 'up' }),
    };
    bed.save(spec, account.password, {
      host: 'db1',
      limitSeconds: 60,
      control: {
        kind: 'managed',
        program: product.program,
        folder: join(root, product.name),
        settings: { ...product.settings, [product.varied.name]: product.varied.first, ...settings },
      },
    });
    return bed;
  }

  async function versionOf(bed: ServersBed, product: Product): Promise<string | undefined> {
    const target = `bench ${product.name}`;
    if (product.name !== 'PgBouncer') return settingOf(bed, target, product.varied.name);
    const session = await bed.connect(target);
    try {
      return (await session.describe()).middleware?.settings.find(({ name }) => name === product.varied.name)?.value;
    } finally {
      await session.close();
    }
  }

  const jobs = () => readdirSync(join(root, 'state', 'kneepoint', 'jobs'));
  const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8').trim();
  function present(product: Product) {
    const generation = read(product.name, 'generation');
    const id = /^id (\S+)$/m.exec(read(product.name, 'server'))?.[1];
    const job = join('state', 'kneepoint', 'jobs', `server-${id}-${generation}`);
    return { generation, job, pid: Number(read(job, 'tool').split(' ')[0]) };
  }

  for (const product of products) {
    describe(product.name, () => {
      let port: number;
      let bed: ServersBed;
      const server = () => bed.server(`bench ${product.name}`);
      beforeAll(async () => {
        port = await freePort();
        bed = await library(product, port);
      });
      afterAll(async () => {
        await server().stop(signal);
      });

      test('starts once for two libraries, with account and database', async () => {
        const other = await library(product, port);
        expect(await server().state(signal)).toBe('stopped');
        await Promise.all([server().start(signal), other.server(`bench ${product.name}`).start(signal)]);
        await server().start(signal);
        expect(await server().state(signal)).toBe('running');
        expect(await other.server(`bench ${product.name}`).state(signal)).toBe('running');
        expect(await versionOf(bed, product)).toBe(product.varied.first);
        expect(present(product).generation).toBe('1');
        expect(existsSync(join(root, present(product).job, 'secret', 'accounts.sql'))).toBe(false);
      });

      test('is restarted with other settings, and without them again', async () => {
        await server().settingsFile?.write({ [product.varied.name]: product.varied.other });
        await server().restart(signal);
        expect(await versionOf(bed, product)).toBe(product.varied.other);
        await server().settingsFile?.write({});
        await server().restart(signal);
        expect(await versionOf(bed, product)).toBe(product.varied.first);
      });

      test('is stopped after it was killed, and starts again', async () => {
        const killed = present(product).job;
        await server().kill?.(signal);
        expect(await server().state(signal)).toBe('stopped');
        expect(read(killed, 'end')).toMatch(/^code 137$/m);
        await server().start(signal);
        expect(await versionOf(bed, product)).toBe(product.varied.first);
      });

      test('reports its log if it does not start with a setting', async () => {
        await server().settingsFile?.write(product.bad.settings);
        const problem = await problemFrom(server().restart(signal));
        expect(problem).toMatchObject({ code: 'server-not-back', host: 'db1', target: `bench ${product.name}` });
        expect(problem.message).toContain(product.bad.word);
        expect(await server().state(signal)).toBe('stopped');
        await server().settingsFile?.write({});
        await server().start(signal);
        expect(await server().state(signal)).toBe('running');
      });

      test('shuts down cleanly when stopped, also twice', async () => {
        await server().stop(signal);
        await server().stop(signal);
        expect(await server().state(signal)).toBe('stopped');
        expect(read(present(product).job, 'end')).not.toMatch(/^code 137$/m);
        expect(existsSync(join(root, product.name, 'secret'))).toBe(false);
        expect(bed.warnings).toEqual([]);
        expect(jobs().filter((job) => present(product).job.includes(job.slice(0, 31))).length).toBeLessThanOrEqual(2);
      });
    });
  }

  describe('servers that cannot be started', () => {
    const mariadb = PRODUCTS[0] as Product;
    const place = (
      more: Record<string, unknown>,
      config: Record<string, unknown> = {},
      password = ACCOUNT.password,
    ) => {
      const bed = createServersBed({ db1: machine() });
      bed.save(
        { name: 'other', kind: 'mysql', config: { user: ACCOUNT.user, database: ACCOUNT.database, ...config } },
        password,
        { host: 'db1', control: { kind: 'managed', program: mariadb.program, folder: join(root, 'other'), ...more } },
      );
      return bed.server('other');
    };
    const refusal = async (work: Promise<unknown>) => {
      const { code, message } = await problemFrom(work);
      return `${code}: ${message}`;
    };

    test('a folder with other contents is not touched', async () => {
      const folder = join(root, 'foreign');
      mkdirSync(folder);
      writeFileSync(join(folder, 'ibdata1'), 'theirs');
      const server = place({ folder });
      expect(await refusal(server.start(signal))).toMatch(/^change-not-possible: .*foreign on db1 is not empty/);
      expect(readdirSync(folder)).toEqual(['ibdata1']);
    });

    test('the folder of another target is refused', async () => {
      const [{ name }] = products as [Product];
      const server = place({ folder: join(root, name) });
      expect(await refusal(server.state(signal))).toContain(`holds the server of target “bench ${name}”`);
    });

    test('a port in use is named', async () => {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      expect(await refusal(place({}, { port }).start(signal))).toMatch(
        new RegExp(`^change-not-possible: Port ${port} on db1 is taken`),
      );
      listener.close();
      expect(existsSync(join(root, 'other'))).toBe(false);
    });

    test('a missing program, an account without a password, a pooler without a server', async () => {
      const port = await freePort();
      expect(await refusal(place({ program: 'nosuchd' }, { port }).start(signal))).toContain(
        'nosuchd was not found on db1',
      );
      expect(await refusal(place({}, { port }, '').start(signal))).toMatch(/^secret-missing: /);
      const bed = createServersBed({ db1: machine() });
      bed.save({ name: 'pool', kind: 'postgres', config: { port, user: 'u', database: 'd' } }, 'pw', {
        host: 'db1',
        control: { kind: 'managed', program: 'pgbouncer', folder: join(root, 'pool') },
      });
      expect(await refusal(bed.server('pool').start(signal))).toMatch(
        /^bad-request: A managed PgBouncer needs a server/,
      );
    });

    test('PostgreSQL as root in a folder inaccessible to its account', async () => {
      const closed = join(root, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const bed = createServersBed({ db1: machine() });
      const port = await freePort();
      bed.save({ name: 'pg', kind: 'postgres', config: { port, user: 'u', database: 'd' } }, 'pw', {
        host: 'db1',
        control: { kind: 'managed', program: 'postgres', folder: join(closed, 'pg') },
      });
      expect(await refusal(bed.server('pg').start(signal))).toMatch(
        /^change-not-possible: The program does not run as root but as postgres, and postgres cannot reach/,
      );
    });
  });

  test('a lost link during a restart: the server starts again, once', async () => {
    const sshd = await startSshd();
    const hosts = createTestLibrary();
    hosts.save(specOf('far', sshd));
    hosts.trustServer(sshd);
    const bed = createServersBed({ far: hosts.machines.get('far') });
    const folder = join(sshd.home, 'server');
    const port = await freePort();
    bed.save(
      { name: 'far db', kind: 'mysql', config: { port, user: ACCOUNT.user, database: ACCOUNT.database } },
      ACCOUNT.password,
      {
        host: 'far',
        control: { kind: 'managed', program: 'mariadbd', folder, settings: SMALL },
      },
    );
    const server = bed.server('far db');
    try {
      await server.start(signal);
      const restarted = server.restart(signal);
      for (const generation of ['1', '2']) {
        await expect.poll(() => readFileSync(join(folder, 'generation'), 'utf8').trim()).toBe(generation);
        sshd.signalSessions('SIGKILL');
      }
      await restarted;
      expect(await server.state(signal)).toBe('running');
      expect(readFileSync(join(folder, 'generation'), 'utf8').trim()).toBe('2');
    } finally {
      await server.stop(signal);
      await hosts.machines.close();
      await sshd.close();
    }
  });
});
