import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SshHostSpec } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';

const program = (): MonitorProgram => ({
  ...{ job: { argv: ['watch'], env: {}, files: [] }, rules: [], keepsOutput: false },
  parser: () => ({ unread: 0, line: () => undefined }),
});

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
  bed.monitors = { host: program, command: program, servers: true };
  const two: SshHostSpec = {
    kind: 'ssh',
    name: 'two',
    address: 'two',
    port: 22,
    user: 'u',
    auth: { method: 'agent' },
    jumps: [],
  };
  bed.store.hosts.insert(two, bed.now);
});
afterEach(() => bed.close());

const document = (monitors: string, target?: string): string => `kneepoint: 1
name: Of a test
workload: { tool: fake, options: { rows: ${target === undefined ? 0 : 1} } }
where: { generators: [one]${target === undefined ? '' : `, target: ${target}`} }
measure: { duration: 1, repeats: 1 }
monitors:
${monitors}
`;
const problems = (monitors: string, target?: string) =>
  bed.check(document(monitors, target)).problems.map(({ line, message }) => `${line}: ${message}`);

describe('monitors of a document', () => {
  it('accept known hosts and patterns with groups', () => {
    bed.addServer();
    expect(
      problems(
        `  hosts: [this computer, two]
  statements: [{ name: threads, statement: SELECT 1 }]
  commands: [{ name: dice, host: two, command: roll, pattern: 'eyes (?<eyes>\\d)' }]`,
        'db',
      ),
    ).toEqual([]);
  });

  it('name unknown and invalid entries, each at its line', () => {
    expect(
      problems(`  hosts:
    - two
    - moon
  statements:
    - { name: threads, statement: SELECT 1 }
  commands:
    - name: dice
      host: mars
      command: roll
      pattern: 'eyes (?<eyes>[)'
    - name: dice
      command: roll
      pattern: eyes \\d`),
    ).toEqual([
      '9: There is no host named “moon”. Add it under Hosts, or omit it.',
      '14: There is no host named “mars”. Add it under Hosts, or omit it.',
      expect.stringMatching(/^16: .*\[/),
      '19: The pattern has no named group: write (?<name>…) around each figure to watch.',
      '17: Two of these commands are named “dice”.',
      '11: A monitored statement needs a target, but none is chosen.',
    ]);
  });

  it('refuse statements to a target that accepts none', () => {
    bed.addServer();
    const { spec } = bed.targets;
    bed.targets = { ...bed.targets, spec: (name) => ({ ...spec(name), kind: 'mongodb' }) };
    expect(problems('  statements: [{ name: threads, statement: SELECT 1 }]', 'db')).toEqual([
      '7: The target “db” cannot run statements, so none can be monitored there.',
    ]);
  });
});

describe('monitors in the preflight', () => {
  const lineOf = async (monitors: string, target?: string) => {
    const lines = await bed.preflightOf(document(monitors, target));
    return lines.find(({ id }) => id === 'monitors');
  };

  it('lists monitored hosts and servers', async () => {
    expect(
      await lineOf('  hosts: [two]\n  commands: [{ name: dice, command: roll, pattern: (?<eyes>.) }]'),
    ).toMatchObject({
      state: 'ok',
      title: 'Monitored hosts and servers',
      evidence: 'hosts “one”, “two” · command “dice”',
    });
  });

  it('warns of an unreachable host and starts anyway', async () => {
    bed.machines.get('two').cut();
    expect(await lineOf('  hosts: [two]')).toMatchObject({
      state: 'warn',
      finding: { code: 'not-watched', message: '“two” cannot be monitored now: The fake link to two is down.' },
    });
    bed.script.push((job) => job.end(0));
    await expect(bed.startText(document('  hosts: [two]'))).resolves.toBeGreaterThan(0);
  });

  it('warns of monitoring that the document turns off', async () => {
    expect(await lineOf('  generators: false')).toMatchObject({
      state: 'warn',
      finding: {
        code: 'watching-off',
        message: 'Generators will not be watched (“one”), so a bottleneck there would go unnoticed.',
        next: expect.stringContaining('“monitors”'),
      },
    });
    bed.addServer();
    const all = await lineOf('  generators: false\n  place: false\n  server: false', 'db');
    expect(all?.finding?.message).toMatch(/“one”.*“db”/);
  });

  it('notes an unknown server host, unless the generator has the server', async () => {
    bed.addServer();
    expect(await lineOf('  server: true', 'db')).toMatchObject({
      state: 'note',
      evidence: 'host “one” · server “db”',
      finding: { code: 'place-not-known', message: expect.stringContaining('“db”') },
    });
    const { shown } = bed.targets;
    bed.targets = { ...bed.targets, shown: (name) => ({ ...shown(name), kind: 'mysql', host: '127.0.0.1' }) };
    expect(await lineOf('  server: true', 'db')).toMatchObject({ state: 'ok' });
  });

  it('notes a host with an unsupported system', async () => {
    const { readFacts } = bed;
    bed.readFacts = async (machine) => ({ ...(await readFacts(machine)), os: 'macOS 14.5' });
    expect(await lineOf('  generators: true')).toMatchObject({
      state: 'note',
      finding: { code: 'system-not-watched', message: '“one” runs macOS 14.5, but only Linux hosts can be watched.' },
    });
  });

  it('has no line if hosts are not monitored', async () => {
    bed.monitors = {};
    expect(await lineOf('  generators: false')).toBeUndefined();
  });
});

describe('captures', () => {
  let bed: SessionBed;
  let server: FakeServer;
  /** Statements that were sent. */
  let sent: string[];
  beforeEach(() => {
    bed = new SessionBed();
    server = bed.addServer();
    server.rows.set('things', 5);
    sent = [];
    server.readTable = async (statement, { first = [] } = {}) => {
      sent.push(...first, statement);
      if (statement.includes('INNODB'))
        throw new KneepointError({
          code: 'change-refused',
          message: 'The server refused a statement: you need the PROCESS privilege.',
          next: 'Give the account the right to run it.',
        });
      return { columns: ['a'], rows: [] };
    };
  });
  afterEach(() => bed.close());

  const lineOf = async (captures: string) => {
    const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep', captures });
    return lines.find(({ id }) => id === 'captures');
  };

  it('sends each read-only statement once and lists the valid ones', async () => {
    const line = await lineOf(
      '[{ name: x, statement: SHOW X, first: [SET a = 1] }, { name: y, statement: DO 1, writes: true }, { name: z, command: rm x }]',
    );
    expect(line).toMatchObject({ state: 'ok', title: 'Captures', evidence: 'x, y, z' });
    expect(sent).toEqual(['SET a = 1', 'SHOW X']);
  });

  it('warns of refused statements and missing files without blocking', async () => {
    bed.machines.get('one').answer = (script) => ({ code: script.includes('/no/log') ? 1 : 0, stdout: '', stderr: '' });
    const line = await lineOf(
      '[{ name: status, statement: SHOW ENGINE INNODB STATUS, as: text }, { name: log, file: /no/log }]',
    );
    expect(line?.state).toBe('warn');
    expect(JSON.stringify(line)).toContain(
      'Capture “status” (text) cannot be taken now: The server refused a statement',
    );
  });

  it('has no line without captures', async () => {
    const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep' });
    expect(lines.map(({ id }) => id)).not.toContain('captures');
  });
});
