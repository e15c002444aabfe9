import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { aloneWithKernel } from '../testbed/alone.ts';
import { type DatabaseServer, freePort, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const THP = '/sys/kernel/mm/transparent_hugepage/enabled';

/** Not in a container. */
function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!canMakeNetworks() || lacks('tc', 'sysbench') !== '')(
  'a database host with a network of its own',
  () => {
    let bed: HostsBed;
    let server: DatabaseServer;
    beforeAll(async () => {
      bed = await startHostsBed(['load', 'db']);
      const { address, namespace = '' } = bed.host('db');
      const port = await freePort('127.0.0.1');
      server = await startMariaDb({ address, port, prefix: ['ip', 'netns', 'exec', namespace] });
      const { user, database, password } = server;
      const config = { address, port, user, database, allowCleartextPassword: true };
      const place = { host: 'db', control: { kind: 'none' } } as const;
      await bed.addTarget({ name: 'mariadb', kind: 'mysql', via: 'db', config, server: place }, password);
    });
    afterAll(async () => {
      await server?.stop();
      await bed?.close();
    });

    /** Queried without Kneepoint. */
    const inside = (...argv: string[]): string =>
      execFileSync('ip', ['netns', 'exec', bed.host('db').namespace ?? '', ...argv], { encoding: 'utf8' });
    const queue = (): string => inside('tc', 'qdisc', 'show', 'dev', 'eth0');

    it('answers as fast as its network rate lets it, and has its rate back afterwards', async () => {
      const text = `kneepoint: 1
name: Slow and fast network
workload: { tool: sysbench, options: { script: oltp_read_only, tables: 1, table-size: 1000, threads: 4, skip-trx: true } }
where: { generators: [load], target: mariadb }
factors:
  - { name: rate, kind: host-setting, setting: nic-rate, of: eth0, levels: [2mbit, 8mbit, none] }
measure: { duration: 3 }
`;
      const first = queue();
      const seen: unknown[] = [];
      const { session, runs } = await runSession(bed.client, text, async ({ levels }) => {
        seen.push([levels.rate, /\brate (\w+)/.exec(queue())?.[1]]);
      });
      expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 3, trialsFailed: 0 });
      expect(seen).toEqual([
        ['2mbit', '2Mbit'],
        ['8mbit', '8Mbit'],
        ['none', undefined],
      ]);
      expect(runs.map(({ facts }) => facts?.map(({ place, what, found }) => [place.name, what, found]))).toEqual(
        ['2mbit', '8mbit', 'none'].map((found) => [['db', 'nic-rate eth0', found]]),
      );
      // A transaction always reads the same amount, so tps is proportional to the network rate.
      const [slow = 0, fast = 0, free = 0] = runs.map(({ summary }) => summary.tps ?? 0);
      expect(fast / slow).toBeGreaterThan(3);
      expect(fast / slow).toBeLessThan(5);
      // How much more depends on other load on the machine.
      expect(free / fast).toBeGreaterThan(1.5);
      expectSame('the queue of the network interface', queue(), first);
      expectSame('changes that are not put back', await bed.client.changes.list({}), []);
    });

    atNight(it)('gives programs huge pages where the level says so, and its kernel is as it was afterwards', () =>
      aloneWithKernel(async () => {
        const text = `kneepoint: 1
name: Huge pages
workload:
  tool: command
  options:
    command: |
      perl -e '$| = 1; my $x = "x" x (64 << 20); open my $f, "<", "/proc/self/smaps_rollup";
        while (<$f>) { print "huge $1\\n" if /^AnonHugePages: *([0-9]+)/ } print "1 ops=1\\n"; sleep 2'
    pattern: '^(?<t>\\d+) ops=(?<ops>\\d+)'
    metrics: ops = ops
    final-pattern: 'huge (?<huge>\\d+)'
where: { generators: [db] }
factors: [{ name: thp, kind: host-setting, setting: transparent-hugepages, on: generators, levels: [always, never] }]
measure: { duration: 2 }
`;
        const first = readFileSync(THP, 'utf8');
        if (!isWritable(THP)) {
          const message = expect.stringMatching(/read-only on db even for root|requires root/);
          await expect(bed.client.sessions.start({ text })).rejects.toMatchObject({
            problem: { code: 'preflight-refused', message, safe: 'Nothing was started.' },
          });
          return;
        }
        const seen: unknown[] = [];
        const { session, runs } = await runSession(bed.client, text, async ({ levels }) => {
          seen.push([levels.thp, /\[(\w+)\]/.exec(readFileSync(THP, 'utf8'))?.[1]]);
        });
        expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
        expect(seen).toEqual([
          ['always', 'always'],
          ['never', 'never'],
        ]);
        const [always, never] = runs;
        expect([always, never].map((run) => run?.facts?.map(({ found }) => found))).toEqual([['always'], ['never']]);
        expect(always?.summary.huge).toBeGreaterThan(0);
        expect(never?.summary.huge).toBe(0);
        expectSame('huge pages of the kernel', readFileSync(THP, 'utf8'), first);
      }),
    );
  },
);
